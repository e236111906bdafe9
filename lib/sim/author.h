#pragma once
// What it takes to tell a story about the simulated cluster: topics with publishers, services that are always there,
// and one seeded sequence of numbers.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "sim/clients/archetypes.h"
#include "sim/random.h"
#include "sim/stories.h"
#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {

// Adds the stories that Stories counts as rare. They have a sequence of their own.
void tell_rare_stories(World& world, const Stories& stories);

// Likewise those that leak by number, and their twins.
void tell_leaks_by_number(World& world, const Stories& stories);

// Likewise what goes wrong with disks, bookies, brokers and policies. The world has three bookies, the third one's disk
// the smallest, and two brokers.
void tell_troubles(World& world);

class Author {
 protected:
  Author(World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  static constexpr TimeMs kDay = 86'400'000;

  static std::string topic_of(const std::string& ns, const std::string& local) {
    return "persistent://" + ns + '/' + local;
  }

  TimeMs day(std::int64_t number) { return world_.now() + number * kDay + random_.between(0, kDay / 2); }

  // A topic with one publisher and, for a start, a live subscription.
  std::string busy_topic(const std::string& ns, const std::string& local, const PublishRate& rate, bool live = true) {
    const std::string name = topic_of(ns, local);
    auto& topic = world_.create_topic(name);
    publisher(topic, rate);
    if (live) steady({name, "live", "live", SubscriptionType::kShared}, 2);
    return name;
  }

  void publisher(Topic& topic, const PublishRate& rate) {
    topic.add_publisher(
        world_.settings().cluster + '-' + std::to_string(random_.between(0, 99)) + '-' +
            std::to_string(next_producer_++),
        "/10.10.0." + std::to_string(random_.between(1, 254)) + ":41" + std::to_string(random_.between(100, 999)), rate,
        world_.at(topic));
  }

  PublishRate some_rate(double least, double most) {
    PublishRate rate;
    rate.per_minute = least + (most - least) * random_.fraction();
    rate.bytes = random_.between(400, 3000);
    rate.swing = 0.2 + 0.6 * random_.fraction();
    return rate;
  }

  void steady(Part part, int consumers, bool durable = true) {
    add<SteadyClient>(std::move(part), consumers, std::chrono::hours{24 * 11}, random_.next(), durable);
  }

  template <class Kind, class... Arguments>
  void add(Arguments&&... arguments) {
    world_.add_client(std::make_unique<Kind>(std::forward<Arguments>(arguments)...));
  }

  World& world_;
  Random random_;

 private:
  int next_producer_ = 0;
};

}  // namespace tidemark::sim
