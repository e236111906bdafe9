#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

struct Look {
  int minute;
  std::int64_t total, published;
  std::uint64_t epoch = 0;
};

struct GrowthBench : TopicBench {
  GrowthBench() {
    snapshot.interval = Duration{20 * kMinute};
    add("sub", {102, 9}).replicated = true;
  }

  std::vector<model::Finding> watch(const std::vector<Look>& looks) {
    model::Verdicts verdicts;
    for (const auto& look : looks) {
      topic.total_bytes = look.total;
      topic.bytes_in = look.published;
      topic.epoch = look.epoch;
      verdicts = poll(kStart + look.minute * kMinute);
    }
    return findings_of(verdicts, "growth_without_publishers");
  }
};

}  // namespace

TEST_CASE("storage that grows by more than was published") {
  struct Row {
    const char* why;
    std::vector<Look> looks;
    std::optional<std::int64_t> grown;
  };
  const std::vector<Row> rows{
      {"nobody publishes", {{0, 100, 0}, {60, 900, 0}}, 800},
      {"all that it grew by while it goes on", {{0, 100, 0}, {20, 300, 0}, {40, 500, 0}, {60, 900, 0}}, 800},
      {"published, with what was on its way", {{0, 1000, 0}, {60, 2100, 1000}}, {}},
      {"more than that", {{0, 1000, 0}, {60, 2200, 1000}}, 1200},
      {"one look", {{0, 900, 0}}, {}},
      {"not long enough", {{0, 100, 0}, {20, 900, 0}}, {}},
      {"loaded anew in between", {{0, 100, 50}, {60, 900, 0, 1}}, {}},
      {"a load that only the counter shows", {{0, 100, 50}, {60, 900, 0}}, {}},
      {"less than it was", {{0, 900, 0}, {60, 100, 0}}, {}},
      {"trimmed, then growing", {{0, 900, 0}, {20, 100, 0}, {50, 200, 0}}, 100},
      {"it grew once and stopped", {{0, 100, 0}, {40, 900, 0}, {80, 900, 0}}, {}},
      {"explained first, and then not", {{0, 0, 0}, {40, 1000, 1000}, {80, 1500, 1000}}, 500},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    GrowthBench bench;
    const auto found = bench.watch(row.looks);
    REQUIRE(found.empty() != row.grown.has_value());
    if (found.empty()) continue;
    CHECK(found[0].severity == model::Severity::kInfo);
    CHECK(fact<std::int64_t>(found[0], "grown_bytes") == *row.grown);
    CHECK(fact<std::string>(found[0], "replicated_subscriptions") == "sub");
  }
}

TEST_CASE("a system topic grows by what the broker writes") {
  GrowthBench bench;
  bench.topic.system = true;
  CHECK(bench.watch({{0, 100, 0}, {60, 900, 0}}).empty());
}
