#include "trim/reclaim.h"

#include "support/catch.h"
#include "trim/pins.h"
#include "trim/share.h"

using namespace tidemark;
using model::Ledgers;
using model::Retention;
using testing::share_of;
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
  return {&ledgers(), std::move(durable), keep, 600000, {}};
}

}  // namespace

TEST_CASE("only the slowest cursor frees anything, up to the next one's ledger") {
  const auto t = topic({{1, 3}, {3, 5}, {5, 4}});
  CHECK(share_of(t, 0).bytes == 2 * kMb);
  CHECK(share_of(t, 1).bytes == 0);
  CHECK(share_of(t, 2).bytes == 0);
  CHECK(share_of(t, 0).shared_with.empty());
}

TEST_CASE("the last cursor of a topic frees all closed ledgers and never the open one") {
  CHECK(share_of(topic({{1, 3}}), 0).bytes == 4 * kMb);
  CHECK(share_of(topic({{5, 2}}), 0).bytes == 0);
}

TEST_CASE("one after the other they free in all what they free together") {
  using Figures = std::vector<std::optional<std::int64_t>>;
  const auto t = topic({{1, 3}, {3, 5}, {1, 7}, {5, 4}});
  CHECK(trim::freed_in_order(t, {0, 2, 1}) == Figures{0, 2 * kMb, 2 * kMb});
  CHECK(trim::freed_in_order(t, {1, 0, 2}) == Figures{0, 0, 4 * kMb});
  CHECK(trim::freed_in_order(t, {0, 1, 2, 3}) == Figures{0, 0, 4 * kMb, 0});
  CHECK(trim::reclaimable_together(t, {0, 1, 2}) == 4 * kMb);
  CHECK(trim::freed_in_order(topic({{1, 3}}, std::nullopt), {0}) == Figures{std::nullopt});
  CHECK(trim::freed_in_order(t, {}).empty());
}

TEST_CASE("cursors with the same bound are tied and share the figure") {
  // 1:9 is the last entry of ledger 1, which is (2:-1).
  const auto t = topic({{1, 9}, {2, 4}, {5, 4}});
  CHECK(share_of(t, 0).bytes == 3 * kMb);
  CHECK(share_of(t, 0).shared_with == std::vector<std::size_t>{1});
  CHECK(share_of(t, 1).bytes == 3 * kMb);
}

TEST_CASE("on 2.x a cursor on the last entry of a closed ledger still pins it") {
  auto t = topic({{1, 9}, {2, 4}});
  t.habits.boundary_pins = true;
  CHECK(share_of(t, 0).bytes == kMb);
}

TEST_CASE("retention keeps what it keeps") {
  // 4.5 MB in all; a limit of 2 MB lets go while what remains after a deletion is still 2 MB or more.
  CHECK(share_of(topic({{1, 3}}, Retention{-1, 2}), 0).bytes == 2 * kMb);
  CHECK(share_of(topic({{1, 3}}, Retention{-1, -1}), 0).bytes == 0);
  // By time: at 600 s ledgers closed more than 9 minutes (540 s) ago go: all four.
  CHECK(share_of(topic({{1, 3}}, Retention{9, -1}), 0).bytes == 4 * kMb);
  CHECK(share_of(topic({{1, 3}}, Retention{10, -1}), 0).bytes == 0);
  // Unknown retention: no figure rather than a guess, unless there is nothing it could keep.
  CHECK_FALSE(share_of(topic({{1, 3}}, std::nullopt), 0).bytes);
  const Ledgers only_open{{{229, 51, 5100, {}, false}}};
  const Topic t{&only_open, {{229, 49}, {229, 50}}, std::nullopt, 600000, {}};
  CHECK(share_of(t, 0).bytes == 0);
}

TEST_CASE("a close time that nobody told leaves the figure empty under a time rule") {
  const Ledgers untold{{{1, 10, kMb, {}, false}, {2, 1, 10, {}, false}}};
  Topic t{&untold, {{1, 3}}, Retention{9, -1}, 600000, {}};
  CHECK_FALSE(share_of(t, 0).bytes);
  t.retention = Retention{0, 0};
  CHECK(share_of(t, 0).bytes == kMb);
}

