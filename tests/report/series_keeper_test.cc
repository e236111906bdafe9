#include "report/series_keeper.h"

#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::State;

namespace {

constexpr TimeMs kHour = 3'600'000;

model::CursorVerdict cursor(const std::string& name, std::int64_t reclaimable, State state = State::kAbandoned) {
  auto verdict = report_samples::cursor("persistent://t/n/" + name, name, state);
  verdict.topic_reclaimable_bytes = reclaimable;
  return verdict;
}

std::string names(const SeriesKeeper::Selection& selection) {
  std::string text;
  for (const auto* verdict : selection.cursors) text += verdict->cursor;
  return text;
}

}  // namespace

TEST_CASE("the worst have series, the rest is counted") {
  SeriesKeeper keeper;
  model::Verdicts verdicts;
  auto reader = cursor("r", 90);
  reader.kind = model::CursorKind::kReader;
  verdicts.cursors = {
      cursor("a", 1), cursor("b", 30), cursor("c", 20), cursor("o", 99, State::kOk), cursor("u", 99, State::kUnknown),
      reader};
  const auto selection = keeper.select(verdicts, 2, 0);
  CHECK(names(selection) == "bc");
  CHECK(selection.suppressed == 1);
  CHECK(names(keeper.select(verdicts, 0, 100 * kHour)).empty());
}

TEST_CASE("one that entered stays for a day, also when it is well again") {
  SeriesKeeper keeper;
  model::Verdicts verdicts;
  verdicts.cursors = {cursor("a", 10), cursor("b", 5)};
  CHECK(names(keeper.select(verdicts, 1, 0)) == "a");

  verdicts.cursors = {cursor("a", 10), cursor("b", 20)};
  CHECK(names(keeper.select(verdicts, 1, kHour)) == "ab");
  verdicts.cursors[0].state = State::kOk;
  const auto later = keeper.select(verdicts, 1, 23 * kHour);
  CHECK(names(later) == "ab");
  CHECK(later.suppressed == 0);
  CHECK(names(keeper.select(verdicts, 1, 24 * kHour)) == "b");
  CHECK(names(keeper.select(verdicts, 1, 25 * kHour)) == "b");
}

TEST_CASE("what was kept never takes the place of something worse, and is bounded") {
  SeriesKeeper keeper;
  model::Verdicts verdicts;
  // Each poll another one is the worst.
  for (int worst = 0; worst < 6; ++worst) {
    verdicts.cursors.clear();
    for (int i = 0; i < 6; ++i) verdicts.cursors.push_back(cursor(std::to_string(i), i == worst ? 100 : 1));
    const auto chosen = names(keeper.select(verdicts, 1, worst * kHour));
    INFO(chosen);
    CHECK(chosen.find(std::to_string(worst)) != std::string::npos);
    CHECK(chosen.size() == (worst == 0 ? 1U : 2U));
    if (worst > 0) CHECK(chosen.find(std::to_string(worst - 1)) != std::string::npos);
  }
}

TEST_CASE("a removed cursor is forgotten") {
  SeriesKeeper keeper;
  model::Verdicts verdicts;
  verdicts.cursors = {cursor("a", 10)};
  CHECK(names(keeper.select(verdicts, 1, 0)) == "a");
  verdicts.cursors = {cursor("b", 10)};
  CHECK(names(keeper.select(verdicts, 1, kHour)) == "b");
  verdicts.cursors = {cursor("a", 1), cursor("b", 10)};
  CHECK(names(keeper.select(verdicts, 1, 2 * kHour)) == "b");
}
