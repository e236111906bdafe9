#pragma once
// The long way: the simulated brokers' JSON through the Survey, as the daemon asks for it, without HTTP in between.

#include "sim/clock.h"
#include "sim/cluster.h"
#include "survey/survey.h"
#include "watcher.h"

namespace tidemark::weeks {

class ByDocuments final : public Watcher {
 public:
  // Both must outlive it; the clock is the cluster's and is set by it.
  ByDocuments(sim::SimulatedCluster& cluster, sim::VirtualClock& clock, Duration interval);
  std::shared_ptr<const model::Snapshot> poll(TimeMs at, const Weather& weather, Sky& sky) override;

 private:
  void set_faults(const Weather& weather);
  void ask(const survey::Ask& ask);
  void topology();
  void sweeps(const Weather& weather, Sky& sky);
  void suspects();

  sim::SimulatedCluster& cluster_;
  sim::VirtualClock& clock_;
  survey::Survey survey_;
  TimeMs now_ = 0;  // ours
  bool lost_ = false;
};

}  // namespace tidemark::weeks
