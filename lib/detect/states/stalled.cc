// Something should be moving this cursor and nothing does. For an internal cursor that is the broker's own work
// (replication, compaction, deduplication snapshots); for a subscription, a dispatcher that sends nothing to consumers
// who ask for more.
#include <algorithm>

#include "detect/states/states.h"
#include "model/policies.h"

namespace tidemark::detect::states {
namespace {

constexpr Duration kReplicatorPatience{15LL * 60000};
constexpr std::int64_t kDefaultDedupInterval = 1000;  // entries; brokerDeduplicationEntriesInterval
constexpr std::int64_t kTimesOverdue = 2;

// Something has waited for so long, and its place was read since that began: an older one stood because all was sent.
bool waited_for(const CursorCase& c, Duration length) {
  const auto start = c.history.backlog.before(c.cursor.backlog_at_ms - length.count());
  return start && c.cursor.position_at_ms >= start->at;
}

bool replicator_stalled(const CursorCase& c) {
  if (c.cursor.backlog_entries.value_or(0) <= 0 || !c.backlog_fresh) return false;
  const auto cut_off = c.history.disconnected_since_ms;
  if (cut_off && c.now - *cut_off >= kReplicatorPatience.count()) return true;
  const bool grew = c.history.backlog_at_stop && *c.cursor.backlog_entries > *c.history.backlog_at_stop;
  return grew && c.position_fresh && c.frozen_for(kReplicatorPatience) && waited_for(c, kReplicatorPatience);
}

bool stuck_for_long(const CursorCase& c) {
  return c.pins == true && c.frozen_for(c.limits.internal_stuck_after) && !c.within_rhythm();
}

// Without a threshold somebody has to start it; then only time tells.
bool compaction_stalled(const CursorCase& c) {
  const auto threshold = model::compaction_threshold_of(c.snapshot, c.topic).value.value_or(0);
  if (threshold <= 0) return stuck_for_long(c);
  return c.pin.bytes.value_or(0) > kTimesOverdue * threshold && c.frozen_for(c.limits.stuck_after);
}

// Counted in entries: on a quiet topic it may stand for months, at its first entry too.
bool dedup_stalled(const CursorCase& c) {
  const auto interval = c.snapshot.defaults.dedup_interval_entries.value_or(kDefaultDedupInterval);
  return c.pin.entries.value_or(0) > kTimesOverdue * interval && c.frozen_for(c.limits.stuck_after);
}

bool asks_for_more(const model::Consumer& consumer) { return consumer.available_permits > 0; }

bool something_to_send(const CursorCase& c) {
  const auto& read = c.cursor.read_position;
  if (!read || !c.topic.last_confirmed) return false;
  const bool unread = *read <= *c.topic.last_confirmed;
  return unread && c.cursor.backlog_entries.value_or(0) > c.history.delayed_entries.value_or(0);
}

bool dispatch_stalled(const CursorCase& c) {
  if (!c.consumers_fresh || !c.details_fresh || !c.position_fresh || c.topic.open_transactions > 0 ||
      c.cursor.rate_out > 0)
    return false;
  const auto since = c.history.dispatch_stands_since_ms;
  return since != 0 && c.now - since >= c.limits.stuck_after.count() && something_to_send(c) && somebody_asks(c.cursor);
}

}  // namespace

bool somebody_asks(const model::CursorView& cursor) {
  const auto& list = cursor.consumer_list;
  if (list.empty()) return false;
  if (cursor.type == "Shared" || cursor.type == "Key_Shared")
    return std::any_of(list.begin(), list.end(), asks_for_more);
  const auto active = std::find_if(list.begin(), list.end(),
                                   [&](const auto& consumer) { return consumer.name == cursor.active_consumer; });
  if (active != list.end()) return asks_for_more(*active);
  return std::all_of(list.begin(), list.end(), asks_for_more);
}

bool is_stalled(const CursorCase& c) {
  switch (c.cursor.kind) {
    case model::CursorKind::kSubscription:
      return dispatch_stalled(c);
    case model::CursorKind::kReplicator:
      return replicator_stalled(c);
    case model::CursorKind::kCompaction:
      return c.position_fresh && compaction_stalled(c);
    case model::CursorKind::kDedup:
      return c.position_fresh && dedup_stalled(c);
    case model::CursorKind::kSystem:
      return c.position_fresh && stuck_for_long(c);
    case model::CursorKind::kReader:
      break;
  }
  return false;
}

}  // namespace tidemark::detect::states
