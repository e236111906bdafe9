#include "detect/expiration.h"

#include "support/catch.h"

using namespace tidemark;
using detect::Absence;
using detect::Expiry;

namespace {

constexpr Duration kDay{86'400'000};

}  // namespace

TEST_CASE("what an expiration does to an absence") {
  struct Row {
    Absence absence;
    Expiry expiry;
  };
  const std::vector<Row> rows{
      {{std::nullopt, std::nullopt}, Expiry{}},        {{7 * kDay, std::nullopt}, Expiry{}},
      {{8 * kDay, std::nullopt}, Expiry{false, true}}, {{std::nullopt, 7 * kDay}, Expiry{}},
      {{std::nullopt, 8 * kDay}, Expiry{true, false}}, {{8 * kDay, 8 * kDay}, Expiry{true, true}},
      {{8 * kDay, 2 * kDay}, Expiry{false, true}},
  };
  for (const auto& row : rows) {
    CHECK(detect::under_expiration(row.absence, 7 * kDay) == row.expiry);
  }
}

TEST_CASE("who may come back too late") {
  CHECK(detect::may_come_back_too_late({2 * kDay, 8 * kDay}, 7 * kDay));
  CHECK(detect::may_come_back_too_late({2 * kDay, 5 * kDay}, 7 * kDay));        // by 7.5 days
  CHECK_FALSE(detect::may_come_back_too_late({2 * kDay, 4 * kDay}, 7 * kDay));  // by 6
  CHECK_FALSE(detect::may_come_back_too_late({9 * kDay, 5 * kDay}, 7 * kDay));  // late already: gone
  CHECK_FALSE(detect::may_come_back_too_late({std::nullopt, 8 * kDay}, 7 * kDay));
  CHECK_FALSE(detect::may_come_back_too_late({2 * kDay, std::nullopt}, 7 * kDay));
}
