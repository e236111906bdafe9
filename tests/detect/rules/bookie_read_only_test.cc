#include "detect/rules/bookie_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

const model::Fact* fact_named(const model::Finding& finding, std::string_view key) {
  for (const auto& [name, value] : finding.evidence) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a bookie without writes is stuck when its disks are no reason any more") {
  struct Row {
    const char* why;
    std::map<std::string, double> usage;
    std::optional<int> writable;
    std::optional<double> threshold;
    bool stuck;
    model::Fact percent;
  };
  const std::vector<Row> rows{
      {"usage 0 is not known", {}, 0, {}, false, nullptr},
      {"nothing is known", {}, {}, {}, false, nullptr},
      {"full", {{"_a", 0.96}}, 0, {}, false, 96.0},
      {"emptied, and none of its directories is writable", {{"_a", 0.5}}, 0, {}, false, 50.0},
      {"emptied and writable", {{"_a", 0.5}}, 1, {}, true, 50.0},
      {"one of two is full, which may be reason enough", {{"_a", 0.5}, {"_b", 0.96}}, 1, {}, false, 96.0},
      {"above its own threshold", {{"_a", 0.875}}, 1, 0.75, false, 87.5},
      {"below its own threshold", {{"_a", 0.625}}, 1, 0.75, true, 62.5},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    auto view = bookie(0);
    view.dir_usage_ratio = row.usage;
    view.writable_dirs = row.writable;
    view.usage_threshold = row.threshold;
    const auto verdicts = judge_bookie(view);
    const auto found = findings_of(verdicts, "bookie_read_only");
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == model::Severity::kCritical);
    CHECK(found[0].level == model::Level::kBookie);
    CHECK(found[0].subject == "bookie-1:8000");
    CHECK(found[0].since_ms == kStart - kHour);
    CHECK(fact<bool>(found[0], "stuck") == row.stuck);
    REQUIRE(fact_named(found[0], "usage_percent") != nullptr);
    CHECK(*fact_named(found[0], "usage_percent") == row.percent);
    CHECK(findings_of(verdicts, "bookie_unregistered").empty());
  }
}

TEST_CASE("a bookie that answers nothing has not recovered") {
  auto view = bookie(0);
  view.reachable = false;
  const auto found = findings_of(judge_bookie(view), "bookie_read_only");
  REQUIRE(found.size() == 1);
  CHECK(fact<bool>(found[0], "answers") == false);
}

TEST_CASE("of what a bookie says of itself only 0 is read-only") {
  for (const auto status : {std::optional(1), std::optional(-1), std::optional<int>()}) {
    CHECK(findings_of(judge_bookie(bookie(status)), "bookie_read_only").empty());
  }
}
