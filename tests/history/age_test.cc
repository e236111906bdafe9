#include "history/age.h"

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("the broker's clocks of this load bound the last activity") {
  OneCursor seen;
  seen.at(kStart, {101, 19});
  seen.cursor.flow_ms = kStart - 2 * kDay;
  seen.cursor.mark_delete_advanced_ms = kStart - kDay;
  const auto bounds = history::bounds_of_documents(seen.topic, seen.cursor);
  CHECK(bounds.latest == kStart - kDay);
  CHECK(bounds.latest_source == "lastMarkDeleteAdvancedTimestamp");
  CHECK(bounds.earliest == kStart - kDay);
}

TEST_CASE("a mark-delete that expiry moved says nothing of when somebody was there") {
  OneCursor seen;
  seen.at(kStart, {101, 19});
  seen.cursor.flow_ms = kStart - 9 * kDay;
  seen.cursor.mark_delete_advanced_ms = kStart - kDay;
  seen.cursor.expired_ms = kStart - kDay + 80;
  const auto bounds = history::bounds_of_documents(seen.topic, seen.cursor);
  CHECK(bounds.latest == kStart - kDay);
  CHECK(bounds.earliest == kStart - 9 * kDay);
}

TEST_CASE("with both clocks at zero the load's start bounds it, unless an admin may have moved the cursor") {
  OneCursor seen;
  seen.at(kStart, {101, 19});
  seen.topic.epoch_started_ms = kStart - 3 * kDay;
  SECTION("never moved") {
    seen.cursor.cursor_state = "NoLedger";
    CHECK(history::bounds_of_documents(seen.topic, seen.cursor).latest == kStart - 3 * kDay);
  }
  SECTION("one write, the subscription's own") {
    seen.cursor.cursor_ledger_last_entry = 1;
    CHECK(history::bounds_of_documents(seen.topic, seen.cursor).latest == kStart - 3 * kDay);
  }
  SECTION("written since") {
    seen.cursor.cursor_ledger_last_entry = 2;
    CHECK_FALSE(history::bounds_of_documents(seen.topic, seen.cursor).latest);
  }
}

TEST_CASE("a subscription younger than the load that nobody ever used is as old as itself") {
  OneCursor seen;
  seen.at(kStart, {101, -1});
  seen.topic.epoch_started_ms = kStart - 3 * kDay;
  seen.cursor.cursor_ledger_last_entry = 0;
  seen.cursor.ledger_switched_ms = kStart - kHour;
  seen.cursor.created_ms = kStart - kHour + 5;  // another clock tick, the same act
  const auto bounds = history::bounds_of_documents(seen.topic, seen.cursor);
  CHECK(bounds.latest == kStart - kHour + 5);
  CHECK(bounds.earliest == kStart - kHour + 5);
}

TEST_CASE("an unloaded topic: the cursor's node was written last when the topic was closed") {
  OneCursor seen;
  seen.topic.loaded = model::Loaded::kNo;
  seen.at(kStart, {101, 19});
  seen.cursor.stats_at_ms = 0;
  seen.cursor.modified_ms = kStart - 20 * kDay;
  seen.cursor.created_ms = kStart - 90 * kDay;
  auto bounds = history::bounds_of_documents(seen.topic, seen.cursor);
  CHECK(bounds.latest == kStart - 20 * kDay);
  CHECK(bounds.earliest == kStart - 90 * kDay);
  seen.cursor.cursor_ledger = 7;
  CHECK_FALSE(history::bounds_of_documents(seen.topic, seen.cursor).latest);
}

TEST_CASE("an unloaded topic whose broker was killed: a node that was never written again bounds nothing") {
  OneCursor seen;
  seen.topic.loaded = model::Loaded::kNo;
  seen.at(kStart, {101, -1});
  seen.cursor.stats_at_ms = 0;
  seen.cursor.modified_ms = seen.cursor.created_ms = kStart - 90 * kDay;
  const auto bounds = history::bounds_of_documents(seen.topic, seen.cursor);
  CHECK_FALSE(bounds.latest);
  CHECK(bounds.earliest == kStart - 90 * kDay);
}

TEST_CASE("an acknowledged entry is younger than the close of the ledger before its own") {
  OneCursor seen;
  seen.topic.ledgers = model::Ledgers{{{101, 100, 1000, kStart - 5 * kDay, false}, {102, 50, 500, {}, false}}};
  seen.at(kStart, {102, 3});
  CHECK(history::bounds_of_documents(seen.topic, seen.cursor).earliest == kStart - 5 * kDay);
  seen.at(kStart, {102, -1});
  CHECK_FALSE(history::bounds_of_documents(seen.topic, seen.cursor).earliest);
}

TEST_CASE("bounds outlive the load at which the broker forgets its clocks") {
  OneCursor seen;
  history::CursorHistory history;
  const auto poll = [&] {
    history.observe(seen.topic, seen.cursor, {}, seen.cursor.position_at_ms);
    history::keep_bounds(history, seen.topic, seen.cursor);
    return history::last_activity(history, seen.topic, seen.cursor);
  };
  seen.cursor.flow_ms = kStart - 9 * kDay;
  seen.at(kStart, {101, 19});
  CHECK(poll().latest == kStart - 9 * kDay);
  ++seen.topic.epoch;
  seen.topic.epoch_started_ms = kStart + kHour;
  seen.cursor.flow_ms.reset();
  seen.at(kStart + 2 * kHour, {101, 19});
  CHECK(poll().latest == kStart - 9 * kDay);
  // Until somebody comes.
  seen.at(kStart + 3 * kHour, {101, 19}, 1);
  CHECK(poll().latest == kStart + 3 * kHour);
}

TEST_CASE("without any document's bound our own first look is the bound, and what we saw happen is later than both") {
  OneCursor seen;
  history::CursorHistory history;
  seen.cursor.cursor_ledger_last_entry = 9;
  seen.at(kStart, {101, 19});
  history.observe(seen.topic, seen.cursor, {}, kStart);
  CHECK(history::last_activity(history, seen.topic, seen.cursor).latest == kStart);
  seen.cursor.mark_delete_advanced_ms = kStart - 9 * kDay;  // an admin's reset moves no clock
  seen.at(kStart + kHour, {101, 30});
  history.observe(seen.topic, seen.cursor, {}, kStart + kHour);
  const auto after = history::last_activity(history, seen.topic, seen.cursor);
  CHECK(after.latest == kStart + kHour);
  CHECK(after.earliest == kStart);
}

TEST_CASE("a place younger than the clocks was reached by an admin, and the clocks bound nothing") {
  OneCursor seen;
  seen.topic.ledgers = model::Ledgers{{{101, 100, 1000, kStart - kMinute, false}, {102, 50, 500, {}, false}}};
  seen.at(kStart, {102, 3});
  seen.cursor.mark_delete_advanced_ms = kStart - 9 * kDay;
  const auto bounds = history::bounds_of_documents(seen.topic, seen.cursor);
  CHECK_FALSE(bounds.latest);
  CHECK(bounds.earliest == kStart - kMinute);
}
