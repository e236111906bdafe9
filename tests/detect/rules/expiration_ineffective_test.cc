#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

// A day of expiration, looks every hour. Nobody ever comes.
struct ExpirationBench : TopicBench {
  model::CursorView& cursor;

  explicit ExpirationBench(const char* version) : cursor(add("sub", {102, 9})) {
    snapshot.version = version;
    snapshot.interval = Duration{kHour};
    ns.expiration_minutes = 24 * 60;
  }
  ExpirationBench(const ExpirationBench&) = delete;
  ExpirationBench& operator=(const ExpirationBench&) = delete;

  void load(TimeMs at) {
    ++topic.epoch;
    topic.epoch_started_ms = at;
  }

  // The findings of `hours` later; loaded anew every `reload_every` hours, 0 = never.
  std::vector<model::Finding> watch(int hours, int reload_every = 0) {
    model::Verdicts verdicts;
    for (int hour = 0; hour <= hours; ++hour) {
      const auto now = kStart + hour * kHour;
      if (reload_every != 0 && hour % reload_every == 0) load(now);
      verdicts = poll(now);
    }
    return findings_of(verdicts, "expiration_ineffective");
  }
};

}  // namespace

TEST_CASE("a topic that is loaded more often than its subscriptions expire") {
  struct Row {
    const char* version;
    bool fires;
  };
  for (const auto& row : {Row{"2.10.5", false}, Row{"3.0.7", false}, Row{"3.2.4", true}, Row{"4.0.7", true},
                          Row{"4.2.4", true}, Row{"5.0.1", false}, Row{"", false}}) {
    INFO(row.version);
    ExpirationBench bench(row.version);
    const auto found = bench.watch(25, 5);
    REQUIRE(found.empty() != row.fires);
    if (found.empty()) continue;
    CHECK(found[0].severity == model::Severity::kWarning);
    CHECK(found[0].ns == "acme/shop");
    CHECK(fact<std::string>(found[0], "cause") == "reloaded");
    CHECK(fact<std::int64_t>(found[0], "reloads") == 5);
    CHECK(fact<std::int64_t>(found[0], "subscriptions") == 1);
    CHECK(fact<std::string>(found[0], "worst_cursor") == "sub");
  }
}

TEST_CASE("what expiration did not have the time for, or what nothing explains, is no finding") {
  CHECK(ExpirationBench("4.0.7").watch(24, 5).empty());  // and a check
  CHECK(ExpirationBench("4.0.7").watch(30).empty());     // never loaded anew: the broker will have its reasons
  ExpirationBench somebody("4.0.7");
  somebody.cursor.consumers = 1;
  CHECK(somebody.watch(30, 5).empty());
  ExpirationBench off("4.0.7");
  off.ns.expiration_minutes = 0;
  CHECK(off.watch(30, 5).empty());
  ExpirationBench kept("4.0.7");
  kept.cursor.properties["tidemark.keep"] = "yearly";
  CHECK(kept.watch(30, 5).empty());
  // The last load is longer ago than the expiration takes.
  ExpirationBench settled("4.0.7");
  settled.load(kStart - kHour);
  CHECK(settled.watch(30).empty());
}

TEST_CASE("the loads are counted from when somebody was there last") {
  ExpirationBench bench("4.0.7");
  bench.cursor.consumers = 1;
  CHECK(bench.watch(10, 2).empty());
  bench.cursor.consumers = 0;
  model::Verdicts verdicts;
  for (int hour = 11; hour <= 40; ++hour) {
    if (hour % 10 == 0) bench.load(kStart + hour * kHour);
    verdicts = bench.poll(kStart + hour * kHour);
  }
  const auto found = findings_of(verdicts, "expiration_ineffective");
  REQUIRE(found.size() == 1);
  CHECK(fact<std::int64_t>(found[0], "reloads") == 3);
}

TEST_CASE("unloaded topics and replicated subscriptions never expire, on any version") {
  for (const auto* version : {"2.10.5", "4.0.7", "5.0.1"}) {
    INFO(version);
    ExpirationBench unloaded(version);
    unloaded.topic.loaded = model::Loaded::kNo;
    auto found = unloaded.watch(25);
    REQUIRE(found.size() == 1);
    CHECK(fact<std::string>(found[0], "cause") == "unloaded");
    ExpirationBench replicated(version);
    replicated.cursor.replicated = true;
    found = replicated.watch(25);
    REQUIRE(found.size() == 1);
    CHECK(fact<std::string>(found[0], "cause") == "replicated");
  }
}
