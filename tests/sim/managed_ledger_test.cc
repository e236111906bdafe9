// Rollover, interpolation and the trim walk, on tables small enough to check by hand. Figures marked with a case were
// answered by real brokers.

#include "sim/managed_ledger.h"

#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'700'000'000'000;
constexpr TimeMs kMinute = 60'000;
constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;

LedgerLimits twenty_entries() {
  LedgerLimits limits;
  limits.max_entries = 20;
  limits.min_rollover = Duration{0};
  return limits;
}

std::vector<std::int64_t> ids(const ManagedLedger& ledger) {
  std::vector<std::int64_t> list;
  for (const auto& one : ledger.ledgers()) list.push_back(one.id);
  return list;
}

ManagedLedger::Bound bound_at(const ManagedLedger& ledger, Position mark_delete) {
  return {ledger.index_of(mark_delete), mark_delete.ledger_id};
}

const RetentionPolicy kNoRetention{0, 0};

}  // namespace

TEST_CASE("a full ledger is replaced at once") {
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(40, 100, kStart, kStart + kMinute);
  // 3.0.7 18-boundary: the last ledger is the new, empty one.
  CHECK(ids(ledger) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(ledger.last().entries == 0);
  CHECK(ledger.last_confirmed() == Position{2, 19});
  CHECK(ledger.end_index() == 40);
  CHECK(ledger.total_bytes() == 4000);
  CHECK(ledger.ledgers()[0].closed_ms == kStart + kMinute / 2);
}

TEST_CASE("no rollover by entries before the least time, none by time without entries") {
  Storage storage;
  LedgerLimits limits = twenty_entries();
  limits.min_rollover = Duration{10 * kMinute};
  ManagedLedger ledger(storage, limits, kStart);
  ledger.publish(50, 100, kStart, kStart + kMinute);
  CHECK(ledger.ledgers().size() == 1);
  ledger.publish(1, 100, kStart + 11 * kMinute, kStart + 12 * kMinute);
  CHECK(ledger.ledgers().size() == 2);
  CHECK(ledger.ledgers()[0].entries == 50);
  CHECK(ledger.last().entries == 1);

  const TimeMs later = kStart + 12 * kMinute + 300 * kMinute;
  CHECK(ledger.roll_if_old(later));
  CHECK(ledger.last().entries == 0);
  CHECK_FALSE(ledger.roll_if_old(later + 300 * kMinute));
}

TEST_CASE("rollover by size") {
  Storage storage;
  LedgerLimits limits = twenty_entries();
  limits.max_bytes = 1000;
  ManagedLedger ledger(storage, limits, kStart);
  ledger.publish(7, 300, kStart, kStart + kMinute);
  CHECK(ledger.ledgers()[0].entries == 4);  // the entry that crosses the limit still fits
  CHECK(ledger.last().entries == 3);
}

TEST_CASE("bytes behind a position use the broker's integer division") {
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  // 15-unloaded with-backlog: [37: 20/5089, 65: 20/4764, 79: 10/2282], mark-delete 37:9 -> backlogSize 9595.
  // Sizes that do not divide: 19 entries of 254 and one more of 263.
  ledger.publish(19, 254, kStart, kStart + 1);
  ledger.publish(1, 263, kStart + 1, kStart + 2);
  ledger.publish(19, 238, kStart + 2, kStart + 3);
  ledger.publish(1, 242, kStart + 3, kStart + 4);
  ledger.publish(9, 228, kStart + 4, kStart + 5);
  ledger.publish(1, 230, kStart + 5, kStart + 6);
  REQUIRE(ledger.ledgers()[0].bytes == 5089);
  REQUIRE(ledger.ledgers()[1].bytes == 4764);
  REQUIRE(ledger.last().bytes == 2282);
  CHECK(ledger.total_bytes() == 12135);
  CHECK(ledger.bytes_after({1, 9}) == 9595);
  CHECK(ledger.bytes_after({1, -1}) == 12135);
  CHECK(ledger.bytes_after({1, 19}) == 4764 + 2282);
  CHECK(ledger.bytes_after({3, 9}) == 0);
}

TEST_CASE("what a trim deletes") {
  struct Row {
    const char* what;
    std::optional<Position> slowest;
    BoundaryRule rule;
    std::vector<std::int64_t> left;
  };
  const auto row = GENERATE(
      Row{"behind everything", Position{1, -1}, BoundaryRule::kNextLedger, {1, 2, 3, 4}},
      Row{"inside the second", Position{2, 4}, BoundaryRule::kNextLedger, {2, 3, 4}},
      Row{"last entry of the second, 3.0+: used up at once", Position{2, 19}, BoundaryRule::kNextLedger, {3, 4}},
      Row{"last entry of the second, 2.x: still pinned", Position{2, 19}, BoundaryRule::kOwnLedger, {2, 3, 4}},
      Row{"a deleted ledger means the first listed one", Position{0, 7}, BoundaryRule::kNextLedger, {1, 2, 3, 4}},
      Row{"caught up", Position{4, 9}, BoundaryRule::kNextLedger, {4}},
      Row{"no durable cursor", std::nullopt, BoundaryRule::kNextLedger, {4}});
  INFO(row.what);
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(70, 100, kStart, kStart + kMinute);
  REQUIRE(ids(ledger) == std::vector<std::int64_t>{1, 2, 3, 4});
  std::optional<ManagedLedger::Bound> bound;
  if (row.slowest) bound = bound_at(ledger, *row.slowest);
  ledger.trim(bound, kNoRetention, row.rule, kStart + 2 * kMinute);
  CHECK(ids(ledger) == row.left);
  CHECK(storage.deleted_bytes == static_cast<std::int64_t>(4 - row.left.size()) * 2000);
}

TEST_CASE("retention keeps the oldest ledgers, by size or by time, whichever lets go first") {
  struct Row {
    RetentionPolicy retention;
    TimeMs after;  // the publishing
    std::size_t left;
  };
  // Five closed ledgers of 20 x 20 KiB = 400 KiB and an open one of 200 KiB: 2200 KiB in all.
  const auto row = GENERATE(Row{{0, 0}, 1, 1},                // at once
                            Row{{-1, -1}, 900 * kMinute, 6},  // never
                            Row{{-1, 1}, kMinute, 4},         // 2200 -> 1800 -> 1400, and not below 1024
                            Row{{60, 1}, kMinute, 4},         // size lets go before time does
                            Row{{60, 1}, 70 * kMinute, 1},    // time lets go of the rest
                            Row{{1, -1}, kMinute / 2, 6},     // too young
                            Row{{1, -1}, 2 * kMinute, 1}, Row{{0, 10}, kMinute, 1});  // a zero of time keeps nothing
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(110, 20 * 1024, kStart, kStart + 1000);
  REQUIRE(ledger.ledgers().size() == 6);
  ledger.trim(std::nullopt, row.retention, BoundaryRule::kNextLedger, kStart + 1000 + row.after);
  CAPTURE(row.retention.minutes, row.retention.megabytes, row.after);
  CHECK(ledger.ledgers().size() == row.left);
  if (row.left == 4) CHECK(ledger.total_bytes() >= kMegabyte);
}

TEST_CASE("a load closes the last ledger, drops it when empty, and keeps naming the last entry") {
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(50, 100, kStart, kStart + kMinute);
  ledger.load(kStart + 5 * kMinute);
  CHECK(ids(ledger) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(ledger.ledgers()[2].closed_ms == kStart + 5 * kMinute);
  CHECK(ledger.last_confirmed() == Position{3, 9});
  CHECK(ledger.added_since_load() == 0);

  // Caught up: everything goes, 138:9 is still the last confirmed entry (15-unloaded caught-up).
  ledger.trim(bound_at(ledger, {3, 9}), kNoRetention, BoundaryRule::kNextLedger, kStart + 6 * kMinute);
  CHECK(ids(ledger) == std::vector<std::int64_t>{4});
  CHECK(ledger.last_confirmed() == Position{3, 9});
  CHECK(ledger.end_index() == 50);

  // Loaded again while empty: a new ledger, and nothing confirmed in it (18-boundary end-of-closed).
  ledger.load(kStart + 7 * kMinute);
  CHECK(ids(ledger) == std::vector<std::int64_t>{5});
  CHECK(ledger.last_confirmed() == Position{5, -1});
  CHECK(ledger.end_index() == 50);
  ledger.publish(1, 100, kStart + 7 * kMinute, kStart + 8 * kMinute);
  CHECK(ledger.end_index() == 51);
  CHECK(ledger.index_of({5, 0}) == 51);
}

TEST_CASE("positions and indexes are each other's inverse") {
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(50, 100, kStart, kStart + kMinute);
  CHECK(ledger.position_at(0) == Position{1, -1});
  CHECK(ledger.position_at(20) == Position{1, 19});
  CHECK(ledger.position_at(21) == Position{2, 0});
  for (std::int64_t i = 0; i <= 50; ++i) CHECK(ledger.index_of(ledger.position_at(i)) == i);
  CHECK(ledger.read_position_at(20) == Position{2, 0});
  CHECK(ledger.read_position_at(50) == Position{3, 10});
  CHECK(ledger.index_of({99, 0}) == 50);
}

TEST_CASE("publish times are spread over a ledger") {
  Storage storage;
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(40, 100, kStart, kStart + 40'000);
  CHECK(ledger.published_ms(0) == kStart + 1000);
  CHECK(ledger.published_ms(25) == kStart + 26'000);
  CHECK(ledger.index_published_until(kStart) == 0);
  CHECK(ledger.index_published_until(kStart + 1000) == 1);
  CHECK(ledger.index_published_until(kStart + 20'000) == 20);
  CHECK(ledger.index_published_until(kStart + 26'500) == 26);
  CHECK(ledger.index_published_until(kStart + 90'000) == 40);
}

TEST_CASE("ledgers lie on as many bookies as the quorum says, and leave them when deleted") {
  Storage storage({1, 1, 1}, 2);
  ManagedLedger ledger(storage, twenty_entries(), kStart);
  ledger.publish(200, 100, kStart, kStart + kMinute);
  std::int64_t written = 0;
  for (const auto& bookie : storage.on_bookie) {
    CHECK(bookie.written > 0);
    written += bookie.written;
  }
  CHECK(written == 2 * 20'000);
  ledger.trim(std::nullopt, kNoRetention, BoundaryRule::kNextLedger, kStart + kMinute);
  for (const auto& bookie : storage.on_bookie) CHECK(bookie.written == bookie.deleted);

  SECTION("a read-only bookie gets no new ledger") {
    storage.set_writable(1, false);
    for (std::int64_t id = 100; id < 150; ++id) CHECK(storage.place(id) == 0b101U);
  }
}
