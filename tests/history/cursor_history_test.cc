#include "history/cursor_history.h"

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using history::CursorHistory;
using history::Drains;
using history::Trail;

namespace {

void observe(CursorHistory& history, const OneCursor& seen) {
  history.observe(seen.topic, seen.cursor, {}, seen.cursor.position_at_ms);
}

}  // namespace

TEST_CASE("a forward move is activity, between the two looks or at the broker's own clock") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}));
  CHECK_FALSE(history.activity);
  CHECK(history.first_position_ms == kStart);
  observe(history, seen.at(kStart + kHour, {101, 40}));
  REQUIRE(history.activity);
  CHECK(history.activity->earliest == kStart);
  CHECK(history.activity->latest == kStart + kHour);
  seen.cursor.mark_delete_advanced_ms = kStart + kHour + kMinute;
  observe(history, seen.at(kStart + 2 * kHour, {101, 41}));
  CHECK(history.activity->earliest == kStart + kHour + kMinute);
  CHECK(history.activity->latest == kStart + kHour + kMinute);
}

TEST_CASE("an admin reset by a connector that never connects is activity") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}));
  observe(history, seen.at(kStart + kHour, {102, 5}));
  REQUIRE(history.activity);
  CHECK(history.activity->latest == kStart + kHour);
}

TEST_CASE("the broker's own step over a ledger border is no activity") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 99}));
  observe(history, seen.at(kStart + kHour, {102, -1}));
  CHECK_FALSE(history.activity);
  CHECK(history.frozen_since_ms == kStart);
}

TEST_CASE("what TTL explains is no activity") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}));
  seen.cursor.expired_total = 30;
  seen.cursor.expired_ms = kStart + 50 * kMinute;
  seen.cursor.mark_delete_advanced_ms = kStart + 50 * kMinute + 90;
  observe(history, seen.at(kStart + kHour, {101, 49}));
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + kHour);

  SECTION("but the same move with a consumer connected is") {
    seen.cursor.expired_total = 60;
    seen.cursor.expired_ms = kStart + 110 * kMinute;
    seen.cursor.mark_delete_advanced_ms = kStart + 110 * kMinute;
    observe(history, seen.at(kStart + 2 * kHour, {101, 79}, 1));
    CHECK(history.activity);
  }
  SECTION("and so is a later move at which the counter stood") {
    seen.cursor.mark_delete_advanced_ms = kStart + 110 * kMinute;
    observe(history, seen.at(kStart + 2 * kHour, {101, 79}));
    CHECK(history.activity);
  }
}

TEST_CASE("TTL is known for what it is across a load, where counters and clocks start anew") {
  CursorHistory history;
  OneCursor seen;
  seen.cursor.expired_total = 5000;
  seen.cursor.flow_ms = kStart - kDay;
  observe(history, seen.at(kStart, {101, 19}));
  ++seen.topic.epoch;
  seen.cursor.flow_ms.reset();
  seen.cursor.expired_total = 30;
  seen.cursor.expired_ms = kStart + 50 * kMinute;
  SECTION("by the moment") { seen.cursor.mark_delete_advanced_ms = kStart + 50 * kMinute + 90; }
  SECTION("by the count alone") { seen.cursor.mark_delete_advanced_ms = kStart + 40 * kMinute; }
  observe(history, seen.at(kStart + kHour, {101, 49}));
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + kHour);
}

TEST_CASE("what a load made forget of a drain is still a drain") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}));
  seen.cursor.expired_total = 30;
  observe(history, seen.at(kStart + kHour, {101, 49}));
  REQUIRE(history.expiry_moved_ms);
  ++seen.topic.epoch;
  seen.cursor.expired_total = 0;
  observe(history, seen.at(kStart + 2 * kHour, {101, 79}));
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + 2 * kHour);
}

TEST_CASE("a first drain across a load is one where a TTL applies, and activity where none does") {
  OneCursor seen;
  CursorHistory history;
  const bool expires = GENERATE(true, false);
  const Drains drains{expires ? 3600 : 0, {}};
  history.observe(seen.topic, seen.at(kStart, {101, 19}).cursor, {}, kStart, drains);
  ++seen.topic.epoch;
  history.observe(seen.topic, seen.at(kStart + kHour, {101, 49}).cursor, {}, kStart + kHour, drains);
  CHECK(history.activity.has_value() == !expires);
}

