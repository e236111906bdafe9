#pragma once
// A topic with one cursor, as successive polls show it: the start of every history test.

#include "model/snapshot.h"

namespace tidemark::testing {

inline constexpr TimeMs kMinute = 60000;
inline constexpr TimeMs kHour = 60 * kMinute;
inline constexpr TimeMs kDay = 24 * kHour;
inline constexpr TimeMs kStart = 1735776000000;

struct OneCursor {
  model::TopicView topic;
  model::CursorView cursor;

  OneCursor() {
    topic.name = "persistent://acme/shop/orders";
    topic.ns = "acme/shop";
    topic.loaded = model::Loaded::kYes;
    topic.ledgers =
        model::Ledgers{{{101, 100, 1000, {}, false}, {102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
    cursor.name = "sub";
    cursor.cursor_state = "Open";
  }

  // Documents of `at` with the cursor at `position` and so many consumers.
  OneCursor& at(TimeMs now, model::Position position, int consumers = 0) {
    cursor.mark_delete = position;
    cursor.position_at_ms = cursor.consumers_at_ms = cursor.stats_at_ms = cursor.backlog_at_ms = now;
    cursor.consumers = consumers;
    return *this;
  }
};

}  // namespace tidemark::testing
