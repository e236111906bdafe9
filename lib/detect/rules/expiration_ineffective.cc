// Subscriptions that their expiration should have deleted. Brokers look at loaded topics only, leave replicated
// subscriptions alone, and some versions begin to count anew with each load.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/units.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

constexpr std::int64_t kCheckMinutes = 5;  // subscriptionExpiryCheckIntervalInMinutes, unless set

// A cursor that outlived its expiration, in its topic.
struct Survivor {
  const model::TopicView& topic;
  const model::CursorView& cursor;
  TimeMs silent_since = 0;
  Duration allowed{0};  // the time until it expires, and one check
};

struct Cause {
  std::string_view name;
  std::int64_t loads = 0;  // seen since its last activity
};

// By our own count, and at least one where the present load began after the last activity.
std::int64_t loads_since(const Survivor& one, const history::Topic& past) {
  const auto* known = past.find(one.cursor.name);
  const auto counted = known != nullptr ? static_cast<std::int64_t>(one.topic.epoch - known->active_epoch) : 0;
  const bool by_documents = one.topic.epoch_started_ms && *one.topic.epoch_started_ms > one.silent_since;
  return std::max<std::int64_t>(counted, by_documents ? 1 : 0);
}

// Empty where no document proves what kept it.
std::optional<Cause> cause_of(const model::Snapshot& snapshot, const Survivor& one, const history::Topic& past) {
  if (one.cursor.replicated) return Cause{"replicated"};
  if (one.topic.loaded == model::Loaded::kNo) return Cause{"unloaded"};
  if (!model::load_restarts_expiration(snapshot.version)) return std::nullopt;
  // Counted from the present load it is not due.
  const auto& started = one.topic.epoch_started_ms;
  if (started && snapshot.at_ms - *started > one.allowed.count()) return std::nullopt;
  const auto loads = loads_since(one, past);
  return loads > 0 ? std::optional(Cause{"reloaded", loads}) : std::nullopt;
}

Duration check_interval(const model::Snapshot& snapshot) {
  return std::chrono::minutes{snapshot.defaults.expiration_check_minutes.value_or(kCheckMinutes)};
}

// It was still there. A sweep may be old; what is unloaded stands still.
TimeMs seen_ms(const model::Snapshot& snapshot, const model::TopicView& topic, const model::CursorView& cursor) {
  return topic.loaded == model::Loaded::kNo ? snapshot.at_ms : std::max(cursor.position_at_ms, cursor.stats_at_ms);
}

bool is_unattended(const model::CursorVerdict& verdict) {
  const auto state = verdict.state;
  const bool nobody =
      state == model::State::kAbandoned || state == model::State::kIdle || state == model::State::kUnused;
  return nobody && verdict.kind == model::CursorKind::kSubscription && verdict.since_ms && !verdict.exception;
}

struct Group {
  std::int64_t subscriptions = 0;
  std::int64_t loads = 0;  // most
  TimeMs silent_since = 0;
  std::string worst_topic;
  std::string worst_cursor;
};

void take(Group& group, const Survivor& one, const Cause& cause) {
  ++group.subscriptions;
  group.loads = std::max(group.loads, cause.loads);
  if (group.subscriptions > 1 && group.silent_since <= one.silent_since) return;
  group.silent_since = one.silent_since;
  group.worst_topic = one.topic.name;
  group.worst_cursor = one.cursor.name;
}

using Groups = std::map<std::pair<std::string, std::string_view>, Group>;  // by namespace and cause

void look_at_topic(const ClusterCase& c, const model::TopicView& topic, std::span<const model::CursorVerdict> verdicts,
                   Groups& groups) {
  const auto ns = c.snapshot.namespaces.find(topic.ns);
  if (ns == c.snapshot.namespaces.end()) return;
  const auto minutes = model::expiration_minutes_of(c.snapshot, ns->second).value.value_or(0);
  if (minutes <= 0) return;
  const Duration allowed = std::chrono::minutes{minutes} + check_interval(c.snapshot);
  std::optional<history::Topic> past;  // opened for the few topics that need it
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const auto& cursor = topic.cursors[i];
    if (!is_unattended(verdicts[i])) continue;
    const auto since = *verdicts[i].since_ms;
    if (seen_ms(c.snapshot, topic, cursor) - since <= allowed.count()) continue;
    if (!past) past = c.history.all_of(topic.name).value_or(history::Topic{});
    const Survivor one{topic, cursor, since, allowed};
    if (const auto cause = cause_of(c.snapshot, one, *past)) take(groups[{topic.ns, cause->name}], one, *cause);
  }
}

std::string summary_of(std::string_view cause, const Group& group, std::int64_t minutes) {
  const auto count = fmt::format("{} subscription{}", group.subscriptions, group.subscriptions == 1 ? "" : "s");
  const auto limit = format_duration(std::chrono::minutes{minutes});
  if (cause == "replicated") return fmt::format("{} outlived {}: replicated ones never expire", count, limit);
  if (cause == "unloaded")
    return fmt::format("{} outlived {}: on topics that are not loaded nothing expires", count, limit);
  return fmt::format("{} outlived {}: this version counts anew from each load, {} seen since anybody came", count,
                     limit, group.loads);
}

void report(const ClusterCase& c, const std::string& ns, std::string_view cause, const Group& group, Findings& out) {
  const auto expiration = model::expiration_minutes_of(c.snapshot, c.snapshot.namespaces.at(ns));
  auto finding = namespace_finding(model::Rule::kExpirationIneffective, ns);
  finding.since_ms = group.silent_since + *expiration.value * 60000;
  finding.summary = summary_of(cause, group, *expiration.value);
  finding.evidence = {{"cause", std::string(cause)},
                      {"reloads", group.loads},
                      {"subscriptions", group.subscriptions},
                      {"expiration_minutes", *expiration.value},
                      {"source", std::string(model::name_of(expiration.source))},
                      {"worst_topic", group.worst_topic},
                      {"worst_cursor", group.worst_cursor}};
  out.push_back(std::move(finding));
}

}  // namespace

void expiration_ineffective(const ClusterCase& c, Findings& out) {
  Groups groups;
  std::size_t first = 0;  // verdict of the topic
  for (const auto& topic : c.snapshot.topics) {
    const auto verdicts = std::span(c.verdicts.cursors).subspan(first, topic->cursors.size());
    first += verdicts.size();
    look_at_topic(c, *topic, verdicts, groups);
  }
  for (const auto& [key, group] : groups) report(c, key.first, key.second, group, out);
}

}  // namespace tidemark::detect::rules