TEST_CASE("under a TTL a position without statistics of the same time waits for them") {
  OneCursor seen;
  CursorHistory history;
  const auto poll = [&](TimeMs now) { history.observe(seen.topic, seen.cursor, {}, now, Drains{3600, {}}); };
  seen.at(kStart, {101, 19});
  poll(kStart);
  seen.at(kStart + kHour, {101, 49});
  seen.cursor.stats_at_ms = kStart;
  // Also at the polls after it, where no sweep has the topic for a moment.
  for (const auto loaded : {model::Loaded::kYes, model::Loaded::kUnknown}) {
    seen.topic.loaded = loaded;
    poll(kStart + kHour);
    CHECK(history.mark_delete == model::Position{101, 19});
    CHECK_FALSE(history.activity);
  }
  seen.topic.loaded = model::Loaded::kYes;
  seen.at(kStart + 2 * kHour, {101, 59});
  seen.cursor.expired_total = 40;
  poll(kStart + 2 * kHour);
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + 2 * kHour);
}

TEST_CASE("under a TTL statistics without a position of the same time take nothing away from the next pair") {
  OneCursor seen;
  CursorHistory history;
  const auto poll = [&](TimeMs now) { history.observe(seen.topic, seen.cursor, {}, now, Drains{3600, {}}); };
  seen.at(kStart, {101, 19});
  poll(kStart);
  // Expiry moved it, and only the counter was read then.
  seen.cursor.expired_total = 30;
  seen.cursor.stats_at_ms = kStart + kHour;
  poll(kStart + kHour);
  seen.at(kStart + 2 * kHour, {101, 49});
  poll(kStart + 2 * kHour);
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + 2 * kHour);
}

TEST_CASE("more than TTL took away was taken by somebody") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}));
  seen.cursor.expired_total = 3;
  seen.cursor.expired_ms = kStart + 50 * kMinute;
  seen.cursor.mark_delete_advanced_ms = kStart + 40 * kMinute;
  observe(history, seen.at(kStart + kHour, {101, 49}));
  CHECK(history.activity);
}

TEST_CASE("back within one load is a rewind, back across a load is a lost position") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {102, 19}));
  SECTION("rewind") {
    observe(history, seen.at(kStart + kHour, {101, 19}));
    CHECK(history.rewound_ms == kStart + kHour);
    CHECK(history.rewound_from == model::Position{102, 19});
    CHECK(history.activity);
    CHECK_FALSE(history.recovered_from);
    observe(history, seen.at(kStart + 2 * kHour, {101, 20}));
    CHECK_FALSE(history.rewound_ms);
    CHECK_FALSE(history.rewound_from);
  }
  SECTION("recovery, the load known before the position is read again") {
    ++seen.topic.epoch;
    seen.cursor.consumers_at_ms = kStart + kMinute;
    history.observe(seen.topic, seen.cursor, {}, kStart + kMinute);
    observe(history, seen.at(kStart + kHour, {101, 19}));
    CHECK_FALSE(history.rewound_ms);
    CHECK_FALSE(history.activity);
  }
  SECTION("recovery") {
    ++seen.topic.epoch;
    observe(history, seen.at(kStart + kHour, {101, 19}));
    CHECK_FALSE(history.rewound_ms);
    CHECK_FALSE(history.rewound_from);
    CHECK_FALSE(history.activity);
    CHECK(history.recovered_from == model::Position{102, 19});
    observe(history, seen.at(kStart + 2 * kHour, {101, 20}));
    CHECK_FALSE(history.recovered_from);
  }
}

TEST_CASE("a consumer that is seen is activity") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}, 2));
  CHECK(history.consumer_seen_ms == kStart);
  CHECK(history.activity->latest == kStart);
}

TEST_CASE("who was there at the last look and is not now left in between") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {101, 19}, 1));
  observe(history, seen.at(kStart + 6 * kHour, {101, 19}));
  CHECK(history.activity->earliest == kStart);
  CHECK(history.activity->latest == kStart + 6 * kHour);
  observe(history, seen.at(kStart + 7 * kHour, {101, 19}));
  CHECK(history.activity->latest == kStart + 6 * kHour);
}

TEST_CASE("a flow timestamp counts when it is from after our last look, never when first seen") {
  CursorHistory history;
  OneCursor seen;
  seen.cursor.flow_ms = kStart - kDay;
  observe(history, seen.at(kStart, {101, 19}));
  CHECK_FALSE(history.activity);
  observe(history, seen.at(kStart + kHour, {101, 19}));
  CHECK_FALSE(history.activity);
  seen.cursor.flow_ms = kStart + 90 * kMinute;
  observe(history, seen.at(kStart + 2 * kHour, {101, 19}));
  REQUIRE(history.activity);
  CHECK(history.activity->latest == kStart + 90 * kMinute);
}

