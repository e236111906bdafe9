#include "history/mover.h"

#include <algorithm>
#include <cstdlib>

namespace tidemark::history {
namespace {

constexpr std::int64_t kSameMoveMs = 1000;  // the two clocks of one TTL move lie within about 100 ms
// Eviction stops at nine tenths of the quota, counted in entries of average size.
constexpr double kEvictedDownTo = 0.8;

bool nobody_came(const SeenBefore& before, const model::CursorView& cursor) {
  return cursor.consumers.value_or(0) == 0 && (!cursor.flow_ms || cursor.flow_ms == before.flow_ms);
}

// The last ledger that was closed before the entry at `position` was written.
const model::Ledger* ledger_before(const model::Ledgers& ledgers, const model::Position& position) {
  const model::Ledger* before = nullptr;
  for (const auto& ledger : ledgers.list()) {
    if (ledger.id >= position.ledger_id) break;
    before = &ledger;
  }
  return before;
}

// Proven: the entry at `position` was written less than `age` ago.
bool younger_than(const model::Ledgers& ledgers, const model::Position& position, TimeMs now, std::int64_t age_ms) {
  if (position.entry_id < 0) return false;
  const auto* before = ledger_before(ledgers, position);
  return before != nullptr && before->closed_ms && now - *before->closed_ms < age_ms;
}

// What a load counted from the last look to its end no document tells: of an unloaded topic as little as of a new load.
// A counter that fell is a load's too, noticed or not.
bool counter_goes_on(const SeenBefore& before, const model::TopicView& topic, const model::CursorView& cursor) {
  return topic.epoch == before.epoch && topic.loaded != model::Loaded::kNo &&
         cursor.expired_total.value_or(0) >= before.expired_total;
}

// The counter rose by as much, or at least at the same moment; counters and clocks start anew at each load. Between the
// last look and a load the counter may have risen, and is lost: where expiry is at work, it was that, unless what was
// passed is too young. A job that commits from outside shows itself at its next reset within one load.
bool expired(const SeenBefore& before, const model::TopicView& topic, const model::CursorView& cursor,
             std::int64_t entries, const Drains& drains) {
  const bool same_load = counter_goes_on(before, topic, cursor);
  const auto count = cursor.expired_total.value_or(0) - (same_load ? before.expired_total : 0);
  const bool same_moment = cursor.expired_ms && cursor.mark_delete_advanced_ms &&
                           std::llabs(*cursor.expired_ms - *cursor.mark_delete_advanced_ms) <= kSameMoveMs;
  if (count > 0 && (same_moment || count >= entries)) return true;
  if (same_load) return false;
  if (drains.ttl_seconds <= 0) return before.draining;
  return !younger_than(topic.ledgers, *cursor.mark_delete, cursor.position_at_ms, drains.ttl_seconds * 1000);
}

bool is_slowest(const model::TopicView& topic, const model::CursorView& cursor) {
  const auto here = topic.ledgers.normalise(*cursor.mark_delete);
  return std::all_of(topic.cursors.begin(), topic.cursors.end(), [&](const model::CursorView& other) {
    const bool pins = other.kind != model::CursorKind::kReader && other.mark_delete && !other.position_stale_by_rule;
    return !pins || topic.ledgers.normalise(*other.mark_delete) >= here;
  });
}

// By size the broker skips entries until nine tenths are left, by age it skips whole ledgers that were closed too long
// ago. Both take the slowest cursor only.
bool evicted(const model::TopicView& topic, const model::CursorView& cursor, const Drains& drains) {
  if (!drains.quota || !is_slowest(topic, cursor)) return false;
  const auto& quota = *drains.quota;
  if (quota.evicts_by_size && quota.bytes && topic.backlog_bytes &&
      static_cast<double>(*topic.backlog_bytes) >= kEvictedDownTo * static_cast<double>(*quota.bytes)) {
    return true;
  }
  if (!quota.evicts_by_age || !quota.seconds) return false;
  const auto place = topic.ledgers.normalise(*cursor.mark_delete);
  const auto* passed = place.entry_id < 0 ? ledger_before(topic.ledgers, place) : nullptr;
  return passed != nullptr && passed->closed_ms && cursor.position_at_ms - *passed->closed_ms >= *quota.seconds * 1000;
}

}  // namespace

Mover mover_of(const SeenBefore& before, const model::TopicView& topic, const model::CursorView& cursor,
               std::int64_t entries, const Drains& drains) {
  if (!nobody_came(before, cursor)) return Mover::kSomebody;
  if (expired(before, topic, cursor, entries, drains)) return Mover::kExpiry;
  return evicted(topic, cursor, drains) ? Mover::kEviction : Mover::kSomebody;
}

}  // namespace tidemark::history
