// Mark-delete and ranges against what brokers printed, and the two places where a cursor is kept.

#include "sim/cursor.h"

#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'700'000'000'000;

struct Fixture {
  Fixture() {
    LedgerLimits twenty;
    twenty.max_entries = 20;
    twenty.min_rollover = Duration{0};
    ledger = std::make_unique<ManagedLedger>(storage, twenty, kStart);
    ledger->publish(100, 200, kStart, kStart + 60'000);
  }
  std::string printed(const Cursor& cursor) const {
    std::string text;
    for (const auto& r : cursor.printed(*ledger)) text += '(' + to_string(r.after) + ".." + to_string(r.through) + ']';
    return text;
  }
  Storage storage;
  std::unique_ptr<ManagedLedger> ledger;
  CursorLimits limits;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "ranges are cut at ledger borders") {
  // 04-ack-hole single: 3 unacknowledged entries in 2 holes of 100 entries are 6 ranges.
  Cursor cursor("workers", true, {1, -1}, 0, kStart);
  CHECK(cursor.ack(*ledger, 0, 7));
  CHECK_FALSE(cursor.ack(*ledger, 9, 15));
  CHECK_FALSE(cursor.ack(*ledger, 16, 100));
  CHECK(cursor.mark_delete() == Position{1, 6});
  CHECK(cursor.backlog(*ledger) == 3);
  CHECK(printed(cursor) == "(1:8..1:14](1:15..1:19](2:-1..2:19](3:-1..3:19](4:-1..4:19](5:-1..5:19]");

  SECTION("closing a hole joins what lies behind it") {
    CHECK(cursor.ack(*ledger, 7, 9));
    CHECK(cursor.mark_delete() == Position{1, 14});
    CHECK(cursor.ack(*ledger, 15, 16));
    CHECK(cursor.mark_delete() == Position{5, 19});
    CHECK(cursor.backlog(*ledger) == 0);
    CHECK(cursor.acked().empty());
  }
  SECTION("the next unacknowledged entries are found between the ranges") {
    const auto runs = cursor.next_unacked(*ledger, 10);
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].from == 7);
    CHECK(runs[0].to == 9);
    CHECK(runs[1].from == 15);
    CHECK(runs[1].to == 16);
  }
  SECTION("acknowledging twice counts once") {
    CHECK_FALSE(cursor.ack(*ledger, 9, 12));
    CHECK(cursor.backlog(*ledger) == 3);
    CHECK_FALSE(cursor.ack(*ledger, 0, 5));
  }
  SECTION("a reset forgets the ranges") {
    cursor.move({1, 2}, 3);
    CHECK(cursor.backlog(*ledger) == 97);
    CHECK(printed(cursor).empty());
  }
}

TEST_CASE_METHOD(Fixture, "the cursor ledger appears with the first write and rolls over") {
  Cursor cursor("sub", true, {1, -1}, 0, kStart);
  CHECK_FALSE(cursor.open());
  CHECK(cursor.cursor_ledger() == -1);
  cursor.ack(*ledger, 0, 10);
  cursor.persist(storage, limits, 1, kStart + 1000);
  // 15-unloaded: cursor ledger 93, last entry 1, Open; the node still says 37:-1.
  CHECK(cursor.open());
  CHECK(cursor.cursor_ledger_last_entry() == 1);
  CHECK(cursor.stored().cursors_ledger_id == cursor.cursor_ledger());
  CHECK(cursor.stored().mark_delete == Position{1, -1});
  CHECK(cursor.stored().version == 1);
  CHECK(cursor.ledger_switched_ms() == kStart);

  const auto first = cursor.cursor_ledger();
  cursor.persist(storage, limits, 1, kStart + 5 * 3'600'000);
  CHECK(cursor.cursor_ledger() > first);
  CHECK(cursor.cursor_ledger_last_entry() == 0);
  CHECK(cursor.ledger_switched_ms() == kStart + 5 * 3'600'000);
  CHECK(cursor.stored().mark_delete == Position{1, 9});
}

TEST_CASE_METHOD(Fixture, "a graceful unload stores the exact position, a crash does not") {
  Cursor cursor("sub", true, {1, -1}, 0, kStart);
  cursor.ack(*ledger, 0, 30);
  cursor.ack(*ledger, 40, 45);
  cursor.persist(storage, limits, 1, kStart + 1000);
  const auto own = cursor.cursor_ledger();
  SECTION("graceful") {
    cursor.close(*ledger, limits, kStart + 2000);
    CHECK(cursor.stored().cursors_ledger_id == -1);
    CHECK(cursor.stored().mark_delete == Position{2, 9});
    CHECK(cursor.stored().acked.size() == 1);
    CHECK(cursor.stored().modified_ms == kStart + 2000);
    cursor.load(kStart + 3000);
    CHECK(cursor.cursor_ledger() == -1);
  }
  SECTION("more ranges than the metadata takes") {
    limits.max_ranges_in_metadata = 0;
    cursor.close(*ledger, limits, kStart + 2000);
    CHECK(cursor.stored().cursors_ledger_id == own);
    CHECK(cursor.stored().acked.empty());
  }
  SECTION("crash: the load finds the position in the cursor ledger") {
    cursor.load(kStart + 3000);
    CHECK(cursor.stored().mark_delete == Position{1, -1});
    CHECK(cursor.mark_delete() == Position{2, 9});
    CHECK(cursor.cursor_ledger() == own);  // 21-unclean-after: NoLedger does not imply -1
  }
  CHECK((cursor.open() == (cursor.cursor_ledger_last_entry() >= 0)));
}