TEST_CASE("delayed messages are remembered across a load while the place stands") {
  CursorHistory history;
  OneCursor seen;
  seen.cursor.type = "Shared";
  seen.cursor.delayed_entries = 20;
  observe(history, seen.at(kStart, {101, 19}));
  seen.cursor.delayed_entries = 0;  // it is being unloaded
  observe(history, seen.at(kStart + kMinute, {101, 19}));
  CHECK(history.delayed_entries == 20);
  ++seen.topic.epoch;
  seen.cursor.type = "None";
  observe(history, seen.at(kStart + kHour, {101, 19}));
  CHECK(history.delayed_entries == 20);
  observe(history, seen.at(kStart + kHour + kMinute, {101, 19}));
  CHECK(history.delayed_entries == 20);
  observe(history, seen.at(kStart + 2 * kHour, {101, 25}));
  CHECK(history.delayed_entries != 20);
}

TEST_CASE("with a consumer there, fewer delayed messages are fewer") {
  CursorHistory history;
  OneCursor seen;
  seen.cursor.delayed_entries = 20;
  observe(history, seen.at(kStart, {101, 19}));
  seen.cursor.delayed_entries = 5;
  observe(history, seen.at(kStart + kMinute, {101, 19}, 1));
  CHECK(history.delayed_entries == 5);
}

TEST_CASE("older and repeated documents change nothing") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart + kHour, {101, 40}));
  observe(history, seen.at(kStart, {101, 19}));
  observe(history, seen.at(kStart + kHour, {101, 60}));
  CHECK(history.mark_delete == model::Position{101, 40});
  CHECK_FALSE(history.activity);
}

TEST_CASE("a stale stored position is no position") {
  CursorHistory history;
  OneCursor seen;
  observe(history, seen.at(kStart, {102, 40}));
  seen.cursor.position_stale_by_rule = true;
  observe(history, seen.at(kStart + kHour, {101, -1}));
  CHECK(history.mark_delete == model::Position{102, 40});
  CHECK_FALSE(history.rewound_ms);
}

TEST_CASE("rhythm: the longest of the last eight pauses, activities close together counted once") {
  history::Rhythm rhythm;
  const Duration merge{kHour};
  rhythm.add(kStart, merge);
  rhythm.add(kStart + 10 * kMinute, merge);
  rhythm.add(kStart + kDay, merge);
  CHECK_FALSE(rhythm.longest_gap());
  rhythm.add(kStart + 8 * kDay, merge);
  CHECK(rhythm.longest_gap() == Duration{7 * kDay});
  for (int day = 9; day <= 16; ++day) rhythm.add(kStart + day * kDay, merge);
  CHECK(rhythm.longest_gap() == Duration{kDay});
}

TEST_CASE("who is connected between two looks makes no pause, however far they are apart") {
  CursorHistory history;
  OneCursor seen;
  seen.cursor.connected_since_ms = kStart - kHour;
  for (int week = 0; week < 4; ++week) observe(history, seen.at(kStart + week * 7 * kDay, {101, 10 + week}, 1));
  CHECK_FALSE(history.rhythm.longest_gap());
  SECTION("a pause lasts until somebody connects, not until we look") {
    for (int time = 0; time < 2; ++time) {
      const auto left = kStart + (30 + time * 10) * kDay;
      observe(history, seen.at(left, {102, time * 2}, 1));
      observe(history, seen.at(left + kHour, {102, time * 2}, 0));
      seen.cursor.connected_since_ms = left + 3 * kDay;
      observe(history, seen.at(left + 8 * kDay, {102, time * 2 + 1}, 1));
    }
    CHECK(history.rhythm.longest_gap() == Duration{3 * kDay});
  }
  SECTION("where nobody tells since when, the looks are what is known") {
    seen.cursor.connected_since_ms.reset();
    for (int week = 4; week < 7; ++week) observe(history, seen.at(kStart + week * 7 * kDay, {102, week}, 1));
    CHECK(history.rhythm.longest_gap() == Duration{7 * kDay});
  }
}

