#include "history/series.h"

#include <random>

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using history::Series;

namespace {

constexpr Duration kWindow{Series::kSlots * kHour};  // slots of an hour
constexpr TimeMs kFullHour = kStart / kHour * kHour;

}  // namespace

TEST_CASE("a slot holds the mean over time, however often it was looked at") {
  Series series;
  series.add(kFullHour, 10, kWindow);
  series.add(kFullHour + 45 * kMinute, 50, kWindow);
  for (int i = 1; i < 15; ++i) series.add(kFullHour + (45 + i) * kMinute, 50, kWindow);
  series.add(kFullHour + kHour, 70, kWindow);
  const auto points = series.points();
  REQUIRE(points.size() == 1);
  CHECK(points[0] == history::Point{kFullHour + 30 * kMinute, 20});
}

TEST_CASE("what nobody looked at is no point") {
  Series series;
  series.add(kFullHour, 10, kWindow);
  series.add(kFullHour + 10 * kHour, 30, kWindow);
  series.add(kFullHour + 11 * kHour, 30, kWindow);
  const auto points = series.points();
  REQUIRE(points.size() == 2);
  CHECK(points[0] == history::Point{kFullHour + 30 * kMinute, 10});
  CHECK(points[1] == history::Point{kFullHour + 10 * kHour + 30 * kMinute, 30});
}

TEST_CASE("looks of the past change nothing") {
  Series series;
  series.add(kFullHour + kHour, 10, kWindow);
  auto same = series;
  same.add(kFullHour + kHour, 99, kWindow);
  same.add(kFullHour, 99, kWindow);
  CHECK(same == series);
}

TEST_CASE("a window of polls is a bounded number of points, and of one value a single run") {
  Series flat;
  Series moving;
  for (TimeMs at = kFullHour; at <= kFullHour + 10 * kWindow.count(); at += kMinute) {
    flat.add(at, 7, kWindow);
    moving.add(at, (at - kFullHour) / kMinute, kWindow);
  }
  CHECK(flat.is_flat());
  CHECK_FALSE(moving.is_flat());
  CHECK(flat.bytes() <= 64);
  CHECK(moving.bytes() <= 256 * 24);
  const auto now = kFullHour + 10 * kWindow.count();
  for (const auto* series : {&flat, &moving}) {
    const auto points = series->points();
    CHECK(points.size() == Series::kSlots);
    CHECK(points.front().at >= now - kWindow.count());
    CHECK(points.back().at > now - kHour);
    for (std::size_t i = 1; i < points.size(); ++i) CHECK(points[i].at - points[i - 1].at == kHour);
  }
  CHECK(flat.points().front().value == 7);
  CHECK(moving.points().back().value - moving.points().front().value == (Series::kSlots - 1) * 60);
}

TEST_CASE("packed and unpacked it is the same and goes on the same") {
  std::mt19937_64 dice(3);
  Series series;
  TimeMs at = kFullHour;
  for (int i = 0; i < 4000; ++i) {
    at += static_cast<TimeMs>(dice() % (dice() % 50 == 0 ? 9 * kHour : 3 * kMinute));
    const auto value = static_cast<std::int64_t>(dice() % (dice() % 2 == 0 ? 3 : 100000)) - 10;
    series.add(at, value, kWindow);
    if (i % 40 != 0) continue;
    std::string bytes;
    series.pack(bytes);
    CHECK(bytes.size() < 3000);
    Series read;
    REQUIRE(read.unpack(bytes));
    CHECK(read == series);
    series = read;
  }
}

TEST_CASE("damaged bytes are an empty series, never a wrong one that does not end") {
  std::mt19937_64 dice(5);
  Series series;
  for (int i = 0; i < 300; ++i) series.add(kFullHour + i * 20 * kMinute, i % 7, kWindow);
  std::string whole;
  series.pack(whole);
  for (int i = 0; i < 3000; ++i) {
    auto bytes = whole;
    if (i % 2 == 0) bytes.resize(dice() % bytes.size());
    for (std::size_t n = dice() % 4; n > 0 && !bytes.empty(); --n) {
      bytes[dice() % bytes.size()] = static_cast<char>(dice());
    }
    Series read;
    if (!read.unpack(bytes)) CHECK(read == Series{});
    CHECK(read.points().size() < 2000);
    read.add(kFullHour + 400 * kHour, 1, kWindow);
  }
}
