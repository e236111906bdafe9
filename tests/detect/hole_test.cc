#include "detect/hole.h"

#include "support/catch.h"

using namespace tidemark;
using model::AckRange;
using model::Ledgers;
using model::Position;

namespace {

Ledgers three() {
  return Ledgers{{{100, 20, 2000, {}, false}, {101, 100, 10000, {}, false}, {102, 10, 1000, {}, false}}};
}

}  // namespace

TEST_CASE("one hole in front of everything else, however the ranges are cut") {
  const std::vector<std::vector<AckRange>> spellings{
      {{{100, 19}, {102, 9}}},
      {{{100, 19}, {101, 49}}, {{101, 49}, {101, 99}}, {{102, -1}, {102, 9}}},
      {{{102, -1}, {102, 9}}, {{101, -1}, {101, 99}}},
  };
  for (const auto& ranges : spellings) {
    const auto hole = detect::find_hole(three(), {100, 14}, ranges);
    REQUIRE(hole.has_value());
    CHECK(hole->first == Position{100, 15});
    CHECK(hole->last == Position{100, 19});
    CHECK(hole->entries == 5);
    CHECK(hole->holes == 1);
    CHECK(hole->acked_entries_behind == 110);
  }
}

TEST_CASE("several holes are counted and summed, what nobody acknowledged at the end is none") {
  // 2 open, 3 acknowledged, 1 open, 2 acknowledged, the rest waits.
  const auto hole = detect::find_hole(three(), {100, 3}, {{{100, 5}, {100, 8}}, {{100, 9}, {100, 11}}});
  REQUIRE(hole.has_value());
  CHECK(hole->holes == 2);
  CHECK(hole->entries == 3);
  CHECK(hole->acked_entries_behind == 5);
  CHECK(hole->last == Position{100, 5});
}

TEST_CASE("a hole over a ledger border is one hole") {
  const auto hole = detect::find_hole(three(), {100, 17}, {{{101, 1}, {101, 9}}});
  REQUIRE(hole.has_value());
  CHECK(hole->holes == 1);
  CHECK(hole->first == Position{100, 18});
  CHECK(hole->last == Position{101, 1});
  CHECK(hole->entries == 4);
}

TEST_CASE("no acknowledged entry behind the mark-delete: no hole") {
  CHECK_FALSE(detect::find_hole(three(), {100, 14}, {}));
  CHECK_FALSE(detect::find_hole(three(), {101, 50}, {{{100, 3}, {100, 9}}}));
  // Joined to the mark-delete itself.
  CHECK_FALSE(detect::find_hole(three(), {100, 14}, {{{100, 14}, {100, 18}}}));
  CHECK_NOTHROW(detect::find_hole(Ledgers{}, {1, 1}, {{{1, 3}, {1, 5}}}));
}

TEST_CASE("a mark-delete in a ledger that is gone") {
  const auto hole = detect::find_hole(three(), {90, 7}, {{{100, 4}, {100, 9}}});
  REQUIRE(hole.has_value());
  CHECK(hole->first == Position{100, 0});
  CHECK(hole->entries == 5);
}