TEST_CASE("what the backlog quota takes away is no activity") {
  OneCursor seen;
  CursorHistory history;
  model::BacklogQuota quota;
  quota.bytes = 2400;
  quota.evicts_by_size = true;
  const auto poll = [&](TimeMs now, model::Position position, int consumers = 0) {
    history.observe(seen.topic, seen.at(now, position, consumers).cursor, {}, now, {0, quota});
  };
  seen.topic.cursors = {seen.cursor};
  poll(kStart, {101, 9});
  seen.topic.backlog_bytes = 2200;
  SECTION("the slowest, at the limit, with nobody there") {
    poll(kStart + kHour, {101, 29});
    CHECK_FALSE(history.activity);
    CHECK(history.eviction_moved_ms == kStart + kHour);
  }
  SECTION("far from the limit") {
    seen.topic.backlog_bytes = 1900;
    poll(kStart + kHour, {101, 29});
    CHECK(history.activity);
  }
  SECTION("another one is slower") {
    model::CursorView other;
    other.name = "other";
    other.mark_delete = model::Position{101, 3};
    seen.topic.cursors.push_back(other);
    poll(kStart + kHour, {101, 29});
    CHECK(history.activity);
  }
  SECTION("somebody is there") {
    poll(kStart + kHour, {101, 29}, 1);
    CHECK(history.activity);
  }
  SECTION("the policy holds producers instead") {
    quota.evicts_by_size = false;
    poll(kStart + kHour, {101, 29});
    CHECK(history.activity);
  }
  SECTION("by age: whole ledgers that are old enough") {
    quota = {};
    quota.seconds = 3600;
    quota.evicts_by_age = true;
    seen.topic.ledgers = model::Ledgers{
        {{101, 100, 1000, kStart - kHour, false}, {102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
    SECTION("passed") { poll(kStart + kHour, {101, 99}); }
    SECTION("spelt the other way") { poll(kStart + kHour, {102, -1}); }
    CHECK_FALSE(history.activity);
    CHECK(history.eviction_moved_ms == kStart + kHour);
  }
  SECTION("by age, but the ledger is young or only part of it was passed") {
    quota = {};
    quota.seconds = 3 * 3600;
    quota.evicts_by_age = true;
    seen.topic.ledgers = model::Ledgers{
        {{101, 100, 1000, kStart - kHour, false}, {102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
    SECTION("young") { poll(kStart + kHour, {101, 99}); }
    SECTION("part") {
      quota.seconds = 60;
      poll(kStart + kHour, {101, 50});
    }
    CHECK(history.activity);
  }
}

TEST_CASE("across a load under a TTL, what is too young for it was taken by somebody") {
  OneCursor seen;
  CursorHistory history;
  seen.topic.ledgers = model::Ledgers{
      {{101, 100, 1000, kStart - kMinute, false}, {102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
  const Drains drains{2 * 3600, {}};
  history.observe(seen.topic, seen.at(kStart, {101, 19}).cursor, {}, kStart, drains);
  ++seen.topic.epoch;
  history.observe(seen.topic, seen.at(kStart + kHour, {102, 5}).cursor, {}, kStart + kHour, drains);
  CHECK(history.activity);
}

TEST_CASE("a trail always has a look from a whole window ago") {
  Trail trail;
  const Duration window{10 * kMinute};
  CHECK_FALSE(trail.before(kStart));
  for (TimeMs at = kStart; at <= kStart + kHour; at += kMinute) {
    trail.add({at, at - kStart}, window);
    const auto look = trail.before(at - window.count());
    if (at - kStart < window.count()) {
      CHECK_FALSE(look);
    } else {
      REQUIRE(look.has_value());
      CHECK(at - look->at >= window.count());
      CHECK(at - look->at <= 2 * window.count());
    }
  }
  trail.clear();
  CHECK_FALSE(trail.newest());
}

TEST_CASE("rhythm: who is there for days has no pause of days") {
  history::Rhythm rhythm;
  const Duration merge{kHour};
  // Seen every five minutes, but for two times of two hours in which nobody looked.
  auto now = kStart;
  for (const auto length : {9 * kDay, 9 * kDay, kDay}) {
    for (const auto until = now + length; now < until; now += 5 * kMinute) rhythm.add(now, merge);
    now += 2 * kHour;
  }
  REQUIRE(rhythm.longest_gap());
  CHECK(*rhythm.longest_gap() <= Duration{2 * kHour + 5 * kMinute});
}

TEST_CASE("what an unloaded topic's last load took away under a TTL, no counter tells") {
  OneCursor seen;
  CursorHistory history;
  seen.cursor.expired_total = 5000;
  history.observe(seen.topic, seen.at(kStart, {101, 19}).cursor, {}, kStart, Drains{3600, {}});
  // Read from the metadata: statistics are those of before.
  seen.topic.loaded = model::Loaded::kNo;
  seen.at(kStart + kHour, {101, 49});
  seen.cursor.stats_at_ms = kStart;
  history.observe(seen.topic, seen.cursor, {}, kStart + kHour, Drains{3600, {}});
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + kHour);
}

TEST_CASE("an expired counter that fell belongs to a load, also to one that nobody noticed") {
  OneCursor seen;
  CursorHistory history;
  seen.cursor.expired_total = 13142;
  history.observe(seen.topic, seen.at(kStart, {101, 19}).cursor, {}, kStart, Drains{3600, {}});
  seen.cursor.expired_total = 30;
  history.observe(seen.topic, seen.at(kStart + kHour, {101, 49}).cursor, {}, kStart + kHour, Drains{3600, {}});
  CHECK_FALSE(history.activity);
  CHECK(history.expiry_moved_ms == kStart + kHour);
}
