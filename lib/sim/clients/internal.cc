#include "sim/clients/internal.h"

#include <utility>

#include "sim/clients/people.h"
#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {

Replicator::Replicator(std::string topic, const std::string& remote_cluster, Duration up_for, Duration down_for,
                       std::uint64_t seed)
    : part_{std::move(topic), std::string(SimSubscription::kReplicatorPrefix) + remote_cluster, "replicator",
            SubscriptionType::kExclusive},
      up_for_(up_for),
      down_for_(down_for),
      random_(seed) {}

TimeMs Replicator::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  const TimeMs at = world.at(*topic);
  topic->subscribe(part_.subscription, part_.type, Start::kLatest, at);
  connected_ = !connected_;
  if (connected_) {
    topic->connect(part_.subscription, consumer_named("remote", 40, random_), at);
    return world.now() + up_for_.count() / 2 + random_.between(0, up_for_.count());
  }
  topic->disconnect(part_.subscription, "remote", at);
  return world.now() + down_for_.count();
}

void Replicator::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = true;
  truth.push_back(std::move(*own));
}

Housekeeper::Housekeeper(Part part, Duration every, std::int64_t least_entries)
    : part_(std::move(part)), every_(every), least_entries_(least_entries) {}

TimeMs Housekeeper::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  const TimeMs next = world.now() + every_.count();
  // It runs where the topic is, and loads nothing.
  if (!topic->loaded()) return next;
  const TimeMs at = world.at(*topic);
  const auto& cursor = topic->subscribe(part_.subscription, part_.type, Start::kEarliest, at).cursor;
  if (cursor.backlog(topic->ledger()) >= least_entries_) {
    topic->ack_range(part_.subscription, cursor.index(), topic->ledger().end_index(), at);
  }
  return next;
}

void Housekeeper::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = true;
  truth.push_back(std::move(*own));
}

Offloader::Offloader(std::string topic, Duration every, Duration keeps)
    : topic_(std::move(topic)), every_(every), keeps_(keeps) {}

TimeMs Offloader::wake(World& world) {
  auto* topic = world.find(topic_);
  if (topic == nullptr) return kNever;
  if (topic->loaded()) topic->offload(world.now() - keeps_.count());
  return world.now() + every_.count();
}

void Offloader::tell(const World& /*world*/, std::vector<GroundTruth>& /*truth*/) const {}

MarkerWriter::MarkerWriter(std::string topic, std::string subscription, TimeMs begins, TimeMs ends)
    : topic_(std::move(topic)), subscription_(std::move(subscription)), begins_(begins), ends_(ends) {}

TimeMs MarkerWriter::wake(World& world) {
  constexpr std::int64_t kBytes = 60;
  const TimeMs now = world.now();
  if (now < begins_) return begins_;
  auto* topic = world.find(topic_);
  if (topic == nullptr || now >= ends_) return kNever;
  if (auto* subscription = topic->find(subscription_)) subscription->replicated = true;
  const TimeMs at = world.at(*topic);
  if (written_ms_ != 0) topic->write_markers((now - written_ms_) / 1000, kBytes, written_ms_, at);
  written_ms_ = now;
  return now + world.step_length().count();
}

void MarkerWriter::tell(const World& /*world*/, std::vector<GroundTruth>& /*truth*/) const {}

TransactionOwner::TransactionOwner(std::string topic, Duration every, Duration lasts, std::uint64_t seed)
    : topic_(std::move(topic)), every_(every), lasts_(lasts), random_(seed) {}

TimeMs TransactionOwner::wake(World& world) {
  auto* topic = world.find(topic_);
  if (topic == nullptr) return kNever;
  if (topic->open_transaction()) {
    topic->end_transaction();
    return world.now() + every_.count() / 2 + random_.between(0, every_.count());
  }
  topic->begin_transaction();
  return world.now() + lasts_.count();
}

void TransactionOwner::tell(const World& /*world*/, std::vector<GroundTruth>& /*truth*/) const {}

}  // namespace tidemark::sim
