// Messages that are beyond their TTL and still there, while the broker expires nothing. It looks at loaded topics every
// few minutes, and leaves a subscription alone whose consumers are connected and have little to do until half the TTL
// more has gone by.
#include <fmt/format.h>

#include "base/units.h"
#include "detect/message_age.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

// The counter of expired messages stood over a whole check, and that is still so.
bool nothing_expires(const CursorCase& c) {
  const auto& expiry = c.history.expiry;
  if (c.topic.loaded == model::Loaded::kNo || !expiry || expiry->at_ms() == 0) return false;
  const auto stood = expiry->at_ms() - expiry->stands_since_ms();
  return stood >= expiry_check(c.snapshot).count() &&
         c.now - expiry->at_ms() <= (c.topic.reask + 2 * c.snapshot.interval).count();
}

void judge(const CursorCase& c, const history::TopicHistory& past, std::chrono::seconds ttl, Findings& out) {
  if (c.cursor.kind != model::CursorKind::kSubscription || !nothing_expires(c)) return;
  const auto oldest = oldest_unacknowledged(c, past);
  if (!oldest) return;
  const Duration allowed = ttl + expiry_patience(c, ttl) + expiry_check(c.snapshot);
  if (c.now - oldest->at <= allowed.count()) return;
  auto finding = cursor_finding(model::Rule::kTtlOverdue, c.topic, c.cursor);
  finding.since_ms = oldest->at + allowed.count();
  finding.summary = fmt::format("messages are older than {}, the TTL is {}, and nothing expires",
                                format_duration(Duration{c.now - oldest->at}), format_duration(ttl));
  finding.evidence = {{"oldest_ms", oldest->at},
                      {"oldest_source", std::string(oldest->source)},
                      {"ttl_seconds", ttl.count()},
                      {"expired", c.history.expiry->expired()},
                      {"expired_stands_since_ms", c.history.expiry->stands_since_ms()},
                      {"connected", !c.consumerless()}};
  out.push_back(std::move(finding));
}

}  // namespace

void ttl_overdue(const TopicCase& c, Findings& out) {
  const auto ttl = model::ttl_seconds_of(c.snapshot, c.topic).value.value_or(0);
  if (c.topic.system || ttl == 0) return;
  for (const auto& cursor : c.cases) judge(cursor, c.past.whole, std::chrono::seconds{ttl}, out);
}

}  // namespace tidemark::detect::rules
