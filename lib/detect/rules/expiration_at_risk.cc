// Expiration is about to delete a subscription that is in use, only not all the time: it waits for less than the
// longest pause after which somebody came back, and half of that again. What it has not read goes with it.
#include <fmt/format.h>

#include "base/units.h"
#include "detect/expiration.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

// The broker looks at loaded topics only, and never at replicated subscriptions.
bool can_expire(const TopicCase& c, const CursorCase& one) {
  return c.topic.loaded == model::Loaded::kYes && one.cursor.kind == model::CursorKind::kSubscription &&
         !one.cursor.replicated;
}

Absence absence_of(const CursorCase& one) {
  Absence absence;
  if (one.activity.latest) absence.present = Duration{one.now - *one.activity.latest};
  absence.longest = one.history.rhythm.longest_gap();
  return absence;
}

}  // namespace

void expiration_at_risk(const TopicCase& c, Findings& out) {
  const auto ns = c.snapshot.namespaces.find(c.topic.ns);
  if (ns == c.snapshot.namespaces.end()) return;
  const auto expiration = model::expiration_minutes_of(c.snapshot, ns->second);
  if (expiration.value.value_or(0) <= 0) return;
  const std::chrono::minutes limit{*expiration.value};
  for (const auto& one : c.cases) {
    if (!can_expire(c, one) || !one.consumerless() || one.has_backlog() != true) continue;
    const auto absence = absence_of(one);
    if (!may_come_back_too_late(absence, limit)) continue;
    auto finding = cursor_finding(model::Rule::kExpirationAtRisk, c.topic, one.cursor);
    finding.since_ms = one.activity.latest;
    const auto latest = latest_return(*absence.longest);
    finding.summary =
        fmt::format("came back after pauses of up to {}, may take half as long again ({}), and expires after {}",
                    format_duration(*absence.longest), format_duration(latest), format_duration(limit));
    finding.evidence = {{"longest_pause_seconds", absence.longest->count() / 1000},
                        {"latest_return_seconds", latest.count() / 1000},
                        {"expiration_minutes", *expiration.value},
                        {"expiration_source", std::string(model::name_of(expiration.source))},
                        {"expires_ms", *one.activity.latest + Duration{limit}.count()}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
