#include "sim/clients/event.h"

#include "sim/world.h"

namespace tidemark::sim {

TimeMs Event::wake(World& world) {
  if (world.now() < at_) return at_;
  happens_(world);
  return kNever;
}

void Event::tell(const World& /*world*/, std::vector<GroundTruth>& /*truth*/) const {}

}  // namespace tidemark::sim
