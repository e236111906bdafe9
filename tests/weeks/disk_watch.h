#pragma once
// One cluster of the simulated year under watch. What the simulator does not model is said here, by the seed and the
// hour alone: how long brokers take to answer, what read caches do, policies that nobody acts by, a bookie that is
// gone.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "by_snapshots.h"
#include "detect/judge.h"
#include "disk_scene.h"
#include "history/history.h"
#include "weather.h"

namespace tidemark::weeks {

class DiskWatch {
 public:
  DiskWatch(std::uint64_t seed, Leak leak);

  // `look` sees each poll's time and verdicts.
  using Look = std::function<void(TimeMs at, const model::Verdicts& verdicts)>;
  void run(int days, const Look& look);

  std::int64_t polls() const { return polls_; }

  // What the leak really took between two polls, on the disks.
  std::int64_t leaked(TimeMs from, TimeMs to) const;

 private:
  bool leaks() const;
  std::int64_t leaked_bytes() const;
  void add_policies(model::Snapshot& snapshot) const;
  void add_bookies(model::Snapshot& snapshot);
  model::BookieView view_of(const sim::SimBookie& bookie, TimeMs now) const;
  void read(std::size_t bookie, model::ReadCache& cache) const;
  void add_calls(model::Snapshot& snapshot) const;
  static void add_markers(model::Snapshot& snapshot);

  std::uint64_t seed_;
  Leak leak_;
  sim::World world_;
  Sky sky_;
  history::History history_;
  detect::Limits limits_;
  detect::Patterns patterns_;
  std::unique_ptr<BySnapshots> watcher_;
  std::vector<model::ReadCache> caches_;  // of each bookie
  std::map<TimeMs, std::int64_t> leaked_;
  std::int64_t polls_ = 0;
};

}  // namespace tidemark::weeks
