#include "history/figures.h"

#include "history/history.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("figures are kept by name, forgotten with time, and bounded") {
  history::Tuning tuning;
  tuning.max_figures = 100;
  history::History history(tuning);
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
}

TEST_CASE("figures are bounded: who is new has no place, disks rather than topics, and who is unseen makes room") {
  const Duration window{kDay};
  history::Figures figures(100);
  const auto add = [&](const std::string& name, TimeMs at) { return figures.add(name, at, 1, window); };
  const auto add_topic = [&](std::size_t i, TimeMs at) {
    return figures.add("topic " + std::to_string(i), at, 1, window, history::Figures::Places::kMany);
  };
  for (std::size_t i = 0; i < 90; ++i) REQUIRE(add_topic(i, kStart + static_cast<TimeMs>(i)));
  CHECK_FALSE(add_topic(90, kStart));
  for (std::size_t i = 0; i < 10; ++i) REQUIRE(add("disk " + std::to_string(i), kStart + kDay));
  CHECK_FALSE(add("one more", kStart + kDay));
  CHECK(figures.take_refused() == 2);
  CHECK(figures.take_refused() == 0);
  CHECK(add("disk 3", kStart + 2 * kDay));

  // Nobody was refused since, and nobody goes; then three go, for three that were.
  figures.forget_unseen(kStart + 2 * kDay, 30 * window);
  CHECK(figures.size() == 100);
  for (std::size_t i = 0; i < 3; ++i) CHECK_FALSE(add("new " + std::to_string(i), kStart + 2 * kDay));
  figures.forget_unseen(kStart + 2 * kDay, 30 * window);
  CHECK(figures.size() == 97);
  CHECK(figures.find("topic 2") == nullptr);
  CHECK(figures.find("topic 3") != nullptr);
  for (std::size_t i = 0; i < 3; ++i) CHECK(add("new " + std::to_string(i), kStart + 2 * kDay));
}

TEST_CASE("figures go through bytes, one record each") {
  history::Figures figures(10);
  for (int i = 0; i < 500; ++i) {
    figures.add("disk", kStart + i * kMinute, i, Duration{kDay});
    figures.add("count", kStart + i * kMinute, 3, Duration{kDay});
  }
  history::Figures read(10);
  figures.each([&](std::string_view name, const history::Series& series) {
    std::string bytes;
    series.pack(bytes);
    history::Series back;
    REQUIRE(back.unpack(bytes));
    read.put(name, back);
  });
  CHECK(read == figures);
}