TEST_CASE("several cursors removed together") {
  const auto t = topic({{1, 3}, {3, 5}, {5, 4}});
  CHECK(trim::reclaimable_together(t, {0, 1}) == 4 * kMb);
  CHECK(trim::reclaimable_together(t, {1}) == 0);
  CHECK(trim::reclaimable_together(t, {}) == 0);
}

TEST_CASE("on disks every ledger counts as often as it is written, an offloaded one once") {
  const Ledgers mixed{{{1, 10, kMb, 1000, true}, {2, 10, kMb, 2000, false}, {3, 1, 10, {}, false}}};
  const Topic t{&mixed, {{1, 3}}, Retention{0, 0}, 600000, {}};
  CHECK(trim::reclaimable_together(t, {0}) == 2 * kMb);
  CHECK(trim::reclaimable_together(t, {0}, 3) == 4 * kMb);
}

TEST_CASE("an untold size of the last ledger may let one more go") {
  const Ledgers unloaded{{{1, 10, 2 * kMb, 1000, false}, {2, 10, 2 * kMb, 2000, false}, {3, {}, {}, {}, false}}};
  Topic t{&unloaded, {{1, 3}}, Retention{-1, 2}, 600000, {}};
  CHECK_FALSE(share_of(t, 0).bytes);  // the first goes; the second would with 2 MB in the last
  t.retention = Retention{-1, -1};
  CHECK(share_of(t, 0).bytes == 0);
  t.retention = Retention{0, 0};
  CHECK(share_of(t, 0).bytes == 4 * kMb);
}

TEST_CASE("a removal loads an unloaded topic, which closes its last ledger") {
  auto t = topic({{1, 3}, {5, 1}, {5, 4}});
  CHECK(trim::reclaimable_together(t, {0, 1}) == 4 * kMb);
  t.unloaded = true;
  CHECK(share_of(t, 0).bytes == 4 * kMb);
  CHECK(share_of(t, 1).shared_with.empty());
  CHECK(trim::reclaimable_together(t, {0, 1}) == 4 * kMb + kMb / 2);  // the one at its end goes on behind it
  CHECK(trim::reclaimable_together(t, {0, 1, 2}) == 4 * kMb + kMb / 2);
  CHECK(trim::unpinned(t).let_go == 0);
  CHECK(trim::unpinned(topic({{5, 4}})).last == kMb / 2);
  SECTION("its age counts anew") {
    t.retention = Retention{1, -1};
    CHECK(trim::reclaimable_together(t, {0, 1}) == 4 * kMb);
    t.retention = Retention{1, 0};
    CHECK(trim::reclaimable_together(t, {0, 1}) == 4 * kMb + kMb / 2);
  }
  SECTION("nobody needs any of it") {
    t.durable = {{5, 4}};
    CHECK(trim::unpinned(t).let_go == 4 * kMb + kMb / 2);
    CHECK(trim::unpinned(t).last == 0);
    CHECK(share_of(t, 0).bytes == 0);
  }
  SECTION("2.x let go of a border at the load") {
    t.habits = trim::habits_of("2.10.5");
    t.durable = {{1, 9}, {2, 4}};
    CHECK(share_of(t, 0).shared_with == std::vector<std::size_t>{1});
    CHECK(trim::unpinned(t).boundary == 0);
  }
  SECTION("an untold size is left out") {
    const Ledgers untold{{{1, 10, kMb, 1000, false}, {2, {}, {}, {}, false}}};
    t.ledgers = &untold;
    t.durable = {{1, 3}};
    CHECK(share_of(t, 0).bytes == kMb);
  }
}

TEST_CASE("bytes that nobody pins, by what keeps them") {
  const auto free = trim::unpinned(topic({{3, 5}}));
  CHECK(free.let_go == 2 * kMb);
  CHECK(free.waiting == std::vector<std::int64_t>{1, 2});
  CHECK(free.retained == 0);
  CHECK(trim::unpinned(topic({{3, 5}}, Retention{-1, 4})).retained == 2 * kMb);
  CHECK(trim::unpinned(topic({{3, 5}}, Retention{9, -1})).let_go == 2 * kMb);
  CHECK(trim::unpinned(topic({{3, 5}}, std::nullopt)).let_go == 0);
  CHECK(trim::unpinned(topic({{5, 4}})).last == kMb / 2);
  CHECK(trim::unpinned(topic({{5, 3}})).last == 0);
  CHECK(trim::unpinned(topic({{5, 4}, {4, 2}})).last == 0);
  CHECK(trim::unpinned(topic({})).let_go == 4 * kMb);
  CHECK(trim::unpinned(topic({})).last == kMb / 2);
}

