// Those who leave something behind.
#include <utility>

#include "sim/clients/archetypes.h"
#include "sim/clients/people.h"
#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

constexpr int kNet = 30;

void add_truth(const World& world, const Part& part, std::optional<TimeMs> abandoned_since,
               std::vector<GroundTruth>& truth) {
  auto one = truth_of(world, part);
  if (!one) return;
  one->will_return = !abandoned_since;
  one->abandoned_since = abandoned_since;
  truth.push_back(std::move(*one));
}

}  // namespace

PodDeployment::PodDeployment(std::string topic, std::string app, int replicas, Duration deploy_every,
                             std::uint64_t seed)
    : topic_(std::move(topic)), app_(std::move(app)), replicas_(replicas), deploy_every_(deploy_every), random_(seed) {}

TimeMs PodDeployment::wake(World& world) {
  auto* topic = world.find(topic_);
  if (topic == nullptr) return kNever;
  const TimeMs at = world.at(*topic);
  std::vector<std::string> fresh;
  const std::string replica_set = random_.letters(10, kPodLetters);
  for (int i = 0; i < replicas_; ++i) {
    const std::string pod = app_ + '-' + replica_set + '-' + random_.letters(5, kPodLetters);
    topic->subscribe(pod, SubscriptionType::kExclusive, Start::kLatest, at);
    topic->connect(pod, consumer_named(pod, kNet, random_), at);
    fresh.push_back(pod);
  }
  for (const auto& pod : pods_) {
    topic->disconnect(pod, pod, at);
    leftovers_.push_back({pod, at});
  }
  pods_ = std::move(fresh);
  return world.now() + deploy_every_.count() / 2 + random_.between(0, deploy_every_.count());
}

void PodDeployment::tell(const World& world, std::vector<GroundTruth>& truth) const {
  for (const auto& pod : pods_) add_truth(world, {topic_, pod, "pod_live"}, std::nullopt, truth);
  for (const auto& one : leftovers_) add_truth(world, {topic_, one.subscription, "pod_leftover"}, one.since, truth);
}

OneShot::OneShot(Part part, Plan plan, std::uint64_t seed) : part_(std::move(part)), plan_(plan), random_(seed) {}

std::string OneShot::name() const { return part_.subscription + suffix_; }

TimeMs OneShot::wake(World& world) {
  auto* topic = world.find(part_.topic);
  if (topic == nullptr) return kNever;
  const TimeMs now = world.now();
  if (!connected_ && round_ == 0 && now < plan_.at) return plan_.at;
  const TimeMs at = world.at(*topic);
  if (!connected_) {
    if (plan_.again_every) suffix_ = '-' + random_.letters(8, kHexDigits);
    topic->subscribe(name(), part_.type, Start::kLatest, at);
    auto consumer = consumer_named(part_.subscription, kNet, random_);
    consumer.behaviour = plan_.pace > 0 ? Behaviour::kPaces : Behaviour::kDrains;
    consumer.pace = plan_.pace;
    topic->connect(name(), std::move(consumer), at);
    connected_ = true;
    ++round_;
    return now + plan_.stays.count();
  }
  topic->disconnect(name(), part_.subscription, at);
  connected_ = false;
  left_ = at;
  if (plan_.unsubscribes) topic->unsubscribe(name(), at);
  if (plan_.again_every && !plan_.unsubscribes) left_behind_.emplace_back(name(), at);
  return plan_.again_every ? now + plan_.again_every->count() : kNever;
}

void OneShot::tell(const World& world, std::vector<GroundTruth>& truth) const {
  if (round_ == 0) return;
  for (const auto& [name, since] : left_behind_) add_truth(world, {part_.topic, name, part_.story}, since, truth);
  if (!left_behind_.empty() && left_behind_.back().first == name()) return;
  add_truth(world, {part_.topic, name(), part_.story}, connected_ ? std::nullopt : std::optional<TimeMs>(left_), truth);
}

EndingPublisher::EndingPublisher(std::string topic, TimeMs ends, std::optional<Duration> unloads_after)
    : topic_(std::move(topic)), ends_(ends), unloads_after_(unloads_after) {}

TimeMs EndingPublisher::wake(World& world) {
  auto* topic = world.find(topic_);
  if (topic == nullptr) return kNever;
  if (world.now() < ends_) return ends_;
  if (!topic->publishers().empty()) {
    while (!topic->publishers().empty()) topic->remove_publisher(std::string(topic->publishers().front().name));
    return unloads_after_ ? world.now() + unloads_after_->count() : kNever;
  }
  world.unload(*topic);
  return kNever;
}

void EndingPublisher::tell(const World& /*world*/, std::vector<GroundTruth>& /*truth*/) const {}

}  // namespace tidemark::sim
