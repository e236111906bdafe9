#include <cmath>
#include <functional>

#include "detect/quotas.h"
#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

using OfDay = std::function<double(double day)>;

constexpr std::int64_t kGiB = 1LL << 30;

struct QuotaBench {
  TopicBench bench;
  TimeMs now = 0;

  QuotaBench() {
    bench.ns.quota = model::BacklogQuota{100 * kGiB, false, std::nullopt, false, true, false};
    bench.topic.loaded = model::Loaded::kYes;
    bench.add("orders", {101, 19});
  }

  void look(double day, double gib) {
    bench.topic.total_bytes = 200 * kGiB;
    bench.topic.backlog_bytes = std::llround(gib * static_cast<double>(kGiB));
    now = kStart + static_cast<TimeMs>(day * kDay);
    bench.snapshot.at_ms = now;
    bench.snapshot.topics = {std::make_shared<model::TopicView>(bench.topic)};
    bench.snapshot.namespaces[bench.topic.ns] = bench.ns;
    detect::observe_quotas(bench.snapshot, bench.limits, bench.history.figures());
  }

  std::vector<model::Finding> after(double days, const OfDay& backlog) {
    for (double day = 0; day < days; day += 1.0 / 24) look(day, backlog(day));
    return findings_of(bench.poll(now + 1), "quota_forecast");
  }
};

double days_until(const model::Finding& finding, const char* key, TimeMs now) {
  return static_cast<double>(fact<std::int64_t>(finding, key).value_or(0) - now) / static_cast<double>(kDay);
}

}  // namespace

TEST_CASE("a quota that will hold or fail producers, and those that will not") {
  struct Row {
    const char* name;
    double days;
    OfDay backlog;  // GiB of 100
    bool found;
    std::function<void(QuotaBench&)> make = [](auto&) {};
  };
  const std::vector<Row> rows{
      {"full in six days", 8, [](double day) { return 20 + 7 * day; }, true},
      {"under waves of the day", 8, [](double day) { return 20 + 7 * day + 5 * std::sin(day * 6.28); }, true},
      {"reached", 0.2, [](double) { return 101; }, true},
      {"further away than was watched", 8, [](double day) { return 20 + 4 * day; }, false},
      {"two days of it", 2, [](double day) { return 40 + 20 * day; }, false},
      {"a queue as it should be", 8, [](double day) { return 60 + 20 * std::sin(day * 6.28); }, false},
      {"a job of each week", 15, [](double day) { return 80 * std::fmod(day, 7) / 7; }, false},
      {"a burst that is worked off", 8, [](double day) { return day < 4 ? 10 : 90 - 15 * (day - 4); }, false},
      {"came to rest", 12, [](double day) { return std::min(70.0, 20 + 12 * day); }, false},
      {"next to nothing", 8, [](double day) { return day / 4; }, false},
      {"it evicts", 8, [](double day) { return 20 + 7 * day; }, false,
       [](auto& b) { b.bench.ns.quota->evicts_by_size = true; }},
      {"no quota", 8, [](double day) { return 20 + 7 * day; }, false, [](auto& b) { b.bench.ns.quota->bytes.reset(); }},
      {"policies were not read", 8, [](double day) { return 20 + 7 * day; }, false,
       [](auto& b) { b.bench.ns.policies_known = false; }},
      {"left to brokers that do not tell", 8, [](double day) { return 20 + 7 * day; }, false,
       [](auto& b) { b.bench.ns.quota.reset(); }},
      {"not loaded", 8, [](double day) { return 20 + 7 * day; }, false,
       [](auto& b) { b.bench.topic.loaded = model::Loaded::kNo; }},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    QuotaBench bench;
    row.make(bench);
    const auto found = bench.after(row.days, row.backlog);
    REQUIRE(found.size() == (row.found ? 1 : 0));
    if (!row.found) continue;
    CHECK(found[0].severity == model::Severity::kWarning);
    CHECK(found[0].level == model::Level::kTopic);
    CHECK(found[0].topic == bench.bench.topic.name);
  }
}

TEST_CASE("the range of a forecast, and where the quota is from") {
  QuotaBench bench;
  bench.bench.snapshot.defaults.quota = bench.bench.ns.quota;
  bench.bench.ns.quota.reset();
  const auto found = bench.after(8, [](double day) { return 20 + 7 * day + 2 * std::sin(day * 6.28); });
  REQUIRE(found.size() == 1);
  CHECK(fact<std::string>(found[0], "limit_source") == "broker");
  CHECK(fact<std::int64_t>(found[0], "limit_bytes") == 100 * kGiB);
  CHECK(std::abs(days_until(found[0], "reached_ms", bench.now) - 24.0 / 7) < 0.7);
  CHECK(days_until(found[0], "reached_earliest_ms", bench.now) < days_until(found[0], "reached_ms", bench.now));
  CHECK(days_until(found[0], "reached_ms", bench.now) < days_until(found[0], "reached_latest_ms", bench.now));
}

TEST_CASE("while brokers are missing no backlog is taken, and none is forgotten") {
  QuotaBench bench;
  for (double day = 0; day < 8; day += 1.0 / 24) bench.look(day, 20 + 7 * day);
  bench.bench.snapshot.brokers = {{"broker-0:8080", false, true, "timed out", 0}};
  for (double day = 8; day < 8.5; day += 1.0 / 24) bench.look(day, 1);
  CHECK(findings_of(bench.bench.poll(bench.now + 1), "quota_forecast").size() == 1);
}

TEST_CASE("an exception silences it") {
  QuotaBench bench;
  bench.bench.limits.exceptions = {{bench.bench.topic.name, {"a queue that is let fill", {}}}};
  const auto found = bench.after(8, [](double day) { return 20 + 7 * day; });
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kInfo);
}
