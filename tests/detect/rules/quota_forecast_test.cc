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

namespace {

constexpr std::int64_t kQuotaDays = 7;

// One whose oldest message was written on day 0, in a ledger that was closed then, and who stands from day 1 on.
struct AgeBench {
  TopicBench bench;
  AgeBench() {
    bench.ns.quota = model::BacklogQuota{std::nullopt, false, kQuotaDays * 86400, false, false, true};
    bench.topic.loaded = model::Loaded::kYes;
    bench.topic.ledgers = model::Ledgers{
        {{101, 100, kGiB, kStart, false}, {102, 100, kGiB, kStart + kDay, false}, {103, 10, kGiB, {}, false}}};
    bench.topic.last_confirmed = model::Position{103, 9};
    auto& cursor = bench.add("orders", {101, 19});
    cursor.backlog_entries = 190;
    cursor.consumers = 1;
  }
  std::vector<model::Finding> on(double day) {
    bench.poll(kStart + kDay);
    return findings_of(bench.poll(kStart + static_cast<TimeMs>(day * kDay)), "quota_forecast");
  }
};

}  // namespace

TEST_CASE("a quota by age is reached while a subscription stands") {
  struct Row {
    const char* name;
    double day;
    int left;  // days until it is reached, rounded; -1: no finding
    std::function<void(AgeBench&)> make = [](auto&) {};
  };
  const std::vector<Row> rows{
      {"it stood for three days, and four are left", 3.9, -1},
      {"it stood for as long as is left", 4.1, 3},
      {"reached", 7.1, 0},
      {"the broker told of an older message", 3.8, 3,
       [](auto& b) {
         b.bench.ns.ttl_seconds = 30 * 86400;  // else nobody asks
         b.bench.topic.cursors[0].earliest_publish_ms = kStart - kDay / 2;
       }},
      {"it evicts", 7.1, -1, [](auto& b) { b.bench.ns.quota->evicts_by_age = true; }},
      {"no quota by age", 7.1, -1, [](auto& b) { b.bench.ns.quota->seconds.reset(); }},
      {"what waits is in the open ledger, and nothing tells how old it is", 7.1, -1,
       [](auto& b) { b.bench.topic.cursors[0].mark_delete = model::Position{103, 0}; }},
      {"nothing waits", 7.1, -1,
       [](auto& b) {
         b.bench.topic.cursors[0].mark_delete = model::Position{103, 9};
         b.bench.topic.cursors[0].backlog_entries = 0;
       }},
      {"a poll that does not tell whether it is loaded", 7.1, 0,
       [](auto& b) { b.bench.topic.loaded = model::Loaded::kUnknown; }},
      {"not loaded: nobody checks", 7.1, -1, [](auto& b) { b.bench.topic.loaded = model::Loaded::kNo; }},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    AgeBench bench;
    row.make(bench);
    const auto found = bench.on(row.day);
    REQUIRE(found.size() == (row.left >= 0 ? 1 : 0));
    if (row.left < 0) continue;
    CHECK(found[0].severity == model::Severity::kWarning);
    CHECK(fact<std::string>(found[0], "subscription") == "orders");
    CHECK(fact<bool>(found[0], "reached") == (row.left == 0));
    if (row.left > 0) {
      CHECK(std::lround(days_until(found[0], "reached_ms", bench.bench.snapshot.at_ms)) == row.left);
    }
  }
}

TEST_CASE("who moves is no forecast") {
  AgeBench moving;
  moving.bench.poll(kStart + 4 * kDay);
  moving.bench.topic.cursors[0].mark_delete = model::Position{101, 20};
  CHECK(findings_of(moving.bench.poll(kStart + 5 * kDay), "quota_forecast").empty());
}

TEST_CASE("who comes each week is waited for") {
  for (const bool comes : {true, false}) {
    AgeBench weekly;
    auto& bench = weekly.bench;
    const auto last = kStart + 21 * kDay;
    bench.topic.ledgers = model::Ledgers{{{101, 100, kGiB, last, false}, {102, 10, kGiB, {}, false}}};
    bench.topic.last_confirmed = model::Position{102, 9};
    bench.topic.cursors[0].consumers = 0;
    for (int visit = comes ? 0 : 3; visit <= 3; ++visit) {
      bench.topic.cursors[0].mark_delete = model::Position{101, 19 + visit};
      bench.poll(kStart + 7 * visit * kDay);
    }
    CHECK(findings_of(bench.poll(last + 4 * kDay), "quota_forecast").empty() == comes);
  }
}
