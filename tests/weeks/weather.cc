#include "weather.h"

namespace tidemark::weeks {
namespace {

constexpr std::array<std::string_view, kFaults> kNames{
    "outage", "lost_poll", "broker_error", "errors", "truncated", "clock_jump", "unload_storm", "bundle_move", "crash"};
constexpr std::int64_t kMostSkewMs = 90'000;
constexpr std::int64_t kMostPhaseMs = 240'000;

}  // namespace

std::string_view name_of(Fault fault) { return kNames.at(static_cast<std::size_t>(fault)); }

Sky::Sky(std::uint64_t seed) : random_(sim::mix(seed ^ 0x5)), moves_(sim::mix(seed ^ 0x6)) {
  skew_ = Duration{random_.between(-kMostSkewMs, kMostSkewMs)};
}

bool Sky::happens(double probability, Fault fault) {
  if (random_.fraction() >= probability) return false;
  ++counts_.at(static_cast<std::size_t>(fault));
  return true;
}

Weather Sky::next(sim::World& world) {
  Weather weather;
  weather.phase = Duration{random_.between(0, kMostPhaseMs)};
  restart_crashed(world);
  if (happens(0.0003, Fault::kOutage)) away_for_ = static_cast<int>(random_.between(6, 150));
  weather.lost = happens(0.01, Fault::kLostPoll);
  if (happens(0.005, Fault::kBrokerError)) weather.failing_broker = random_.next() % world.brokers().size();
  if (happens(0.02, Fault::kErrors)) weather.errors = 0.3;
  if (happens(0.01, Fault::kTruncated)) weather.truncated = 0.2;
  if (happens(0.0005, Fault::kClockJump)) skew_ = Duration{random_.between(-kMostSkewMs, kMostSkewMs)};
  weather.skew = skew_;
  weather.moves_a_bundle = happens(0.01, Fault::kBundleMove);
  if (happens(0.001, Fault::kUnloadStorm)) {
    const auto broker = random_.next() % world.brokers().size();
    for (const auto* topic : world.topics()) {
      if (world.owner_of(*topic) == broker) world.unload(*world.find(topic->name()));
    }
  }
  if (!crashed_ && happens(0.0005, Fault::kCrash)) {
    const auto broker = random_.next() % world.brokers().size();
    if (world.brokers()[broker].up()) {
      crashed_ = broker;
      world.stop_broker(broker, false);
    }
  }
  weather.away = away_for_ > 0;
  if (weather.away) --away_for_;
  return weather;
}

void Sky::restart_crashed(sim::World& world) {
  if (!crashed_) return;
  if (!world.brokers()[*crashed_].up()) world.start_broker(*crashed_);
  crashed_.reset();
}

void Sky::move_a_bundle(sim::World& world) {
  const auto topics = world.topics();
  if (topics.empty()) return;
  const auto& topic = *topics[moves_.next() % topics.size()];
  const auto to = (world.owner_of(topic) + 1) % world.brokers().size();
  if (world.brokers()[to].up()) world.move_bundle(topic, to);
}

}  // namespace tidemark::weeks
