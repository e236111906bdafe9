#include "detect/disks.h"
#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

constexpr int kSilent = 100;
constexpr int kNeverSeen = 101;
constexpr int kStarts = 102;

model::BookieView bookie(int number, int state) {
  model::BookieView view;
  view.name = "bookie-" + std::to_string(number) + ":8000";
  view.reachable = state != kSilent && state != kNeverSeen;
  view.status_since_ms = kStart - (state == kStarts ? kMinute : kHour);
  if (state == kSilent) view.status = 1;
  if (state == kStarts) view.status = -1;
  if (state <= 1) view.status = state;
  return view;
}

std::vector<model::Finding> judged(TopicBench& bench, const std::vector<int>& states,
                                   std::optional<std::int64_t> ensemble) {
  bench.snapshot.bookies.clear();
  for (const auto state : states) {
    bench.snapshot.bookies.push_back(bookie(static_cast<int>(bench.snapshot.bookies.size()), state));
  }
  bench.snapshot.cluster = "west";
  bench.snapshot.defaults.ensemble = ensemble;
  return findings_of(bench.poll(kStart), "writable_bookies_low");
}

}  // namespace

TEST_CASE("bookies that take writes against what a ledger needs") {
  const auto none = std::optional<model::Severity>();
  const auto warning = std::optional(model::Severity::kWarning);
  const auto critical = std::optional(model::Severity::kCritical);
  struct Row {
    const char* why;
    std::vector<int> states;
    std::optional<std::int64_t> ensemble;
    std::optional<model::Severity> severity;
  };
  const std::vector<Row> rows{
      {"all of a small cluster are needed always", {1, 1, 1}, 3, none},
      {"one read-only of three", {1, 1, 0}, 3, critical},
      {"one read-only of four: one more would", {1, 1, 1, 0}, 3, warning},
      {"one read-only of five", {1, 1, 1, 1, 0}, 3, none},
      {"one unregistered of three", {1, 1, -1}, 3, critical},
      {"one that starts, of three", {1, 1, kStarts}, 3, none},
      {"one is replaced, of four", {1, 1, 1, kSilent}, 3, none},
      {"metrics of no bookie can be read", {kNeverSeen, kNeverSeen, kNeverSeen}, 3, none},
      {"the configuration names one bookie of many", {1}, 3, none},
      {"the configuration names one bookie of many, and that is full", {0}, 3, none},
      {"how many a ledger needs is not known", {0, 0, 1}, {}, none},
      {"all are full, one is enough", {0, 0, 0}, 1, critical},
      {"no bookies are known", {}, 2, none},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    TopicBench bench;
    const auto found = judged(bench, row.states, row.ensemble);
    REQUIRE(found.size() == (row.severity ? 1 : 0));
    if (!row.severity) continue;
    CHECK(found[0].severity == *row.severity);
    CHECK(found[0].level == model::Level::kCluster);
    CHECK(found[0].subject == "west");
  }
}

TEST_CASE("the largest ensemble is some namespace's own") {
  TopicBench bench;
  bench.ns.ensemble = 4;
  const auto found = judged(bench, {1, 1, 1, 0}, 2);
  REQUIRE(found.size() == 1);
  CHECK(fact<std::int64_t>(found[0], "ensemble_size") == 4);
  CHECK(fact<std::int64_t>(found[0], "writable") == 3);
}

TEST_CASE("a topic that cannot begin a ledger says that writes fail, whatever the bookies say") {
  TopicBench bench;
  bench.topic.last_ledger_failed = true;
  const auto found = judged(bench, {}, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kCritical);
  CHECK(fact<std::int64_t>(found[0], "topics_without_ledger") == 1);
  bench.topic.loaded = model::Loaded::kNo;
  CHECK(judged(bench, {}, {}).empty());
}

TEST_CASE("with the next disk that is full writes fail") {
  TopicBench bench;
  for (int hour = 0; hour < 14 * 24; ++hour) {
    auto view = bookie(0, 1);
    view.dir_usage_ratio["_data"] = 0.5 + 0.025 * hour / 24;
    model::Snapshot snapshot;
    snapshot.at_ms = kStart - (14 * 24 - hour) * kHour;
    snapshot.bookies = {view};
    detect::observe_disks(snapshot, bench.limits, bench.history.figures());
  }
  bench.snapshot.bookies = {bookie(0, 1), bookie(1, 1), bookie(2, 1)};
  bench.snapshot.bookies[0].dir_usage_ratio["_data"] = 0.85;
  bench.snapshot.defaults.ensemble = 3;
  const auto verdicts = bench.poll(kStart);
  REQUIRE(findings_of(verdicts, "disk_full_forecast").size() == 1);
  const auto found = findings_of(verdicts, "writable_bookies_low");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(fact<std::int64_t>(found[0], "disks_will_be_full") == 1);
}
