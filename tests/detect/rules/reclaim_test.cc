// A disk that is full of what nobody needs, run after run of a bookie's garbage collection.
#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

constexpr std::int64_t kGb = 1'000'000'000;
constexpr TimeMs kRun = 15 * kMinute;  // between two runs of the garbage collection

struct BookieBench {
  TopicBench bench;
  TimeMs now = kStart;

  BookieBench() {
    bench.snapshot.cluster = "west";
    model::BookieView view;
    view.name = "bookie-1:8000";
    view.reachable = true;
    view.status = 1;
    view.dir_usage_ratio["_a"] = 0.92;
    view.capacity_bytes = 100 * kGb;
    view.live_bytes = 80 * kGb;
    view.logs.reclaimed_bytes = 0;
    view.logs.collections = 10;
    view.compaction.major_suspended = view.compaction.minor_suspended = true;
    bench.snapshot.bookies = {view};
  }

  model::BookieView& bookie() { return bench.snapshot.bookies.at(0); }

  // One run later.
  model::Verdicts run() {
    const auto verdicts = bench.poll(now);
    now += kRun;
    if (bookie().logs.collections) ++*bookie().logs.collections;
    return verdicts;
  }

  // The leftover was removed, and nearly nothing of what is stored is alive.
  void free() { bookie().live_bytes = kGb / 10; }

  std::vector<model::Finding> after(int runs, const std::string& rule) {
    for (int i = 1; i < runs; ++i) (void)run();
    return findings_of(run(), rule);
  }
};

std::string cause(const std::vector<model::Finding>& found) {
  if (found.empty()) return "";
  for (const auto& [name, value] : found.front().evidence) {
    if (name == "cause") return std::string(std::get<std::string_view>(value));
  }
  return "none";
}

}  // namespace

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

TEST_CASE("its healthy twins") {
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
    (void)bench.run();
    bench.free();
    row.change(bench.bookie());
    CHECK(bench.after(3, "reclaim_stuck").empty());
    CHECK(cause(bench.after(1, "reclaim_pending")) == row.pending);
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

TEST_CASE("a disk that empties without being counted is believed") {
  BookieBench bench;
  (void)bench.run();
  bench.free();
  bench.bookie().dir_usage_ratio["_a"] = 0.0010;
  const auto verdicts = bench.run();
  CHECK(findings_of(verdicts, "reclaim_pending").empty());
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
