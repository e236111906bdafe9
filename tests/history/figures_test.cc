#include "history/figures.h"

#include "history/history.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("figures are kept by name, forgotten with time, and bounded") {
  history::History history;
  auto& figures = history.figures();
  const Duration window{kDay};
  CHECK(figures.find("a") == nullptr);
  REQUIRE(figures.add("a", kStart, 1, window));
  REQUIRE(figures.add("a", kStart + kHour, 1, window));
  REQUIRE(figures.add("b", kStart + kDay, 5, window));
  REQUIRE(figures.find("a") != nullptr);
  CHECK(figures.find("a")->points().size() == 1);
  const auto before = figures.bytes();
  CHECK(before > 0);
  history.forget_unseen(kStart + kHour + 30 * kDay + 1);
  CHECK(figures.find("a") == nullptr);
  CHECK(figures.find("b") != nullptr);
  CHECK(figures.bytes() < before);
  for (std::size_t i = 0; figures.size() < history::Figures::kMost; ++i) {
    figures.add(std::to_string(i), kStart + kDay, 1, window);
  }
  CHECK_FALSE(figures.add("one more", kStart + kDay, 1, window));
  CHECK(figures.refused() == 1);
  CHECK(figures.add("b", kStart + 2 * kDay, 6, window));
}

TEST_CASE("figures go through bytes, one record each") {
  history::Figures figures;
  for (int i = 0; i < 500; ++i) {
    figures.add("disk", kStart + i * kMinute, i, Duration{kDay});
    figures.add("count", kStart + i * kMinute, 3, Duration{kDay});
  }
  history::Figures read;
  figures.each([&](std::string_view name, const history::Series& series) {
    std::string bytes;
    series.pack(bytes);
    history::Series back;
    REQUIRE(back.unpack(bytes));
    read.put(name, back);
  });
  CHECK(read == figures);
}
