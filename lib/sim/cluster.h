#pragma once
// The simulated cluster as its users see it: a clock that it follows, answers to requests, and the truth about its
// clients. Not thread safe.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/exchange.h"
#include "sim/answers.h"
#include "sim/faults.h"
#include "sim/stories.h"
#include "sim/world.h"

namespace tidemark::sim {

class SimulatedCluster {
 public:
  // The clock must outlive the cluster and start at or after options.world.start_ms.
  SimulatedCluster(const ClusterOptions& options, const Clock& clock);

  // Every answer does this by itself, up to the clock's time.
  void advance_to(TimeMs now) { world_.advance_to(now); }

  // One entry for each subscription that exists and whose client is one of the archetypes.
  std::vector<GroundTruth> truth() const;

  // What `name` ("broker-0:8080", "bookie-1:8000") answers, without any network. Status 0 when it is down or unknown,
  // or when a fault ate the answer; answer() also cuts what a fault cuts.
  Reply reply(model::Target target, std::string_view name, const Query& query);
  model::Exchange answer(model::Target target, std::string_view name, std::string_view path);
  // Of the first broker that is up, or the first bookie.
  model::Exchange answer(model::Target target, std::string_view path);

  std::vector<std::string> broker_names() const;
  std::vector<std::string> bookie_names() const;
  std::string owner_of(std::string_view topic);  // empty when there is no such topic

  // Topics that were loaded because somebody asked for their statistics.
  std::int64_t loads_by_get() const { return world_.loads_by_get(); }
  std::int64_t loads_of_unlisted() const { return world_.loads_of_unlisted(); }

  Faults& faults() { return faults_; }
  const Faults& faults() const { return faults_; }

  World& world() { return world_; }
  const World& world() const { return world_; }
  const Clock& clock() const { return clock_; }

 private:
  const Clock& clock_;
  World world_;
  Faults faults_;
};

}  // namespace tidemark::sim
