#include "sim/clients/people.h"

#include <utility>

#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {

SimConsumer consumer_named(std::string name, int net, Random& random) {
  SimConsumer consumer;
  consumer.name = std::move(name);
  consumer.address = "/10." + std::to_string(net) + '.' + std::to_string(random.between(0, 31)) + '.' +
                     std::to_string(random.between(1, 254)) + ':' + std::to_string(random.between(32'768, 60'999));
  return consumer;
}

std::optional<GroundTruth> truth_of(const World& world, const Part& part) {
  const auto* topic = world.find(part.topic);
  const auto* subscription = topic == nullptr ? nullptr : topic->find(part.subscription);
  if (subscription == nullptr) return std::nullopt;
  GroundTruth truth;
  truth.topic = part.topic;
  truth.subscription = part.subscription;
  truth.story = part.story;
  truth.durable = subscription->durable();
  truth.connected = !subscription->consumers.empty();
  truth.created_ms = subscription->cursor.stored().created_ms;
  return truth;
}

}  // namespace tidemark::sim
