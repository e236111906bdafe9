// Somebody is connected, or it is a replicator's, and still the mark-delete stands: messages sent and never
// acknowledged.
#include <algorithm>

#include "detect/states/states.h"

namespace tidemark::detect::states {
namespace {

bool holds_unacked(const model::Consumer& consumer) {
  return consumer.unacked_messages > 0 && (consumer.blocked || consumer.available_permits <= 0);
}

// Key_Shared gives nobody else the keys of a consumer that is slow.
bool consumers_are_blocked(const model::CursorView& cursor) {
  const auto& list = cursor.consumer_list;
  if (list.empty()) return false;
  if (cursor.type == "Key_Shared") return std::any_of(list.begin(), list.end(), holds_unacked);
  const auto stopped = [](const auto& consumer) { return consumer.blocked || consumer.available_permits <= 0; };
  return std::all_of(list.begin(), list.end(), stopped) && std::any_of(list.begin(), list.end(), holds_unacked);
}

bool candidate(const CursorCase& c) {
  const bool stands = c.position_fresh && c.pins == true && c.frozen_for(c.limits.stuck_after);
  return stands &&
         (c.cursor.kind == model::CursorKind::kSubscription || c.cursor.kind == model::CursorKind::kReplicator);
}

}  // namespace

bool is_unacked_blocked(const CursorCase& c) {
  const bool flagged = c.cursor.blocked_on_unacked && c.cursor.unacked_messages > 0;
  return candidate(c) && (flagged || (c.details_fresh && consumers_are_blocked(c.cursor)));
}

bool is_ack_hole(const CursorCase& c) {
  if (!candidate(c) || !c.hole || c.topic.open_transactions > 0) return false;
  // Delayed messages are passed over on purpose; 2.x acknowledges its replication markers ahead of everything.
  const bool delayed = c.history.delayed_entries.value_or(0) >= c.hole->entries;
  const bool markers = c.cursor.replicated && c.snapshot.version.starts_with("2.");
  return !delayed && !markers;
}

}  // namespace tidemark::detect::states
