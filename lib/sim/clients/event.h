#pragma once
// Something that happens to the cluster once: somebody changes it, or a part of it fails or is mended.

#include <functional>
#include <utility>

#include "sim/clients/client.h"

namespace tidemark::sim {

class Event final : public Client {
 public:
  Event(TimeMs at, std::function<void(World&)> happens) : at_(at), happens_(std::move(happens)) {}
  TimeMs wake(World& world) override;
  void tell(const World& world, std::vector<GroundTruth>& truth) const override;

 private:
  TimeMs at_;
  std::function<void(World&)> happens_;
};

}  // namespace tidemark::sim
