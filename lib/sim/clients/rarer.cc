#include "sim/clients/rarer.h"

#include <algorithm>
#include <utility>

#include "sim/clients/people.h"
#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

constexpr int kNet = 50;
constexpr std::int64_t kOfSlowKey = 5;  // entries

std::vector<std::string> connect_all(World& world, const Part& part, int consumers, Behaviour behaviour,
                                     Random& random) {
  auto& topic = *world.find(part.topic);
  const TimeMs at = world.at(topic);
  topic.subscribe(part.subscription, part.type, Start::kLatest, at);
  std::vector<std::string> names;
  for (int i = 0; i < consumers; ++i) {
    auto consumer = consumer_named(random.letters(5, kHexDigits), kNet, random);
    consumer.behaviour = behaviour;
    names.push_back(consumer.name);
    topic.connect(part.subscription, std::move(consumer), at);
  }
  return names;
}

}  // namespace

PausingClient::PausingClient(Part part, int consumers, Duration works_for, Duration pauses_for, std::uint64_t seed)
    : part_(std::move(part)), consumers_(consumers), works_for_(works_for), pauses_for_(pauses_for), random_(seed) {}

TimeMs PausingClient::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  if (topic->find(part_.subscription) == nullptr) connect_all(world, part_, consumers_, Behaviour::kHolds, random_);
  working_ = !working_;
  for (auto& consumer : topic->find(part_.subscription)->consumers) {
    consumer.behaviour = working_ ? Behaviour::kDrains : Behaviour::kHolds;
  }
  const auto length = working_ ? works_for_ : pauses_for_;
  return world.now() + length.count() / 2 + random_.between(0, length.count() / 2);
}

void PausingClient::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = true;
  truth.push_back(std::move(*own));
}

SlowKey::SlowKey(Part part, int consumers, Duration slow_for, std::uint64_t seed)
    : part_(std::move(part)), consumers_(consumers), slow_for_(slow_for), random_(seed) {}

TimeMs SlowKey::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  const TimeMs now = world.now();
  if (topic->find(part_.subscription) == nullptr) {
    connect_all(world, part_, consumers_, Behaviour::kHolds, random_);
    done_ms_ = now;
  } else if (topic->loaded()) {
    const auto& cursor = topic->find(part_.subscription)->cursor;
    const bool done = now - done_ms_ >= slow_for_.count();
    if (done) done_ms_ = now;
    const std::int64_t from = cursor.index() + (done ? 0 : kOfSlowKey);
    topic->ack_range(part_.subscription, from, cursor.read_index(), world.at(*topic));
  }
  return now + std::chrono::milliseconds{std::chrono::minutes{5}}.count();
}

void SlowKey::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = true;
  truth.push_back(std::move(*own));
}

Departing::Departing(Part part, Plan plan, std::uint64_t seed) : part_(std::move(part)), plan_(plan), random_(seed) {}

TimeMs Departing::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  if (topic->find(part_.subscription) == nullptr) {
    names_ = connect_all(world, part_, plan_.consumers, Behaviour::kDrains, random_);
    return plan_.leaves;
  }
  const TimeMs at = world.at(*topic);
  if (plan_.leaves_a_hole && topic->loaded()) {
    const std::int64_t from = topic->find(part_.subscription)->cursor.index() + 1;
    topic->ack_range(part_.subscription, from, from + 3, at);
  }
  for (const auto& name : names_) topic->disconnect(part_.subscription, name, at);
  left_ = at;
  return kNever;
}

void Departing::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->will_return = left_ == 0;
  if (left_ != 0) own->abandoned_since = left_;
  truth.push_back(std::move(*own));
}

NeverUsed::NeverUsed(Part part, TimeMs made) : part_(std::move(part)), made_(made) {}

TimeMs NeverUsed::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  if (world.now() < made_) return made_;
  topic->subscribe(part_.subscription, part_.type, Start::kEarliest, world.at(*topic), CreatedBy::kAdmin);
  return kNever;
}

void NeverUsed::tell(const World& world, std::vector<GroundTruth>& truth) const {
  auto own = truth_of(world, part_);
  if (!own) return;
  own->abandoned_since = own->created_ms;
  truth.push_back(std::move(*own));
}

}  // namespace tidemark::sim
