#include "detect/rules/bookie_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("what is dead on a disk that is not stuck waits for something") {
  struct Row {
    const char* why;
    void (*change)(model::BookieView&);
    const char* pending;  // the cause, after three runs; empty: no finding
  };
  const std::vector<Row> rows{
      {"most of it is alive", [](auto& b) { b.live_bytes = 41 * kGb; }, ""},
      {"the disk is not full: its logs wait for compaction",
       [](auto& b) {
         b.dir_usage_ratio["_a"] = 0.8;
         b.compaction.major_suspended = b.compaction.minor_suspended = false;
       },
       "garbage"},
      {"compaction is not suspended",
       [](auto& b) { b.compaction.major_suspended = b.compaction.minor_suspended = false; }, "garbage"},
      {"a full disk compacts there, as it was told to",
       [](auto& b) {
         b.compaction = {};
         b.compaction.forced_when_full = true;
       },
       "garbage"},
      {"its compaction is suspended, and its disk is not full any more", [](auto& b) { b.dir_usage_ratio["_a"] = 0.8; },
       "suspended"},
      {"it begins to suspend at more than that", [](auto& b) { b.compaction.suspends_at = 0.93; }, "suspended"},
      {"next to nothing of its disk", [](auto& b) { b.capacity_bytes = 2000 * kGb; }, ""},
      {"it does not tell what is alive", [](auto& b) { b.live_bytes.reset(); }, ""},
      {"it tells no counters", [](auto& b) { b.logs.reclaimed_bytes.reset(); }, ""},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    BookieBench bench;
    bench.free_but(row.change);
    (void)bench.after(3, "reclaim_pending");
    CHECK(cause(bench.after(1, "reclaim_pending")) == row.pending);
  }
}

TEST_CASE("a disk that empties without being counted is believed") {
  BookieBench bench;
  (void)bench.run();
  bench.free();
  bench.bookie().dir_usage_ratio["_a"] = 0.0010;
  const auto verdicts = bench.run();
  CHECK(findings_of(verdicts, "reclaim_pending").empty());
}

TEST_CASE("after a removal the brokers trim first, then the bookies reclaim") {
  TopicBench bench;
  bench.snapshot.cluster = "west";
  auto& leftover = bench.add("left", {101, -1});
  leftover.flow_ms = leftover.mark_delete_advanced_ms = kStart - 20 * kDay;
  bench.add("live", {103, 49}).consumers = 1;
  REQUIRE_FALSE(findings_of(bench.poll(kStart), "abandoned").empty());
  CHECK(findings_of(bench.poll(kStart + kMinute), "reclaim_pending").empty());

  bench.topic.cursors.erase(bench.topic.cursors.begin());
  const auto removed = findings_of(bench.poll(kStart + 2 * kMinute), "reclaim_pending");
  REQUIRE(removed.size() == 1);
  CHECK(removed.front().level == model::Level::kCluster);
  CHECK(removed.front().severity == model::Severity::kInfo);
  CHECK(removed.front().subject == "west");
  CHECK(removed.front().since_ms == kStart + 2 * kMinute);
  CHECK(cause(removed) == "trim");
  CHECK(fact<std::int64_t>(removed.front(), "removed_subscriptions") == 1);
  const auto to_free = fact<std::int64_t>(removed.front(), "to_free_bytes").value_or(0);
  CHECK(to_free > 0);

  bench.topic.gone = {bench.topic.ledgers.list().begin(), bench.topic.ledgers.list().end() - 1};
  bench.topic.ledgers = model::Ledgers({bench.topic.ledgers.list().back()});
  const auto trimmed = findings_of(bench.poll(kStart + 3 * kMinute), "reclaim_pending");
  bench.topic.gone.clear();
  CHECK(cause(trimmed) == "reclaiming");
  CHECK(fact<std::int64_t>(trimmed.at(0), "freed_bytes") == to_free);
  CHECK(findings_of(bench.poll(kStart + kHour), "reclaim_pending").size() == 1);
  CHECK(findings_of(bench.poll(kStart + kHour + 2 * kMinute), "reclaim_pending").empty());
}
