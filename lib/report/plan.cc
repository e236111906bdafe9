#include "report/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/lookup.h"
#include "model/names.h"
#include "report/logical.h"
#include "report/shell_text.h"
#include "report/summaries.h"
#include "report/topic_trim.h"

namespace tidemark::report {
namespace {

using model::CursorVerdict;

bool is_dots(std::string_view part) { return part == "." || part == ".."; }

// Why a leftover is not touched; empty when it may go.
std::string obstacle(const CursorVerdict& verdict, bool by_curl) {
  if (verdict.exception) return "silenced: " + verdict.exception->reason;
  if (!is_leftover(verdict.state)) return "no fresh document says that it still is";
  if (verdict.stale || !verdict.mark_delete) return "its position is not known well enough to be checked";
  const auto name = model::parse_topic(verdict.topic);
  if (!can_be_word(verdict.topic) || !can_be_word(verdict.cursor))
    return "its name is not text that a command can hold";
  if (!by_curl && !pulsar_admin_takes(verdict.cursor))
    return "pulsar-admin would take this name for something else; --via curl makes a script that can";
  if (!name || is_dots(name->local)) return "a path made of such a topic name means something else";
  return {};
}

// A consumer of a partitioned topic is on all of its partitions: who is alive on one has not left the others.
std::string life_elsewhere(const LogicalSubscription& subscription) {
  for (const auto* other : subscription.partitions) {
    if (is_leftover(counted_state(*other))) continue;
    return "on " + other->topic.str() + " it is " + std::string(model::name_of(other->state));
  }
  return {};
}

std::string owner_of(const CursorVerdict& verdict) {
  return verdict.owner ? std::string(*verdict.owner) : std::string();
}

// Owners, their groups and the topics in those by the most that a topic of theirs gives back; on a topic the slowest
// first, since it is what the others' bytes wait for.
void sort_worst_first(std::vector<const CursorVerdict*>& leftovers) {
  using Key = std::pair<std::string, std::string>;
  std::map<std::string, std::int64_t> worst_of_owner;
  std::map<Key, std::int64_t> worst_of_group;
  const auto weight = [](const CursorVerdict& one) { return one.topic_reclaimable_bytes.value_or(0); };
  const auto key = [](const CursorVerdict& one) { return Key{owner_of(one), std::string(one.group)}; };
  for (const auto* one : leftovers) {
    auto& owner = worst_of_owner[owner_of(*one)];
    auto& group = worst_of_group[key(*one)];
    owner = std::max(owner, weight(*one));
    group = std::max(group, weight(*one));
  }
  using Rank = std::tuple<std::int64_t, std::string, std::int64_t, std::string, std::int64_t, std::string,
                          model::Position, std::string>;
  std::vector<std::pair<Rank, const CursorVerdict*>> ranked;
  for (const auto* one : leftovers) {
    ranked.emplace_back(
        Rank{-worst_of_owner[owner_of(*one)], owner_of(*one), -worst_of_group[key(*one)], std::string(one->group),
             -weight(*one), one->topic.str(), *one->mark_delete, one->cursor.str()},
        one);
  }
  std::sort(ranked.begin(), ranked.end());
  std::transform(ranked.begin(), ranked.end(), leftovers.begin(), [](const auto& one) { return one.second; });
}

PlannedRemoval removal_of(const model::Snapshot& snapshot, const CursorVerdict& verdict, const Summaries& summaries) {
  PlannedRemoval removal;
  removal.topic = verdict.topic.str();
  removal.subscription = verdict.cursor.str();
  removal.state = verdict.state;
  removal.mark_delete = *verdict.mark_delete;
  removal.pinned_bytes = verdict.pinned_bytes;
  if (const auto at = summaries.find({verdict.topic, verdict.cursor}); at != summaries.end()) removal.why = at->second;
  const auto* topic = model::find_topic(snapshot, verdict.topic);
  const auto* cursor = topic != nullptr ? model::find_cursor(*topic, verdict.cursor) : nullptr;
  removal.replicated = cursor != nullptr && cursor->replicated;
  return removal;
}

// By topic, in the order in which they will be run.
void fill_figures(Plan& plan, const model::Snapshot& snapshot) {
  std::map<std::string_view, std::vector<PlannedRemoval*>> of_topic;
  for (auto& section : plan.sections) {
    for (auto& removal : section.removals) of_topic[removal.topic].push_back(&removal);
  }
  for (const auto& [topic, removals] : of_topic) {
    std::vector<std::string_view> names;
    for (const auto* removal : removals) names.push_back(removal->subscription);
    const auto figures = freed_in_order(snapshot, topic, names);
    for (std::size_t i = 0; i < removals.size(); ++i) removals[i]->frees_bytes = figures[i];
  }
}

void add_namespaces(Plan& plan, const model::Snapshot& snapshot, const model::Verdicts& verdicts,
                    const std::set<std::string>& names) {
  std::map<std::string_view, Duration> longest;
  for (const auto& pause : verdicts.pauses) {
    auto& of_namespace = longest[place_of(pause.topic).ns];
    of_namespace = std::max(of_namespace, pause.longest);
  }
  std::map<std::string_view, std::vector<LeftOut>> kept;
  for (const auto& one : verdicts.cursors) {
    if (one.kind != model::CursorKind::kSubscription || !one.exception) continue;
    kept[place_of(one.topic).ns].push_back({one.topic.str(), one.cursor.str(), one.exception->reason});
  }
  for (const auto& name : names) {
    PlanNamespace ns{name, false, {}, snapshot.defaults.expiration_minutes, {}, {}};
    if (const auto known = snapshot.namespaces.find(name); known != snapshot.namespaces.end()) {
      ns.policies_known = known->second.policies_known;
      ns.expiration_minutes = known->second.expiration_minutes;
    }
    if (const auto pause = longest.find(name); pause != longest.end()) ns.longest_pause = pause->second;
    if (const auto found = kept.find(name); found != kept.end()) ns.kept = std::move(found->second);
    plan.namespaces.push_back(std::move(ns));
  }
}

}  // namespace

Plan plan_of(const model::Snapshot& snapshot, const model::Verdicts& verdicts, bool by_curl) {
  Plan plan;
  plan.at_ms = verdicts.at_ms;
  plan.broker_at_ms = verdicts.at_ms + snapshot.clock_offset.count();
  plan.cluster = snapshot.cluster;
  plan.pulsar_cluster = snapshot.defaults.cluster;
  for (const auto& broker : snapshot.brokers) plan.brokers.push_back(broker.name);

  std::vector<const CursorVerdict*> leftovers;
  std::set<std::string> namespaces;
  for (const auto& subscription : logical_subscriptions(verdicts)) {
    const auto alive = life_elsewhere(subscription);
    for (const auto* one : subscription.partitions) {
      if (one->kind != model::CursorKind::kSubscription || !is_leftover(counted_state(*one))) continue;
      namespaces.emplace(subscription.place.ns);
      auto why = obstacle(*one, by_curl);
      if (why.empty()) why = alive;
      if (why.empty()) {
        leftovers.push_back(one);
      } else {
        plan.left_out.push_back({one->topic.str(), one->cursor.str(), std::move(why)});
      }
    }
  }
  sort_worst_first(leftovers);
  const auto summaries = state_summaries(verdicts);
  for (const auto* one : leftovers) {
    const bool goes_on = !plan.sections.empty() && plan.sections.back().owner == owner_of(*one) &&
                         plan.sections.back().group == std::string_view(one->group);
    if (!goes_on) plan.sections.push_back({owner_of(*one), std::string(one->group), {}});
    plan.sections.back().removals.push_back(removal_of(snapshot, *one, summaries));
  }
  fill_figures(plan, snapshot);
  for (const auto& section : plan.sections) {
    for (const auto& removal : section.removals) {
      ++plan.removals;
      plan.frees_bytes += removal.frees_bytes.value_or(0);
      plan.all_told = plan.all_told && removal.frees_bytes.has_value();
    }
  }
  add_namespaces(plan, snapshot, verdicts, namespaces);
  for (const auto& finding : verdicts.findings) {
    if (finding.rule == model::name_of(model::Rule::kStaleTopicMetadata))
      plan.stale.push_back(finding.subject + ": " + finding.summary);
  }
  return plan;
}

}  // namespace tidemark::report
