#include "detect/rules/bookie_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("a bookie that clients do not know") {
  struct Row {
    const char* why;
    std::optional<int> status;
    bool answers;
    std::string summary;  // empty: no finding
  };
  const std::vector<Row> rows{
      {"says so itself", -1, true, "runs, and is not registered: clients do not know it"},
      {"silent, and another one does not list it", -1, false,
       "answers nothing, and is not registered any more: it is gone, or cut off"},
      {"writable", 1, true, ""},
      {"read-only", 0, true, ""},
      {"never told", std::nullopt, true, ""},
      {"silent, and nobody says that it is gone", 1, false, ""},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    auto view = bookie(row.status);
    view.reachable = row.answers;
    const auto found = findings_of(judge_bookie(view), "bookie_unregistered");
    REQUIRE(found.size() == (row.summary.empty() ? 0U : 1U));
    if (found.empty()) continue;
    CHECK(found[0].severity == model::Severity::kCritical);
    CHECK(found[0].level == model::Level::kBookie);
    CHECK(found[0].subject == "bookie-1:8000");
    CHECK(found[0].since_ms == kStart - kHour);
    CHECK(found[0].summary == row.summary);
    CHECK(fact<bool>(found[0], "answers") == row.answers);
  }
}

TEST_CASE("of one without a time it is not said since when") {
  auto view = bookie(-1);
  view.status_since_ms = 0;
  const auto found = findings_of(judge_bookie(view), "bookie_unregistered");
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].since_ms);
}
