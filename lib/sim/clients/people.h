#pragma once
// What the files of clients share: how a consumer comes to its name and address, and what is true of a subscription as
// the world stands.

#include <optional>
#include <string>

#include "sim/clients/archetypes.h"

namespace tidemark::sim {

// From the 10.`net`.0.0/16.
SimConsumer consumer_named(std::string name, int net, Random& random);

// All but what the client plans; nothing when the subscription is gone.
std::optional<GroundTruth> truth_of(const World& world, const Part& part);

}  // namespace tidemark::sim