TEST_CASE("on 2.x a position on the last entry keeps a used-up ledger") {
  auto t = topic({{2, 9}, {4, 3}});
  CHECK(trim::unpinned(t).boundary == 0);
  CHECK(trim::unpinned(t).let_go == 2 * kMb);
  t.habits = trim::habits_of("2.10.5");
  CHECK(trim::unpinned(t).boundary == kMb);
  CHECK(trim::unpinned(t).let_go == kMb);
  t.retention.reset();
  CHECK(trim::unpinned(t).boundary == kMb);
  t.retention = Retention{-1, -1};
  CHECK(trim::unpinned(t).boundary == 0);
  CHECK(trim::unpinned(t).retained == 2 * kMb);
}

TEST_CASE("what differs by version") {
  CHECK(trim::habits_of("2.8.2").boundary_pins);
  CHECK_FALSE(trim::habits_of("3.0.0").boundary_pins);
  CHECK_FALSE(trim::habits_of("").boundary_pins);
  CHECK(trim::habits_of("2.8.1").readers_pin);
  CHECK_FALSE(trim::habits_of("2.8.2").readers_pin);
  CHECK(trim::habits_of("2.8.0").compares_whole_size);
  CHECK_FALSE(trim::habits_of("2.8.1").compares_whole_size);
  for (const auto* skips : {"2.8.1", "2.9.0", "2.10.5", "2.11.2", "3.0.1", "3.1.3"})
    CHECK(trim::habits_of(skips).skips_retained);
  for (const auto* stops : {"2.8.0", "2.10.6", "2.11.3", "3.0.2", "3.2.0", "4.0.7", "5.0.1"}) {
    CHECK_FALSE(trim::habits_of(stops).skips_retained);
  }
}

TEST_CASE("a ledger that retention keeps ends the walk, or not, by version") {
  // The first one was closed last, as after a load that closed it anew.
  const Ledgers odd{{{1, 10, kMb, 590000, false}, {2, 10, kMb, 2000, false}, {3, 1, 10, {}, false}}};
  Topic t{&odd, {}, Retention{1, -1}, 600000, {}};
  CHECK(trim::unpinned(t).let_go == 0);
  CHECK(trim::unpinned(t).retained == 2 * kMb);
  t.habits = trim::habits_of("2.10.5");
  CHECK(trim::unpinned(t).let_go == kMb);
  CHECK(trim::unpinned(t).retained == kMb);
}

TEST_CASE("2.8.0 deletes everything once the whole is above the limit") {
  auto t = topic({{5, 4}}, Retention{-1, 4});
  CHECK(trim::unpinned(t).let_go == 0);
  t.habits = trim::habits_of("2.8.0");
  CHECK(trim::unpinned(t).let_go == 4 * kMb);
  t.retention = Retention{-1, 5};
  CHECK(trim::unpinned(t).let_go == 0);
}

TEST_CASE("limits of retention that overflow as bytes or milliseconds keep everything") {
  constexpr auto kHuge = std::int64_t{1} << 53;
  CHECK(share_of(topic({{1, 3}}, Retention{-1, kHuge}), 0).bytes == 0);
  CHECK(share_of(topic({{1, 3}}, Retention{kHuge, -1}), 0).bytes == 0);
}

TEST_CASE("a cursor before the first ledger holds all, one behind the last holds nothing") {
  CHECK(share_of(topic({{-1, -2}, {5, 4}}), 0).bytes == 4 * kMb);
  CHECK(share_of(topic({{9, 2}, {5, 4}}), 0).bytes == 0);
  CHECK(share_of(topic({{9, 2}, {5, 4}}), 1).bytes == 0);
  CHECK(trim::pinned(ledgers(), {-1, -2}).bytes == 4 * kMb + kMb / 2);
  CHECK(trim::pinned(ledgers(), {9, 2}).bytes == 0);
  CHECK(trim::pins_something(ledgers(), {9, 2}) == false);
}
