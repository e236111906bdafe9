#include <algorithm>
#include <cmath>
#include <functional>

#include "detect/counts.h"
#include "detect/rules/rules.h"
#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

struct Counts {
  double idle = 0;
  double connected = 0;
};

model::CursorView cursor(const std::string& name, int consumers, TimeMs now) {
  model::CursorView cursor;
  cursor.name = name;
  cursor.consumers = consumers;
  cursor.consumers_at_ms = now;
  return cursor;
}

// A namespace with one topic, or its partitions, looked at each hour.
struct CountBench {
  history::Figures figures{20000};
  detect::Limits limits;
  model::Snapshot snapshot;
  int partitions = 0;

  void look(TimeMs now, const Counts& counts) {
    snapshot.at_ms = now;
    snapshot.topics.clear();
    const std::string name = "persistent://acme/shop/orders";
    if (partitions == 0) snapshot.topics = {topic(name, counts)};
    for (int i = 0; i < partitions; ++i) {
      snapshot.topics.push_back(topic(name + "-partition-" + std::to_string(i), counts));
    }
    detect::observe_counts(snapshot, limits, figures);
  }

  std::vector<model::Finding> found() const {
    model::Verdicts verdicts;
    verdicts.counts = detect::count_growths(snapshot, figures, limits);
    detect::rules::Findings found;
    const history::History history;
    detect::rules::subscription_count_growth({snapshot, verdicts, history, limits}, found);
    return found;
  }

  // The levels that grow after `days`.
  std::vector<model::Level> after(double days, const std::function<Counts(double day)>& counts) {
    for (double hour = 0; hour < 24 * days; ++hour) {
      look(kStart + static_cast<TimeMs>(hour) * kHour, counts(hour / 24));
    }
    std::vector<model::Level> levels;
    for (const auto& finding : found()) levels.push_back(finding.level);
    std::sort(levels.begin(), levels.end());
    return levels;
  }

  std::shared_ptr<const model::TopicView> topic(const std::string& name, const Counts& counts) const {
    auto view = std::make_shared<model::TopicView>();
    view->name = name;
    view->ns = "acme/shop";
    view->tenant = "acme";
    view->loaded = model::Loaded::kYes;
    for (int i = 0; i < std::lround(counts.idle); ++i) {
      view->cursors.push_back(cursor("left-" + std::to_string(i), 0, snapshot.at_ms));
    }
    for (int i = 0; i < std::lround(counts.connected); ++i) {
      view->cursors.push_back(cursor("live-" + std::to_string(i), 1, snapshot.at_ms));
    }
    return view;
  }
};

using model::Level;
const std::vector<Level> kAll{Level::kTopic, Level::kNamespace, Level::kTenant};
const std::vector<Level> kNone;

}  // namespace

TEST_CASE("subscriptions that are left behind, and healthy clusters") {
  struct Row {
    const char* name;
    double days;
    std::function<Counts(double)> counts;
    bool grows;
  };
  const auto weekend = [](double day) { return std::fmod(day, 7) >= 5; };
  const std::vector<Row> rows{
      {"two a day are left behind", 7, [](double day) { return Counts{10 + 2 * std::floor(day), 10}; }, true},
      {"each night's start of ten leaves ten", 8, [](double day) { return Counts{3 + 10 * std::floor(day), 10}; },
       true},
      {"one every few hours, among many", 7, [](double day) { return Counts{40 + 4 * day, 900}; }, true},
      {"less history than half the window", 3.4, [](double day) { return Counts{10 + 9 * day, 10}; }, false},
      {"a deploy replaces ten by ten, each day", 14,
       [](double day) { return Counts{3.0 + (std::fmod(day, 1) < 0.05 ? 10 : 0), 10}; }, false},
      {"one deploy left ten", 7, [](double day) { return Counts{day < 3 ? 5.0 : 15.0, 10}; }, false},
      {"they go home on weekends", 14, [&](double day) { return Counts{weekend(day) ? 60.0 : 10.0, 60}; }, false},
      {"the first days of a week", 9, [&](double day) { return Counts{weekend(day) ? 60.0 : 10.0, 60}; }, false},
      {"a growing fleet, a tenth of it away", 10, [](double day) { return Counts{10 + 2 * day, 90 + 18 * day}; },
       false},
      {"a leak beside a fleet that grows less", 10, [](double day) { return Counts{10 + 4 * day, 100 + 9 * day}; },
       true},
      {"four more among thirty", 7, [](double day) { return Counts{30 + 4 * day / 7, 10}; }, false},
      {"ten more among a thousand", 7, [](double day) { return Counts{1000 + 10 * day / 7, 10}; }, false},
      {"cleaned up", 7, [](double day) { return Counts{100 - 10 * day, 10}; }, false},
  };
  for (const auto& row : rows) {
    INFO(row.name);
    CHECK(CountBench{}.after(row.days, row.counts) == (row.grows ? kAll : kNone));
  }
}

