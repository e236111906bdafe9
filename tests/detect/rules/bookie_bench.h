#pragma once
// One bookie, polled and judged.

#include <optional>
#include <string>
#include <vector>

#include "detect/rules/topic_bench.h"

namespace tidemark::testing {

inline model::Verdicts judge_bookie(const model::BookieView& bookie) {
  TopicBench bench;
  bench.snapshot.bookies = {bookie};
  return bench.poll(kStart);
}

// `status`: as its metrics say it; since an hour.
inline model::BookieView bookie(std::optional<int> status) {
  model::BookieView view;
  view.name = "bookie-1:8000";
  view.reachable = true;
  view.status = status;
  view.status_since_ms = kStart - kHour;
  return view;
}

inline constexpr std::int64_t kGb = 1'000'000'000;
inline constexpr TimeMs kRun = 15 * kMinute;  // between two runs of the garbage collection

// A disk that is full of what nobody needs, run after run of a bookie's garbage collection.
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

  // So it is after one run, but for what `change` says of the bookie.
  template <class Change>
  void free_but(const Change& change) {
    (void)run();
    free();
    change(bookie());
  }

  std::vector<model::Finding> after(int runs, const std::string& rule) {
    for (int i = 1; i < runs; ++i) (void)run();
    return findings_of(run(), rule);
  }
};

inline std::string cause(const std::vector<model::Finding>& found) {
  if (found.empty()) return "";
  for (const auto& [name, value] : found.front().evidence) {
    if (name == "cause") return std::string(std::get<std::string_view>(value));
  }
  return "none";
}

}  // namespace tidemark::testing
