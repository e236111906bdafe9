#include "report/overview.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "report/overview_text.h"
#include "report/summaries.h"

namespace tidemark::report {
namespace {

using model::State;
using Subscriptions = std::vector<const LogicalSubscription*>;

bool is_groupable(const LogicalSubscription& subscription) {
  return subscription.worst->kind == model::CursorKind::kSubscription && is_consumerless(subscription.state) &&
         !subscription.worst->group.empty();
}

GroupRow row_of(const Subscriptions& members, const Sums& sums, TimeMs now) {
  const auto& first = *members.front();
  GroupRow row;
  row.ns = first.place.ns;
  row.group = first.worst->group;
  row.origin = first.worst->origin;
  row.state = first.state;
  row.members = members.size();
  std::set<std::string_view> topics;
  if (first.worst->owner) row.owner = *first.worst->owner;
  for (const auto* member : members) {
    ++row.counts[member->state];
    topics.insert(member->place.parent);
    if (member->worst->owner != first.worst->owner) row.owner.reset();
    row.silenced += member->worst->exception ? 1U : 0U;
    row.severity = std::max(row.severity, member->worst->severity);
    row.bounded = row.bounded || member->worst->evidence_kind == model::EvidenceKind::kBounded;
    if (is_worse(member->state, row.state)) row.state = member->state;
    const auto age = age_of(*member->worst, now);
    if (!age) continue;
    row.age_least = std::min(row.age_least.value_or(*age), *age);
    row.age_longest = std::max(row.age_longest.value_or(*age), *age);
  }
  row.topics = topics.size();
  if (const auto sum = sums.groups.find({row.ns, row.group}); sum != sums.groups.end()) {
    row.pinned_bytes = sum->second.pinned_bytes;
    row.reclaimable_bytes = sum->second.reclaimable_bytes;
  }
  return row;
}

// Splits what has a finding into groups and the rest.
void place_rows(Overview& overview, const std::vector<LogicalSubscription>& all, const Sums& sums, TimeMs now) {
  std::map<GroupKey, Subscriptions> groups;
  for (const auto& subscription : all) {
    if (is_groupable(subscription)) groups[{subscription.place.ns, subscription.worst->group}].push_back(&subscription);
  }
  for (const auto& [key, members] : groups) {
    if (members.size() > 1) overview.groups.push_back(row_of(members, sums, now));
  }
  for (const auto& subscription : all) {
    if (!model::word_of(subscription.state).is_finding) continue;
    const bool grouped =
        is_groupable(subscription) && groups[{subscription.place.ns, subscription.worst->group}].size() > 1;
    if (!grouped) overview.rows.push_back({subscription, {}});
  }
}

void sort_worst_first(Overview& overview) {
  std::ranges::stable_sort(overview.groups, [](const GroupRow& a, const GroupRow& b) {
    return std::tie(a.reclaimable_bytes, a.pinned_bytes, a.members) >
           std::tie(b.reclaimable_bytes, b.pinned_bytes, b.members);
  });
  std::ranges::stable_sort(overview.rows, [](const SubscriptionRow& left, const SubscriptionRow& right) {
    const auto& a = left.subscription;
    const auto& b = right.subscription;
    const bool silenced = a.worst->exception.has_value();
    if (silenced != b.worst->exception.has_value()) return !silenced;
    if (a.state != b.state) return is_worse(a.state, b.state);
    return std::tie(a.topic_reclaimable_bytes, a.pinned_bytes) > std::tie(b.topic_reclaimable_bytes, b.pinned_bytes);
  });
}

void count_states(Overview& overview, const std::vector<LogicalSubscription>& all) {
  std::map<State, std::size_t> counts;
  for (const auto& subscription : all) {
    if (subscription.worst->kind != model::CursorKind::kSubscription) {
      if (model::word_of(subscription.state).is_finding) ++overview.internal[subscription.state];
      continue;
    }
    ++counts[subscription.state];
    ++overview.subscriptions;
  }
  overview.counts.assign(counts.begin(), counts.end());
  std::ranges::sort(overview.counts, [](const auto& a, const auto& b) { return is_worse(a.first, b.first); });
}

}  // namespace

Overview overview_of(const model::Verdicts& verdicts) {
  const auto all = logical_subscriptions(verdicts);
  const auto sums = sum_up(verdicts);
  Overview overview;
  overview.pinned_bytes = sums.pinned_bytes;
  overview.reclaimable_bytes = sums.reclaimable_bytes;
  overview.pinned_whole = sums.pinned_whole;
  overview.untold_topics = sums.untold_topics;
  count_states(overview, all);
  place_rows(overview, all, sums, verdicts.at_ms);
  sort_worst_first(overview);
  for (const auto& finding : verdicts.findings) {
    if (!is_state(finding.rule)) overview.findings.push_back(&finding);
  }
  const auto summaries = state_summaries(verdicts);
  for (auto& row : overview.rows) {
    const auto& worst = *row.subscription.worst;
    const auto summary = summaries.find({worst.topic, worst.cursor});
    row.why = why_text(row.subscription, summary == summaries.end() ? std::string_view{} : summary->second);
  }
  return overview;
}

}  // namespace tidemark::report
