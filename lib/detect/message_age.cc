#include "detect/message_age.h"

namespace tidemark::detect {
namespace {

constexpr std::int64_t kCheckMinutes = 5;  // messageExpiryCheckIntervalInMinutes, unless set

// Who is not loaded stands where it stood.
TimeMs place_seen_ms(const CursorCase& c) {
  return c.topic.loaded == model::Loaded::kNo ? c.now : c.cursor.position_at_ms;
}

// The broker told it for the place that is still the present one. Asked for once a day, that does.
std::optional<Oldest> by_broker(const CursorCase& c) {
  const auto told = c.history.expiry ? c.history.expiry->oldest() : std::nullopt;
  if (!told) return std::nullopt;
  const auto stands = c.history.frozen_since_ms;
  const bool same_place = c.position_fresh && stands != 0 && stands <= told->at;
  if (!same_place && told->at != c.now) return std::nullopt;
  return Oldest{told->publish_ms, "earliestMsgPublishTimeInBacklog", same_place ? place_seen_ms(c) : told->at};
}

}  // namespace

std::optional<Oldest> closed_by(const model::TopicView& topic, const history::TopicHistory& past,
                                const model::Ledger& ledger) {
  if (ledger.id == topic.ledgers.list().back().id) return std::nullopt;
  if (ledger.closed_ms) return Oldest{*ledger.closed_ms, "ledger close time"};
  const auto seen = past.closed_ms(ledger.id);
  return seen ? std::optional(Oldest{*seen, history::kObserved}) : std::nullopt;
}

std::optional<Oldest> oldest_unacknowledged(const CursorCase& c, const history::TopicHistory& past) {
  if (c.has_backlog() != true) return std::nullopt;
  if (const auto told = by_broker(c)) return told;
  if (!c.position_fresh) return std::nullopt;
  // The ledger of the first entry that waits was closed after that entry was written.
  const auto* ledger = c.topic.ledgers.find(c.topic.ledgers.normalise(*c.cursor.mark_delete).ledger_id);
  auto closed = ledger != nullptr ? closed_by(c.topic, past, *ledger) : std::nullopt;
  if (closed) closed->seen_ms = place_seen_ms(c);
  return closed;
}

Duration expiry_patience(const CursorCase& c, std::chrono::seconds ttl) {
  constexpr std::int64_t kFewEntries = 1000;
  const bool patient = !c.consumerless() && c.cursor.backlog_entries.value_or(0) < kFewEntries;
  return patient ? Duration{ttl} / 2 : Duration{0};
}

Duration expiry_check(const model::Snapshot& snapshot) {
  return std::chrono::minutes{snapshot.defaults.expiry_check_minutes.value_or(kCheckMinutes)};
}

}  // namespace tidemark::detect
