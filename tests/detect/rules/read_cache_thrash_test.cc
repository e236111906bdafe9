#include <cmath>

#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

// What a bookie's read-ahead cache does in a minute.
struct Minute {
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t fills = 0;
  std::int64_t entries = 0;
};

constexpr Minute kThrash{3'000, 60'000, 60'000, 6'000'000};  // a batch of 100 for each read, and nearly all for nothing
constexpr Minute kIdle{};

struct CacheBench {
  TopicBench bench;
  TimeMs now = kStart;

  CacheBench() {
    model::BookieView view;
    view.name = "bookie-1:8000";
    view.reachable = true;
    view.status = 1;
    view.read_cache = {1'000'000, 1'000, 1'000, 100'000};
    bench.snapshot.bookies = {view};
    (void)poll();
  }

  model::BookieView& bookie() { return bench.snapshot.bookies.at(0); }

  std::vector<model::Finding> poll() {
    auto found = findings_of(bench.poll(now), "read_cache_thrash");
    now += kMinute;
    return found;
  }

  std::vector<model::Finding> pass(const Minute& minute, int minutes) {
    std::vector<model::Finding> found;
    for (int i = 0; i < minutes; ++i) {
      auto& cache = bookie().read_cache;
      *cache.hits += minute.hits;
      *cache.misses += minute.misses;
      *cache.fills += minute.fills;
      *cache.entries += minute.entries;
      found = poll();
    }
    return found;
  }
};

}  // namespace

TEST_CASE("a cache that loses what was read ahead for ten minutes thrashes") {
  CacheBench bench;
  CHECK(bench.pass(kThrash, 9).empty());
  const auto found = bench.pass(kThrash, 1);
  REQUIRE(found.size() == 1);
  const auto& finding = found.front();
  CHECK(finding.level == model::Level::kBookie);
  CHECK(finding.severity == model::Severity::kWarning);
  CHECK(finding.subject == "bookie-1:8000");
  CHECK(finding.since_ms == kStart);
  CHECK(finding.summary ==
        "1000 reads a second miss its cache; each brings 100 entries, of which 0.1 are read before they are gone");
  CHECK(std::abs(fact<double>(finding, "reads_per_fill").value_or(0) - 0.05) < 1e-9);
  CHECK(std::abs(fact<double>(finding, "hit_percent").value_or(0) - 100.0 / 21) < 1e-9);
  CHECK(bench.pass(kIdle, 1).empty());
  CHECK(bench.pass(kThrash, 9).empty());  // the ten minutes begin anew
}

TEST_CASE("caches at work, and such as nobody needs") {
  struct Row {
    const char* why;
    Minute minute;
  };
  const std::vector<Row> rows{
      {"consumers that catch up read nearly all of each batch", {5'940'000, 60'000, 60'000, 6'000'000}},
      {"half of each batch is enough", {3'000'000, 60'000, 60'000, 6'000'000}},
      {"everybody reads the newest: nothing comes from the disk", {0, 0, 0, 0}},
      {"a few reads a second, here and there", {0, 6'000, 6'000, 600'000}},
      {"most reads are hits, of few batches", {200'000, 60'000, 60'000, 6'000'000}},
      {"nothing is read ahead: each read brings what was asked for", {0, 60'000, 60'000, 60'000}},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    CacheBench bench;
    CHECK(bench.pass(row.minute, 20).empty());
  }
}

TEST_CASE("a bookie that starts anew, answers nothing, or keeps no such cache") {
  CacheBench restarted;
  CHECK(restarted.pass(kThrash, 9).empty());
  restarted.bookie().read_cache = {0, 0, 0, 0};
  CHECK(restarted.pass(kIdle, 1).empty());
  CHECK(restarted.pass(kThrash, 9).empty());
  CHECK(restarted.pass(kThrash, 1).size() == 1);

  CacheBench silent;
  CHECK(silent.pass(kThrash, 12).size() == 1);
  silent.bookie().reachable = false;
  CHECK(silent.pass(kIdle, 1).empty());
  silent.bookie().reachable = true;
  CHECK(silent.pass({6'000, 120'000, 120'000, 12'000'000}, 1).size() == 1);  // of two minutes

  CacheBench other;
  other.bookie().read_cache = {};
  CHECK(other.poll().empty());
}
