#include "trim/reclaim.h"

#include "support/catch.h"
#include "trim/pins.h"

using namespace tidemark;
using model::Ledgers;
using model::Retention;
using trim::Topic;

namespace {

constexpr std::int64_t kMb = 1048576;

// Five ledgers of one megabyte, the last one open and half full.
const Ledgers& ledgers() {
  static const Ledgers five{{{1, 10, kMb, 1000, false},
                             {2, 10, kMb, 2000, false},
                             {3, 10, kMb, 3000, false},
                             {4, 10, kMb, 4000, false},
                             {5, 5, kMb / 2, {}, false}}};
  return five;
}

Topic topic(std::vector<model::Position> durable, std::optional<Retention> keep = Retention{0, 0}) {
  return {&ledgers(), std::move(durable), keep, 600000, false};
}

}  // namespace

TEST_CASE("only the slowest cursor frees anything, up to the next one's ledger") {
  const auto t = topic({{1, 3}, {3, 5}, {5, 4}});
  CHECK(trim::reclaimable(t, 0).bytes == 2 * kMb);
  CHECK(trim::reclaimable(t, 1).bytes == 0);
  CHECK(trim::reclaimable(t, 2).bytes == 0);
  CHECK(trim::reclaimable(t, 0).shared_with.empty());
}

TEST_CASE("the last cursor of a topic frees all closed ledgers and never the open one") {
  CHECK(trim::reclaimable(topic({{1, 3}}), 0).bytes == 4 * kMb);
  CHECK(trim::reclaimable(topic({{5, 2}}), 0).bytes == 0);
}

TEST_CASE("cursors with the same bound are tied and share the figure") {
  // 1:9 is the last entry of ledger 1, which is (2:-1).
  const auto t = topic({{1, 9}, {2, 4}, {5, 4}});
  CHECK(trim::reclaimable(t, 0).bytes == 3 * kMb);
  CHECK(trim::reclaimable(t, 0).shared_with == std::vector<std::size_t>{1});
  CHECK(trim::reclaimable(t, 1).bytes == 3 * kMb);
}

TEST_CASE("on 2.x a cursor on the last entry of a closed ledger still pins it") {
  auto t = topic({{1, 9}, {2, 4}});
  t.boundary_pins = true;
  CHECK(trim::reclaimable(t, 0).bytes == kMb);
}

TEST_CASE("retention keeps what it keeps") {
  // 4.5 MB in all; a limit of 2 MB lets go while what remains after a deletion is still 2 MB or more.
  CHECK(trim::reclaimable(topic({{1, 3}}, Retention{-1, 2}), 0).bytes == 2 * kMb);
  CHECK(trim::reclaimable(topic({{1, 3}}, Retention{-1, -1}), 0).bytes == 0);
  // By time: at 600 s ledgers closed more than 9 minutes (540 s) ago go: all four.
  CHECK(trim::reclaimable(topic({{1, 3}}, Retention{9, -1}), 0).bytes == 4 * kMb);
  CHECK(trim::reclaimable(topic({{1, 3}}, Retention{10, -1}), 0).bytes == 0);
  // Unknown retention: no figure rather than a guess, unless there is nothing it could keep.
  CHECK_FALSE(trim::reclaimable(topic({{1, 3}}, std::nullopt), 0).bytes);
  const Ledgers only_open{{{229, 51, 5100, {}, false}}};
  const Topic t{&only_open, {{229, 49}, {229, 50}}, std::nullopt, 600000, false};
  CHECK(trim::reclaimable(t, 0).bytes == 0);
}

TEST_CASE("a close time that nobody told leaves the figure empty under a time rule") {
  const Ledgers untold{{{1, 10, kMb, {}, false}, {2, 1, 10, {}, false}}};
  Topic t{&untold, {{1, 3}}, Retention{9, -1}, 600000, false};
  CHECK_FALSE(trim::reclaimable(t, 0).bytes);
  t.retention = Retention{0, 0};
  CHECK(trim::reclaimable(t, 0).bytes == kMb);
}

TEST_CASE("several cursors removed together") {
  const auto t = topic({{1, 3}, {3, 5}, {5, 4}});
  CHECK(trim::reclaimable_together(t, {0, 1}) == 4 * kMb);
  CHECK(trim::reclaimable_together(t, {1}) == 0);
  CHECK(trim::reclaimable_together(t, {}) == 0);
}

TEST_CASE("bytes that nobody pins") {
  CHECK(trim::unpinned_closed_bytes(topic({{3, 5}})) == 2 * kMb);
  CHECK(trim::unpinned_open_bytes(topic({{5, 4}})) == kMb / 2);
  CHECK(trim::unpinned_open_bytes(topic({{5, 3}})) == 0);
  CHECK(trim::unpinned_open_bytes(topic({{5, 4}, {4, 2}})) == 0);
}

TEST_CASE("limits of retention that overflow as bytes or milliseconds keep everything") {
  constexpr auto kHuge = std::int64_t{1} << 53;
  CHECK(trim::reclaimable(topic({{1, 3}}, Retention{-1, kHuge}), 0).bytes == 0);
  CHECK(trim::reclaimable(topic({{1, 3}}, Retention{kHuge, -1}), 0).bytes == 0);
}

TEST_CASE("a cursor before the first ledger holds all, one behind the last holds nothing") {
  CHECK(trim::reclaimable(topic({{-1, -2}, {5, 4}}), 0).bytes == 4 * kMb);
  CHECK(trim::reclaimable(topic({{9, 2}, {5, 4}}), 0).bytes == 0);
  CHECK(trim::reclaimable(topic({{9, 2}, {5, 4}}), 1).bytes == 0);
  CHECK(trim::pinned(ledgers(), {-1, -2}).bytes == 4 * kMb + kMb / 2);
  CHECK(trim::pinned(ledgers(), {9, 2}).bytes == 0);
  CHECK(trim::pins_something(ledgers(), {9, 2}) == false);
}
