#pragma once
// A way of watching the simulated cluster: one poll at a time, to the Snapshot that verdicts are made of.

#include <memory>

#include "model/snapshot.h"
#include "weather.h"

namespace tidemark::weeks {

class Watcher {
 public:
  virtual ~Watcher() = default;

  // `at`: the cluster's time. Called with rising times.
  virtual std::shared_ptr<const model::Snapshot> poll(TimeMs at, const Weather& weather, Sky& sky) = 0;
};

}  // namespace tidemark::weeks
