// The well-behaved and the periodic. The forgetful ones are in leftovers.cc.
#include "sim/clients/archetypes.h"

#include <algorithm>
#include <utility>

#include "sim/clients/people.h"
#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

constexpr int kNet = 20;

}  // namespace

SteadyClient::SteadyClient(Part part, int consumers, Duration restart_every, std::uint64_t seed, bool durable,
                           Behaviour behaviour)
    : part_(std::move(part)),
      prefix_(part_.subscription),
      consumers_(consumers),
      restart_every_(restart_every),
      random_(seed),
      durable_(durable),
      behaviour_(behaviour) {}

void SteadyClient::connect(World& world, Topic& topic) {
  const TimeMs at = world.at(topic);
  if (!durable_) part_.subscription = prefix_ + random_.letters(10, kHexDigits);
  topic.subscribe(part_.subscription, part_.type, Start::kLatest, at, CreatedBy::kClient, durable_);
  names_.clear();
  for (int i = 0; i < consumers_; ++i) {
    auto consumer = consumer_named(random_.letters(5, kHexDigits), kNet, random_);
    consumer.behaviour = behaviour_;
    names_.push_back(consumer.name);
    topic.connect(part_.subscription, std::move(consumer), at);
  }
  connected_ = true;
}

TimeMs SteadyClient::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  if (connected_) {
    for (const auto& name : names_) topic->disconnect(part_.subscription, name, world.at(*topic));
    connected_ = false;
    next_ = world.now() + random_.between(60'000, 300'000);
  } else {
    connect(world, *topic);
    next_ = world.now() + restart_every_.count() + random_.between(0, restart_every_.count() / 2);
  }
  return next_;
}

void SteadyClient::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = true;
  if (!connected_) own->next_act_ms = next_;
  truth.push_back(std::move(*own));
}

PeriodicJob::PeriodicJob(Part part, Duration period, Duration offset, Duration stays, std::optional<TimeMs> stops,
                         std::uint64_t seed)
    : part_(std::move(part)), period_(period), offset_(offset), stays_(stays), stops_(stops), random_(seed) {}

TimeMs PeriodicJob::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  const TimeMs at = world.at(*topic);
  const TimeMs now = world.now();
  const auto next_slot = [&] {
    const TimeMs period = period_.count();
    return (now - offset_.count()) / period * period + period + offset_.count() +
           random_.between(0, std::min<std::int64_t>(period / 48, 1'800'000));
  };
  if (topic->find(part_.subscription) == nullptr) {
    topic->subscribe(part_.subscription, part_.type, Start::kLatest, at);
    last_ = at;
    next_ = next_slot();
    return next_;
  }
  if (connected_) {
    topic->disconnect(part_.subscription, part_.subscription, at);
    connected_ = false;
    if (visits_++ > 0) longest_pause_ = std::max(longest_pause_, Duration{at - last_});
    last_ = at;
    next_ = next_slot();
  } else {
    if (done(now)) return kNever;
    auto consumer = consumer_named(part_.subscription, kNet, random_);
    topic->connect(part_.subscription, std::move(consumer), at);
    connected_ = true;
    next_ = now + stays_.count();
  }
  return next_;
}

void PeriodicJob::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = connected_ || !done(next_);
  own->period = period_;
  own->visits = visits_;
  own->longest_pause = longest_pause_;
  if (!own->will_return) own->abandoned_since = last_;
  if (own->will_return && !connected_) own->next_act_ms = next_;
  truth.push_back(std::move(*own));
}

ResetCommitter::ResetCommitter(Part part, Duration every, std::optional<TimeMs> dies, std::uint64_t seed)
    : part_(std::move(part)), every_(every), dies_(dies), random_(seed) {}

TimeMs ResetCommitter::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr || (dies_ && world.now() >= *dies_)) return kNever;
  const TimeMs at = world.at(*topic);
  if (topic->find(part_.subscription) == nullptr) {
    topic->subscribe(part_.subscription, part_.type, Start::kLatest, at, CreatedBy::kAdmin);
  } else {
    // It commits what its batch read, a little behind what is there, and never moves back.
    const std::int64_t end = topic->ledger().end_index();
    const std::int64_t before = topic->find(part_.subscription)->cursor.index();
    topic->reset(part_.subscription, std::max(before, end - random_.between(0, 20)), at);
  }
  last_ = at;
  next_ = world.now() + every_.count();
  return next_;
}

void ResetCommitter::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = !dies_ || next_ < *dies_;
  if (own->will_return) {
    own->next_act_ms = next_;
  } else {
    own->abandoned_since = last_;
  }
  truth.push_back(std::move(*own));
}

Operators::Operators(Duration restart_every, Duration unload_every, std::uint64_t seed)
    : restart_every_(restart_every), unload_every_(unload_every), random_(seed) {}

TimeMs Operators::wake(World& world) {
  const TimeMs now = world.now();
  if (next_restart_ == 0) {
    next_restart_ = restart_every_.count() > 0 ? now + restart_every_.count() : kNever;
    next_unload_ = unload_every_.count() > 0 ? now + unload_every_.count() : kNever;
    return std::min(next_restart_, next_unload_);
  }
  if (now >= next_unload_) {
    const auto topics = world.topics();
    if (!topics.empty()) {
      const auto* chosen = topics[random_.next() % topics.size()];
      world.move_bundle(*chosen, world.owner_of(*chosen));
    }
    next_unload_ = now + unload_every_.count() + random_.between(0, unload_every_.count() / 2);
  }
  if (now >= next_restart_) {
    if (down_) {
      world.start_broker(*down_);
      down_.reset();
      next_restart_ = now + 300'000;  // it settles before the next one goes
    } else if (next_broker_ >= world.brokers().size()) {
      next_broker_ = 0;
      next_restart_ = now + restart_every_.count();
    } else {
      down_ = next_broker_++;
      world.stop_broker(*down_);
      next_restart_ = now + 120'000;
    }
  }
  return std::min(next_restart_, next_unload_);
}

void Operators::tell(const World& /*world*/, std::vector<GroundTruth>& /*truth*/) const {}

}  // namespace tidemark::sim
