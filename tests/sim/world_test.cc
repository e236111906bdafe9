// Time, brokers and the age of their statistics.

#include "sim/world.h"

#include "sim/answers.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'700'000'040'000;
constexpr TimeMs kMinute = 60'000;

struct Fixture {
  static WorldOptions options() {
    WorldOptions made;
    made.start_ms = kStart;
    return made;
  }
  Topic& busy(const std::string& name) {
    auto& topic = world.create_topic(name);
    PublishRate rate;
    rate.per_minute = 30;
    topic.add_publisher("p", "/10.0.0.1:1", rate, world.at(topic));
    return topic;
  }
  std::string sweep(std::size_t broker) { return broker_reply(world, broker, {"/admin/v2/broker-stats/topics"}).body; }
  World world{options()};
};

}  // namespace

TEST_CASE_METHOD(Fixture, "the sweep is up to one period old") {
  auto& topic = busy("persistent://acme/ns/orders");
  const auto owner = world.owner_of(topic);
  world.advance_to(kStart + 10 * kMinute);
  const auto before = sweep(owner);
  CHECK(before.find("persistent://acme/ns/orders") != std::string::npos);

  // Unloaded by somebody else's hand, it stays listed until the next rendering.
  topic.remove_publisher("p");
  world.unload(topic);
  CHECK(sweep(owner) == before);
  world.advance_to(kStart + 11 * kMinute + 59'000);
  CHECK(sweep(owner) == "{}");
}

TEST_CASE_METHOD(Fixture, "one sees the same statistics however often one looked before") {
  World other(options());
  PublishRate rate;
  rate.per_minute = 30;
  auto& mine = busy("persistent://acme/ns/orders");
  auto& theirs = other.create_topic("persistent://acme/ns/orders");
  theirs.add_publisher("p", "/10.0.0.1:1", rate, other.at(theirs));
  const auto owner = world.owner_of(mine);
  const TimeMs end = kStart + 100 * kMinute + 13'000;
  for (TimeMs at = kStart; at <= end; at += 7'000) {
    world.advance_to(at);
    sweep(owner);
  }
  world.advance_to(end);
  other.advance_to(end);
  CHECK(sweep(owner) == broker_reply(other, owner, {"/admin/v2/broker-stats/topics"}).body);
}

TEST_CASE_METHOD(Fixture, "after a broker's start its statistics are empty for a minute") {
  auto& topic = busy("persistent://acme/ns/orders");
  world.advance_to(kStart + 5 * kMinute);
  const auto owner = world.owner_of(topic);
  world.stop_broker(owner);
  CHECK(broker_reply(world, owner, {"/admin/v2/broker-stats/topics"}).status == 0);
  CHECK_FALSE(topic.loaded());

  // The publisher reconnects to the other broker.
  world.advance_to(kStart + 7 * kMinute);
  CHECK(topic.loaded());
  CHECK(world.owner_of(topic) != owner);
  CHECK(topic.loaded_ms() > kStart + 5 * kMinute);

  world.start_broker(owner);
  CHECK(sweep(owner) == "{}");
  world.move_bundle(topic, owner);
  world.advance_to(kStart + 7 * kMinute + 50'000);
  CHECK(sweep(owner) == "{}");
  world.advance_to(kStart + 9 * kMinute + 1000);
  CHECK(sweep(owner).find("persistent://acme/ns/orders") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "a stopped broker's topics without clients stay unloaded, and their bundle finds an owner") {
  auto& topic = world.create_topic("persistent://acme/ns/old");
  topic.subscribe("gone", SubscriptionType::kExclusive, Start::kEarliest, world.now());
  world.advance_to(kStart + 5 * kMinute);
  const auto owner = world.owner_of(topic);
  world.stop_broker(owner);
  world.advance_to(kStart + 60 * kMinute);
  CHECK_FALSE(topic.loaded());
  CHECK(world.owner_of(topic) != owner);
}

TEST_CASE_METHOD(Fixture, "publishers keep their rate, consumers keep up") {
  auto& topic = busy("persistent://acme/ns/orders");
  topic.subscribe("live", SubscriptionType::kShared, Start::kEarliest, world.now());
  SimConsumer consumer;
  consumer.name = std::string(1, 'c');
  topic.connect("live", consumer, world.at(topic));
  world.advance_to(kStart + 24 * 60 * kMinute);
  const auto published = topic.ledger().end_index();
  CHECK(published > 30 * 60 * 24 * 95 / 100);
  CHECK(published < 30 * 60 * 24 * 105 / 100);
  CHECK(topic.find("live")->cursor.backlog(topic.ledger()) <= 2);
  CHECK(topic.ledger().ledgers().size() <= 2);
  // A flow timestamp moves each time half of the receiver queue went: here every 17 minutes.
  CHECK(world.now() - topic.find("live")->flow_ms < 20 * kMinute);
}

TEST_CASE_METHOD(Fixture, "disks fill with what is pinned and give back what is deleted") {
  auto& topic = world.create_topic("persistent://acme/ns/orders");
  PublishRate rate;
  rate.per_minute = 600;
  rate.bytes = 100'000;
  topic.add_publisher("p", "/10.0.0.1:1", rate, world.at(topic));
  topic.subscribe("gone", SubscriptionType::kExclusive, Start::kEarliest, world.now());
  const auto used = [&] {
    double sum = 0;
    for (const auto& bookie : world.bookies().list()) sum += bookie.usage_percent();
    return sum;
  };
  const double empty = used();
  world.advance_to(kStart + 24 * 60 * kMinute);
  // 86 GB twice on three disks of 107 GB.
  CHECK(used() - empty > 140);
  CHECK(used() - empty < 180);
  topic.unsubscribe("gone", world.now());
  topic.remove_publisher("p");
  world.advance_to(kStart + 25 * 60 * kMinute);
  CHECK(used() - empty < 140);
  world.advance_to(kStart + 50 * 60 * kMinute);
  CHECK(used() - empty < 10);
}

TEST_CASE("a full bookie turns read-only and returns below the low water mark") {
  BookieOptions options;
  options.capacity_bytes = 1'000'000;
  SimBookie bookie("b:8000", options, {}, kStart);
  bookie.add(850'000, 0, 100);
  bookie.collect(kStart + 1000);
  CHECK(bookie.writable());
  bookie.add(90'000, 0, 10);
  bookie.collect(kStart + 2000);
  CHECK_FALSE(bookie.writable());
  CHECK(bookie.metrics(kStart + 60'000, 10, 0).find("bookie_SERVER_STATUS 0\n") != std::string::npos);
  bookie.add(0, 200'000, 0);
  bookie.collect(kStart + 3000);
  CHECK_FALSE(bookie.writable());  // deleted, but not collected yet
  bookie.collect(kStart + 40 * kMinute);
  CHECK(bookie.writable());
}

TEST_CASE("a bookie's metrics are spelled as BookKeeper spells them") {
  BookieOptions options;
  SimBookie bookie("b:8000", options, {}, kStart);
  const auto text = bookie.metrics(kStart + 60'000, 10, 3);
  CHECK(text.find("# TYPE bookie_ledger_dir__pulsar_data_bookkeeper_ledgers_usage gauge\n"
                  "bookie_ledger_dir__pulsar_data_bookkeeper_ledgers_usage 4.0\n") != std::string::npos);
  CHECK(text.find("bookie_SERVER_STATUS 1\n") != std::string::npos);
  CHECK(text.find("process_start_time_seconds{} 1.70000004E9\n") != std::string::npos);
  CHECK(text.find("quantile=\"1.0\", indexDir=") != std::string::npos);
  CHECK(text.find("-Infinity") != std::string::npos);
  CHECK(text.find("# HELP") == std::string::npos);
  // Usage is 0.0 until the first disk check.
  CHECK(bookie.metrics(kStart + 1000, 10, 3).find("ledgers_usage 0.0\n") != std::string::npos);
}