TEST_CASE("partitions that are added are no growth of their namespace") {
  CountBench bench;
  for (int hour = 0; hour < 7 * 24; ++hour) {
    bench.partitions = 1 + hour / 12;
    bench.look(kStart + hour * kHour, {6, 6});
  }
  CHECK(bench.found().empty());
}

TEST_CASE("partitions count once, connected where one of them is") {
  CountBench bench;
  bench.partitions = 3;
  bench.look(kStart, {4, 2});
  REQUIRE(bench.figures.find("idle namespace acme/shop") != nullptr);
  CHECK(bench.figures.find("idle namespace acme/shop")->last_value() == 4);
  CHECK(bench.figures.find("connected tenant acme")->last_value() == 2);
  CHECK(bench.figures.find("idle topic persistent://acme/shop/orders-partition-1")->last_value() == 4);
}

TEST_CASE("an outage fills no window, though every consumer is gone") {
  const auto judged = [](const std::function<void(model::Snapshot&, bool)>& outage) {
    CountBench bench;
    for (int hour = 0; hour < 7 * 24; ++hour) {
      const bool out = hour % 12 >= 11 - hour / 20;  // ever longer
      outage(bench.snapshot, out);
      bench.look(kStart + hour * kHour, out ? Counts{110, 0} : Counts{10, 100});
    }
    return bench.figures.find("idle namespace acme/shop")->last_value();
  };
  const auto of_bookies = [](model::Snapshot& snapshot, bool out) {
    model::BookieView bookie;
    bookie.status = 1;
    bookie.reachable = !out;
    snapshot.bookies = {bookie};
  };
  const auto of_brokers = [](model::Snapshot& snapshot, bool out) {
    model::BrokerView broker;
    broker.reachable = true;
    broker.partial = out;
    snapshot.brokers = {broker};
  };
  CHECK(judged(of_bookies) == 10);
  CHECK(judged(of_brokers) == 10);
  CHECK(judged([](model::Snapshot&, bool) {}) == 110);  // they left
}

TEST_CASE("what is not known is not counted") {
  CountBench bench;
  bench.look(kStart, {8, 2});
  auto stale = std::make_shared<model::TopicView>(*bench.snapshot.topics[0]);
  bench.snapshot.at_ms = kStart + kHour;
  bench.snapshot.topics = {stale};  // consumers of an hour ago
  detect::observe_counts(bench.snapshot, bench.limits, bench.figures);
  CHECK(bench.figures.find("idle namespace acme/shop")->last_ms() == kStart);
  CHECK(bench.figures.find("idle topic persistent://acme/shop/orders")->last_ms() == kStart);
}

TEST_CASE("topics with few leftovers take no room") {
  CountBench bench;
  bench.look(kStart, {2, 50});
  CHECK(bench.figures.find("idle topic persistent://acme/shop/orders") == nullptr);
  CHECK(bench.figures.find("idle namespace acme/shop") != nullptr);
  CHECK(bench.figures.size() == 5);
}

TEST_CASE("how fast is a range") {
  CountBench bench;
  bench.after(7, [](double day) { return Counts{10 + 4 * day, 10}; });
  const auto found = bench.found();
  REQUIRE(found.size() == 3);
  for (const auto& finding : found) {
    CHECK(finding.severity == model::Severity::kWarning);
    const auto low = fact<double>(finding, "per_day_low").value_or(0);
    const auto high = fact<double>(finding, "per_day_high").value_or(0);
    CHECK(low > 3.5);
    CHECK(low <= 4.05);
    CHECK(high >= 3.95);
    CHECK(high < 4.5);
  }
}
