#pragma once
// Who moved a mark-delete forward: somebody who works with the subscription, or the broker itself, which takes away
// what is older than the TTL or beyond the backlog quota (docs/design.md section 2, "activity").

#include <cstdint>
#include <optional>

#include "model/position.h"
#include "model/snapshot.h"

namespace tidemark::history {

// What the broker may take away from the cursors of a topic: its effective policies.
struct Drains {
  std::int64_t ttl_seconds = 0;  // 0 = none
  std::optional<model::BacklogQuota> quota;
};

// The cursor as it was seen before the move.
struct SeenBefore {
  std::uint64_t epoch = 0;         // of its position
  std::int64_t expired_total = 0;  // then
  std::optional<TimeMs> flow_ms;
  bool draining = false;  // the last move before was expiry's, and nobody came since
};

enum class Mover { kSomebody, kExpiry, kEviction };

// `cursor` as it is after a move forward by `entries`.
Mover mover_of(const SeenBefore& before, const model::TopicView& topic, const model::CursorView& cursor,
               std::int64_t entries, const Drains& drains);

}  // namespace tidemark::history
