#include "detect/rules/bookie_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("a full disk of which nothing is alive and nothing comes back is stuck") {
  BookieBench full;
  CHECK(full.after(3, "reclaim_stuck").empty());  // all of it is alive
  full.free();
  CHECK(cause(full.after(1, "reclaim_pending")) == "suspended");
  CHECK(full.after(1, "reclaim_stuck").empty());
  const auto found = full.after(1, "reclaim_stuck");  // two runs later
  REQUIRE(found.size() == 1);
  const auto& finding = found.front();
  CHECK(finding.level == model::Level::kBookie);
  CHECK(finding.severity == model::Severity::kWarning);
  CHECK(finding.subject == "bookie-1:8000");
  CHECK(finding.since_ms == kStart + 3 * kRun);
  CHECK(finding.summary ==
        "79.9 GB of at least 80.0 GB in its entry logs are dead and nothing comes back: its compaction is suspended");
  CHECK(fact<std::int64_t>(finding, "live_bytes") == kGb / 10);
  CHECK(fact<std::int64_t>(finding, "stored_bytes") == 80 * kGb);
  CHECK(fact<std::int64_t>(finding, "garbage_collections") == 2);
  CHECK(fact<bool>(finding, "major_compaction_suspended") == true);
  CHECK(fact<std::string_view>(finding, "remedy").value_or("").find(R"({"forceMajor":true,"forceMinor":true})") !=
        std::string::npos);
  CHECK(findings_of(full.run(), "reclaim_pending").empty());  // it is the one or the other

  full.bookie().logs.reclaimed_bytes = 79 * kGb;
  full.bookie().dir_usage_ratio["_a"] = 0.13;
  const auto freed = full.run();
  CHECK(findings_of(freed, "reclaim_stuck").empty());
  CHECK(findings_of(freed, "reclaim_pending").empty());
}

TEST_CASE("stuck is a disk that is full and suspends compaction") {
  struct Row {
    const char* why;
    void (*change)(model::BookieView&);
    bool stuck;
  };
  const std::vector<Row> rows{
      {"both compactions are suspended", [](auto&) {}, true},
      {"one of them is", [](auto& b) { b.compaction.major_suspended = false; }, true},
      {"neither is", [](auto& b) { b.compaction.major_suspended = b.compaction.minor_suspended = false; }, false},
      {"not as full", [](auto& b) { b.dir_usage_ratio["_a"] = 0.8; }, false},
      {"not as full, and read-only", [](auto& b) { b.dir_usage_ratio["_a"] = 0.8, b.status = 0; }, true},
      {"it begins to suspend at more than that", [](auto& b) { b.compaction.suspends_at = 0.93; }, false},
      {"it may compact there, and does not tell whether it does",
       [](auto& b) { b.compaction = {}, b.compaction.forced_when_full = true; }, false},
      {"half of it is alive", [](auto& b) { b.live_bytes = 41 * kGb; }, false},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    BookieBench bench;
    bench.free_but(row.change);
    CHECK(bench.after(4, "reclaim_stuck").empty() != row.stuck);
  }
}

TEST_CASE("what is reclaimed run by run is not stuck") {
  BookieBench bench;
  (void)bench.run();
  bench.free();
  for (int i = 0; i < 8; ++i) {
    const auto verdicts = bench.run();
    CHECK(findings_of(verdicts, "reclaim_stuck").empty());
    CHECK(cause(findings_of(verdicts, "reclaim_pending")) == "suspended");
    *bench.bookie().logs.reclaimed_bytes += 5 * kGb;
  }
}

TEST_CASE("a log that dies as a whole now and then is no recovery") {
  BookieBench bench;
  (void)bench.run();
  bench.free();
  int stuck = 0;
  for (int i = 0; i < 20; ++i) {
    stuck += findings_of(bench.run(), "reclaim_stuck").empty() ? 0 : 1;
    *bench.bookie().logs.reclaimed_bytes += kGb / 100;
  }
  CHECK(stuck == 18);  // from the third run on, without a break
}

TEST_CASE("a bookie that does not tell whether it suspends is given the time of a compaction") {
  BookieBench bench;
  bench.bookie().compaction = {};
  (void)bench.run();
  bench.free();
  CHECK(bench.after(6, "reclaim_stuck").empty());  // 75 minutes
  const auto found = bench.after(1, "reclaim_stuck");
  REQUIRE(found.size() == 1);
  CHECK_FALSE(fact<bool>(found.front(), "major_compaction_suspended"));
  CHECK(found.front().summary.find("does not tell") != std::string::npos);
}

TEST_CASE("one that does not count its runs is given their time, one that makes none two hours") {
  BookieBench uncounted;
  uncounted.bookie().logs.collections.reset();
  (void)uncounted.run();
  uncounted.free();
  CHECK(uncounted.after(2, "reclaim_stuck").empty());
  CHECK(uncounted.after(1, "reclaim_stuck").size() == 1);

  BookieBench still;
  (void)still.run();
  still.free();
  const auto verdicts = [&] {
    const auto made = still.run();
    --*still.bookie().logs.collections;
    return made;
  };
  for (int i = 0; i < 8; ++i) CHECK(findings_of(verdicts(), "reclaim_stuck").empty());
  CHECK(findings_of(verdicts(), "reclaim_stuck").size() == 1);
}

TEST_CASE("a restart of the bookie sets the clock back, one of ours does not") {
  BookieBench bench;
  (void)bench.run();
  bench.free();
  CHECK(bench.after(2, "reclaim_stuck").empty());
  bench.bookie().live_bytes.reset();
  bench.bookie().logs = {};  // it begins to count anew, and knows nothing of its logs yet
  bench.bookie().logs.reclaimed_bytes = 0;
  bench.bookie().logs.collections = 0;
  CHECK(bench.after(2, "reclaim_stuck").empty());
  bench.free();
  CHECK(bench.after(2, "reclaim_stuck").empty());
  CHECK(bench.after(1, "reclaim_stuck").size() == 1);
  bench.bookie().reachable = false;  // not an answer, not a recovery
  CHECK(findings_of(bench.bench.poll(bench.now), "reclaim_stuck").size() == 1);
}

TEST_CASE("where the size of the logs is told, nothing need be remembered") {
  BookieBench bench;
  bench.free();
  bench.bookie().logs.total_bytes = 90 * kGb;
  CHECK(bench.after(2, "reclaim_stuck").empty());
  const auto found = bench.after(1, "reclaim_stuck");
  REQUIRE(found.size() == 1);
  CHECK(fact<std::int64_t>(found.front(), "stored_bytes") == 90 * kGb);
}
