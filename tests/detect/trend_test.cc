#include "detect/trend.h"

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

using Points = std::vector<history::Point>;

// `value(i)` every so many hours.
Points points_of(int count, int hours, const std::function<double(int)>& value) {
  Points points;
  for (int i = 0; i < count; ++i) points.push_back({kStart + i * hours * kHour, std::llround(value(i))});
  return points;
}

bool is_near(double value, double other, double within) { return std::abs(value - other) <= within; }

detect::TrendNeeds needs(double rise, double share = 0) {
  detect::TrendNeeds needs;
  needs.least_rise = rise;
  needs.least_share = share;
  return needs;
}

}  // namespace

// Worked out beforehand in exact fractions by another program: slopes a day and p of points six hours apart.
TEST_CASE("slopes, their range and the chance of known series") {
  struct Row {
    const char* name;
    int count;
    std::function<double(int)> value;
    double p, low, middle, high;
  };
  const std::vector<Row> rows{
      {"a line", 24, [](int i) { return 2 * i; }, 9.027667502436998e-12, 8, 8, 8},
      {"falls", 30, [](int i) { return 100 - i - (i * 29) % 7; }, 4.4431125445498765e-12, -4.769230769230769, -4,
       -3.6923076923076925},
      {"noise, with ties", 30, [](int i) { return (i * i * 7 + i * 3) % 17; }, 0.18919800987701496, -0.75, 0.6,
       2.1052631578947367},
      {"a slope too weak for its noise", 30, [](int i) { return (i * 37) % 41 + i / 2; }, 0.6685166224807093, -3.2,
       0.7272727272727273, 4},
      {"six plateaus", 36, [](int i) { return i / 6; }, 8.637535131583718e-14, 0.5714285714285714, 0.6559139784946236,
       0.6896551724137931},
      {"an odd number of pairs", 27, [](int i) { return (i * i) / 5 + (i % 3) * 4; }, 6.73772149184515e-12,
       16.727272727272727, 21, 25.333333333333332},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    const auto trend = detect::trend_of(points_of(row.count, 6, row.value), {});
    REQUIRE(trend.has_value());
    CHECK(is_near(trend->p, row.p, 1e-3 * row.p));
    CHECK(is_near(trend->per_day.low, row.low, 1e-9));
    CHECK(is_near(trend->per_day.middle, row.middle, 1e-9));
    CHECK(is_near(trend->per_day.high, row.high, 1e-9));
  }
}

TEST_CASE("what grows, and what only seems to") {
  const auto week = [](double hours) { return std::fmod(hours, 7 * 24) / (7 * 24); };
  const auto day = [](double hours) { return std::fmod(hours, 24) / 24; };
  struct Row {
    const char* name;
    int count, hours;
    std::function<double(int)> value;
    bool grows;
  };
  const std::vector<Row> rows{
      {"a line", 96, 3, [](int i) { return i; }, true},
      {"a line with a glitch at each end", 96, 3, [](int i) { return i == 0    ? 500
                                                                     : i == 95 ? 0
                                                                               : i; }, true},
      {"a line under waves of the day", 96, 3, [&](int i) { return i + 30 * day(i * 3); }, true},
      {"a leak of one a day", 96, 2, [](int i) { return 10 + (i + 5) / 12; }, true},
      {"each day more than the day before", 96, 3, [](int i) { return i * i / 90.0; }, true},
      {"flat", 96, 3, [](int) { return 40; }, false},
      {"falls", 96, 3, [](int i) { return 200 - i; }, false},
      {"rises less than is asked", 96, 3, [](int i) { return i / 24; }, false},
      {"saw-teeth of a week", 112, 3, [&](int i) { return 200 * week(i * 3); }, false},
      {"saw-teeth of a week from within one", 112, 3, [&](int i) { return 200 * week(i * 3 + 50); }, false},
      {"saw-teeth of a day", 96, 2, [&](int i) { return 200 * day(i * 2); }, false},
      {"a weekend, in the middle", 84, 2, [](int i) { return i > 30 && i < 54 ? 80 : 20; }, false},
      {"a weekend, at the end", 84, 2, [](int i) { return i >= 60 ? 80 : 20; }, false},
      {"one step, early", 96, 3, [](int i) { return i < 20 ? 10 : 90; }, false},
      {"one step, half way", 96, 3, [](int i) { return i < 48 ? 10 : 90; }, false},
      {"one step, late", 96, 3, [](int i) { return i < 80 ? 10 : 90; }, false},
      {"a burst that is over", 96, 3, [](int i) { return i > 60 && i < 70 ? 500 : 10; }, false},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    const auto trend = detect::trend_of(points_of(row.count, row.hours, row.value), needs(5));
    REQUIRE(trend.has_value());
    CHECK(trend->grows == row.grows);
  }
}

TEST_CASE("noise without a trend does not grow, whatever the dice") {
  std::mt19937_64 dice(7);
  int grow = 0;
  for (int run = 0; run < 200; ++run) {
    const auto points = points_of(96, 3, [&](int) { return static_cast<double>(dice() % 1000); });
    grow += detect::trend_of(points, needs(5))->grows ? 1 : 0;
  }
  CHECK(grow <= 4);  // one in a hundred, half of them falling
}

TEST_CASE("a trend is never vacuous") {
  const auto line = [](int count, int hours) { return points_of(count, hours, [](int i) { return i; }); };
  auto half_a_week = needs(5);
  half_a_week.least_span = Duration{84 * kHour};
  CHECK_FALSE(detect::trend_of({}, needs(0)).has_value());
  CHECK_FALSE(detect::trend_of(line(1, 6), needs(0)).has_value());
  CHECK_FALSE(detect::trend_of(line(23, 6), half_a_week).has_value());
  CHECK(detect::trend_of(line(24, 6), half_a_week).has_value());
  CHECK_FALSE(detect::trend_of(line(80, 1), half_a_week).has_value());
  CHECK(detect::trend_of(line(85, 1), half_a_week).has_value());
  const Points at_once(30, {kStart, 1});
  CHECK_FALSE(detect::trend_of(at_once, needs(0)).has_value());
}

TEST_CASE("the floor is a share of what there was") {
  const auto points = points_of(96, 1, [](int i) { return 100 + i / 4.0; });
  CHECK(detect::trend_of(points, needs(5, 0.2))->grows);
  CHECK(is_near(detect::trend_of(points, needs(5, 0.2))->start, 100, 1));
  CHECK_FALSE(detect::trend_of(points, needs(5, 0.3))->grows);
}
