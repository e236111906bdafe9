#include "model/ledgers.h"

#include <limits>

#include "support/catch.h"

using namespace tidemark::model;

namespace {

Ledgers three() { return Ledgers{{{101, 100, 1000, {}, false}, {102, 50, 500, {}, false}, {105, 7, 70, {}, false}}}; }

}  // namespace

TEST_CASE("a place has one normalised spelling") {
  const auto ledgers = three();
  CHECK(ledgers.normalise({101, 19}) == Position{101, 19});
  CHECK(ledgers.normalise({101, 99}) == Position{102, -1});
  CHECK(ledgers.normalise({102, 49}) == Position{105, -1});
  // The last ledger has no successor to be spelled by.
  CHECK(ledgers.normalise({105, 6}) == Position{105, 6});
  // A used-up, deleted ledger stays in the mark-delete.
  CHECK(ledgers.normalise({100, 19}) == Position{101, -1});
  CHECK(ledgers.normalise({104, 3}) == Position{105, -1});
  CHECK(ledgers.normalise({200, 3}) == Position{200, 3});
  CHECK(Ledgers{}.normalise({1, 2}) == Position{1, 2});
}

TEST_CASE("an empty ledger in the middle is passed over") {
  const Ledgers ledgers{{{1, 10, 10, {}, false}, {2, 0, 0, {}, false}, {3, 5, 5, {}, false}}};
  CHECK(ledgers.normalise({1, 9}) == Position{3, -1});
}

TEST_CASE("any number of empty ledgers is passed over") {
  std::vector<Ledger> list;
  for (int id = 0; id < 300000; ++id) list.push_back({id, 0, 0, {}, false});
  CHECK(Ledgers{list}.normalise({0, -1}) == Position{299999, -1});
}

TEST_CASE("entries after a position") {
  const auto ledgers = three();
  CHECK(ledgers.entries_after({101, 19}) == 80 + 50 + 7);
  CHECK(ledgers.entries_after({101, 99}) == 57);
  CHECK(ledgers.entries_after({105, 6}) == 0);
  CHECK(ledgers.entries_after({99, 0}) == 157);
  const Ledgers unknown_tail{{{1, 10, 10, {}, false}, {2, {}, {}, {}, false}}};
  CHECK_FALSE(unknown_tail.entries_after({1, 3}));
}

TEST_CASE("a move over a border without an entry is no move") {
  const auto ledgers = three();
  CHECK(entries_between(ledgers, {101, 99}, true, {102, -1}) == 0);
  CHECK(entries_between(ledgers, {102, -1}, false, {101, 99}) == 0);
  CHECK(entries_between(ledgers, {101, 19}, false, {101, 20}) == 1);
  CHECK(entries_between(ledgers, {101, 99}, true, {102, 0}) == 1);
  CHECK(entries_between(ledgers, {101, 89}, false, {105, 1}) == 10 + 50 + 2);
  CHECK(entries_between(ledgers, {105, 1}, false, {101, 89}) == -62);
  // Through a ledger that was deleted since: at its end nothing was passed, before it at least one entry was.
  CHECK(entries_between(ledgers, {90, 19}, true, {101, -1}) == 0);
  CHECK(entries_between(ledgers, {90, 3}, false, {101, -1}) == 1);
}

TEST_CASE("a place before the first ledger and one behind the last") {
  const auto ledgers = three();
  CHECK(ledgers.normalise({-1, -2}) == Position{101, -1});
  CHECK(ledgers.normalise({-1, -1}) == Position{101, -1});
  CHECK(ledgers.entries_after({-1, -2}) == 157);
  CHECK(entries_between(ledgers, {-1, -2}, true, {101, -1}) == 0);
  CHECK(ledgers.normalise({106, -1}) == Position{106, -1});
  CHECK(ledgers.entries_after({106, 3}) == 0);
  CHECK(at_end_of_ledger(ledgers, {106, 3}));
}

TEST_CASE("figures that no ledger can have") {
  constexpr auto kHuge = std::numeric_limits<std::int64_t>::max();
  const Ledgers ledgers{{{1, kHuge, kHuge, {}, false}, {2, -5, -7, {}, false}, {3, kHuge, kHuge, {}, false}}};
  CHECK(ledgers.find(2)->entries == 0);
  CHECK(ledgers.find(2)->bytes == 0);
  CHECK(ledgers.entries_after({1, -1}) > std::int64_t{1} << 60);
  CHECK(entries_between(ledgers, {1, 0}, false, {3, std::int64_t{1} << 53}) > std::int64_t{1} << 53);
  CHECK(ledgers.normalise({2, 0}) == Position{3, -1});
}
