#include <functional>

#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

// Made `apart` from each other, by a group whose instances have generated names.
TopicBench burst_of(int count, TimeMs apart) {
  TopicBench bench;
  for (int i = 0; i < count; ++i) {
    bench.add("orders-7f9c4d5b6-x2x4" + std::string(1, "bcdfghjk"[i]), {101, -1}).created_ms = kStart + i * apart;
  }
  return bench;
}

// Polled each hour from the burst on; `connected(hour)` while clients are there.
std::vector<model::Finding> after(TopicBench& bench, int hours, const std::function<bool(int)>& connected) {
  model::Verdicts verdicts;
  for (int hour = 1; hour <= hours; ++hour) {
    for (auto& cursor : bench.topic.cursors) cursor.consumers = connected(hour) ? 1 : 0;
    verdicts = bench.poll(kStart + hour * kHour);
  }
  return findings_of(verdicts, "creation_burst");
}

bool never(int) { return false; }

}  // namespace

TEST_CASE("a burst of subscriptions that nobody uses is told after a day") {
  auto bench = burst_of(6, kMinute);
  CHECK(after(bench, 20, never).empty());
  const auto found = after(bench, 27, never);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(found[0].since_ms == kStart);
  CHECK(fact<std::int64_t>(found[0], "subscriptions") == 6);
  CHECK(fact<std::int64_t>(found[0], "last_created_ms") == kStart + 5 * kMinute);
}

TEST_CASE("what is no burst of leftovers") {
  auto few = burst_of(4, kMinute);
  CHECK(after(few, 40, never).empty());
  auto slow = burst_of(8, 3 * kMinute);  // never five within ten minutes
  CHECK(after(slow, 40, never).empty());
  auto used = burst_of(6, kMinute);
  CHECK(after(used, 40, [](int) { return true; }).empty());
  auto just_gone = burst_of(6, kMinute);
  CHECK(after(just_gone, 40, [](int hour) { return hour < 30; }).empty());
  auto came_back = burst_of(6, kMinute);  // each second day: a job, and its rhythm
  CHECK(after(came_back, 80, [](int hour) { return hour % 48 == 1; }).empty());
  auto different = burst_of(0, 0);
  for (const auto* name : {"billing", "audit", "search", "mail", "stock", "fraud"}) {
    different.add(name, {101, -1}).created_ms = kStart;
  }
  CHECK(after(different, 40, never).empty());
  auto kept = burst_of(6, kMinute);
  for (auto& cursor : kept.topic.cursors) cursor.properties["tidemark.keep"] = "true";
  CHECK(after(kept, 40, never).empty());
}

TEST_CASE("those who were there for some hours of their first day and left are a burst, too") {
  auto bench = burst_of(6, kMinute);
  CHECK(after(bench, 40, [](int hour) { return hour < 5; }).size() == 1);
}
