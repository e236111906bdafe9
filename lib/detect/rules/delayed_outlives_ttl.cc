// Delayed messages that the TTL takes before their time has come. No document tells when they are due: it is a risk
// when the place stood for most of the TTL, and a loss when as many expired as were delayed and nobody was sent
// anything.
#include <fmt/format.h>

#include "base/units.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

constexpr Duration kShowLoss{24LL * 3600000};

std::optional<history::Expiry::Loss> lost_lately(const CursorCase& c) {
  const auto loss = c.history.expiry ? c.history.expiry->loss() : std::nullopt;
  return loss && c.now - loss->at <= kShowLoss.count() ? loss : std::nullopt;
}

bool stood_for_most_of(std::chrono::seconds ttl, const CursorCase& c) {
  const auto since = c.history.frozen_since_ms;
  return c.position_fresh && since != 0 && c.history.delayed_entries.value_or(0) > 0 &&
         c.now - since >= Duration{ttl}.count() * 3 / 4;
}

void judge(const CursorCase& c, std::chrono::seconds ttl, Findings& out) {
  if (c.cursor.kind != model::CursorKind::kSubscription) return;
  const auto lost = lost_lately(c);
  if (!lost && !stood_for_most_of(ttl, c)) return;
  const auto delayed = c.history.delayed_entries.value_or(0);
  auto finding = cursor_finding(model::Rule::kDelayedOutlivesTtl, c.topic, c.cursor);
  if (lost) {
    finding.severity = model::Severity::kCritical;
    finding.since_ms = lost->at;
    finding.summary = fmt::format("{} delayed messages expired before anybody got them", lost->messages);
  } else {
    finding.since_ms = c.history.frozen_since_ms;
    finding.summary = fmt::format("{} delayed messages wait, some for {} at least, and the TTL is {}", delayed,
                                  format_duration(Duration{c.now - c.history.frozen_since_ms}), format_duration(ttl));
  }
  finding.evidence = {{"expired_undelivered", lost ? lost->messages : 0},
                      {"delayed", delayed},
                      {"stands_since_ms", c.history.frozen_since_ms},
                      {"ttl_seconds", ttl.count()}};
  out.push_back(std::move(finding));
}

}  // namespace

void delayed_outlives_ttl(const TopicCase& c, Findings& out) {
  const auto ttl = model::ttl_seconds_of(c.snapshot, c.topic).value.value_or(0);
  if (c.topic.system || ttl == 0) return;
  for (const auto& cursor : c.cases) judge(cursor, std::chrono::seconds{ttl}, out);
}

}  // namespace tidemark::detect::rules
