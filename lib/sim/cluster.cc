// A thin hull: the state is in World, the answers in answers.cc, what goes wrong with them in faults.cc.
#include "sim/cluster.h"

namespace tidemark::sim {

SimulatedCluster::SimulatedCluster(const ClusterOptions& options, const Clock& clock)
    : clock_(clock), world_(options.world), faults_(options.world.seed) {
  tell_stories(world_, options.stories);
}

std::vector<GroundTruth> SimulatedCluster::truth() const {
  std::vector<GroundTruth> truth;
  for (const auto& client : world_.clients()) client->tell(world_, truth);
  return truth;
}

Reply SimulatedCluster::reply(model::Target target, std::string_view name, const Query& query) {
  world_.advance_to(clock_.now());
  Reply reply;
  if (target == model::Target::kBroker) {
    const auto& brokers = world_.brokers();
    for (std::size_t i = 0; i < brokers.size(); ++i) {
      if (brokers[i].address() != name) continue;
      reply = broker_reply(world_, i, query);
      reply.lost = brokers[i].hangs();
    }
  } else {
    const auto& bookies = world_.bookies().list();
    for (std::size_t i = 0; i < bookies.size(); ++i) {
      if (bookies[i].address() == name) reply = bookie_reply(world_, i, query);
    }
  }
  if (reply.status != 0) faults_.apply(target, name, query.path, world_.now(), reply);
  return reply;
}

model::Exchange SimulatedCluster::answer(model::Target target, std::string_view name, std::string_view path) {
  auto got = reply(target, name, Query{path});
  if (got.lost) got = {};
  if (got.cut_after && *got.cut_after < got.body.size()) got.body.resize(*got.cut_after);
  return {world_.now(), target, std::string(name), std::string(path), got.status, std::move(got.body)};
}

model::Exchange SimulatedCluster::answer(model::Target target, std::string_view path) {
  if (target == model::Target::kBookie) return answer(target, world_.bookies().list().at(0).address(), path);
  world_.advance_to(clock_.now());
  for (const auto& broker : world_.brokers()) {
    if (broker.up()) return answer(target, broker.address(), path);
  }
  return answer(target, world_.brokers().at(0).address(), path);
}

std::vector<std::string> SimulatedCluster::broker_names() const {
  std::vector<std::string> names;
  for (const auto& broker : world_.brokers()) names.push_back(broker.address());
  return names;
}

std::vector<std::string> SimulatedCluster::bookie_names() const {
  std::vector<std::string> names;
  for (const auto& bookie : world_.bookies().list()) names.push_back(bookie.address());
  return names;
}

std::string SimulatedCluster::owner_of(std::string_view topic) {
  const auto* found = world_.find(topic);
  return found == nullptr ? std::string{} : world_.brokers()[world_.owner_of(*found)].address();
}

}  // namespace tidemark::sim
