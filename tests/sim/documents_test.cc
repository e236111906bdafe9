// How Java spells what we print, and the answers to questions about what does not exist.

#include "sim/documents.h"

#include "sim/answers.h"
#include "sim/broker.h"
#include "sim/java_json.h"
#include "sim/world.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

TEST_CASE("numbers as Jackson and the bulk statistics write them") {
  const auto spelled = [](JavaStyle style, double number) {
    JavaJson json(style);
    json.value(number);
    return json.take();
  };
  CHECK(spelled(JavaStyle::kJackson, 0) == "0.0");
  CHECK(spelled(JavaStyle::kJackson, 2) == "2.0");
  CHECK(spelled(JavaStyle::kJackson, 0.0625) == "0.0625");
  CHECK(spelled(JavaStyle::kBulk, 0.0625) == "0.062");
  CHECK(spelled(JavaStyle::kBulk, 6.0248) == "6.024");
}

TEST_CASE("names as the two writers escape them") {
  const auto spelled = [](JavaStyle style, std::string_view text) {
    JavaJson json(style);
    json.value(text);
    return json.take();
  };
  CHECK(spelled(JavaStyle::kJackson, "a\"b\\\xc3\xa9") == "\"a\\\"b\\\\\xc3\xa9\"");
  CHECK(spelled(JavaStyle::kBulk, "\xc3\xa9\n") == "\"\\u00e9\\u000a\"");
  CHECK(spelled(JavaStyle::kBulk, "\xf0\x9f\x8c\x8a") == "\"\\ud83c\\udf0a\"");
  CHECK(url_encode("team/a%b+c d \xc3\xa9") == "team%2Fa%25b%2Bc+d+%C3%A9");  // 04-ack-hole oddname
}

TEST_CASE("times drop trailing zeros") {
  CHECK(java_time(0) == "1970-01-01T00:00:00Z");
  CHECK(java_time(1'795'988'593'910) == "2026-11-29T21:43:13.91Z");
  CHECK(java_time(1'795'988'593'000) == "2026-11-29T21:43:13Z");
  CHECK(java_nano_time(1'795'988'593'910, "x").substr(0, 23) == "2026-11-29T21:43:13.910");
}

TEST_CASE("topics fall into the bundles that Pulsar puts them in") {
  CHECK(crc32("123456789") == 0xcbf43926U);
  // 00-everything of 4.0.7.
  CHECK(bundle_of("persistent://acme/s01-abandoned/orders", 4) == "0x40000000_0x80000000");
  CHECK(bundle_of("persistent://acme/s13-ret-size/orders", 4) == "0xc0000000_0xffffffff");
  CHECK(bundle_of("persistent://acme/s13-ret-size/__change_events", 4) == "0x80000000_0xc0000000");
}

namespace {

struct Fixture {
  static WorldOptions options() {
    WorldOptions made;
    made.start_ms = 1'700'000'000'000;
    made.brokers = 2;
    return made;
  }
  Reply ask(std::string_view path, std::size_t broker = 0) { return broker_reply(world, broker, {path}); }
  World world{options()};
};

}  // namespace

TEST_CASE_METHOD(Fixture, "what does not exist") {
  world.create_topic("persistent://acme/ns/orders");
  CHECK(ask("/admin/v2/persistent/acme/ns/nothing/internal-info").status == 500);
  CHECK(ask("/admin/v2/persistent/acme/ns/nothing/internal-info").body.find("Request failed.") != std::string::npos);
  CHECK(ask("/admin/v2/persistent/acme/nons/x/internal-info").body == R"({"reason":"Namespace not found"})");
  CHECK(ask("/admin/v2/persistent/acme/ns/nothing/stats").body ==
        R"({"reason":"Topic persistent://acme/ns/nothing not found"})");
  CHECK(ask("/admin/v2/namespaces/acme/nons").status == 404);
  CHECK(ask("/admin/v2/nonsense").status == 404);
  CHECK(ask("/admin/v2/brokers/any-cluster").status == 200);
}

TEST_CASE_METHOD(Fixture, "names are decoded from paths as Java does") {
  world.create_topic("persistent://acme/ns/a b/c%d");
  CHECK(ask("/admin/v2/persistent/acme/ns/a+b%2Fc%25d/internal-info").status == 200);
  CHECK(ask("/admin/v2/persistent/acme/ns/a%20b%2Fc%25d/internal-info?x=1").status == 200);
}

TEST_CASE_METHOD(Fixture, "the owner answers, others redirect, and asking loads") {
  auto& topic = world.create_topic("persistent://acme/ns/orders");
  topic.subscribe("gone", SubscriptionType::kExclusive, Start::kEarliest, world.now());
  topic.publish(100, 1000, world.now(), world.now() + 1000);
  world.unload(topic);
  world.advance_to(world.now() + 600'000);
  const std::size_t owner = world.owner_of(topic);
  const std::string stats = "/admin/v2/persistent/acme/ns/orders/stats";

  const auto elsewhere = ask(stats, 1 - owner);
  CHECK(elsewhere.status == 307);
  CHECK(elsewhere.location == "http://" + world.brokers()[owner].address() + stats + "?authoritative=true");
  const std::string earliest = "?getEarliestTimeInBacklog=true";
  CHECK(ask(stats + earliest, 1 - owner).location ==
        "http://" + world.brokers()[owner].address() + stats + earliest + "&authoritative=true");
  CHECK(ask("/admin/v2/persistent/acme/ns/orders/internal-info", 1 - owner).status == 200);
  CHECK_FALSE(topic.loaded());
  CHECK(world.loads_by_get() == 0);

  CHECK(ask(stats, owner).status == 200);
  CHECK(topic.loaded());
  CHECK(world.loads_by_get() == 1);
  CHECK(world.loads_of_unlisted() == 1);
  CHECK(ask(stats, owner).status == 200);
  CHECK(world.loads_by_get() == 1);
  CHECK(topic.ledger().ledgers().size() == 2);  // and it made a ledger
}

TEST_CASE_METHOD(Fixture, "internal-info: the last ledger has no figures and closes whenever one asks") {
  auto& topic = world.create_topic("persistent://acme/ns/orders");
  topic.publish(10, 1000, world.now(), world.now() + 1000);
  const std::string path = "/admin/v2/persistent/acme/ns/orders/internal-info";
  const auto first = ask(path).body;
  CHECK(first.find("\"entries\"") == std::string::npos);
  CHECK(first.find("\"timestamp\":" + std::to_string(world.now())) != std::string::npos);
  world.advance_to(world.now() + 5000);
  CHECK(ask(path).body != first);
}

TEST_CASE_METHOD(Fixture, "the oldest message that waits is told where it is asked for") {
  auto& topic = world.create_topic("persistent://acme/ns/orders");
  topic.subscribe("gone", SubscriptionType::kExclusive, Start::kEarliest, world.now());
  const std::string stats = "/admin/v2/persistent/acme/ns/orders/stats";
  const std::size_t owner = world.owner_of(topic);
  const auto told = [&](std::int64_t time, const std::string& query) {
    return ask(stats + query, owner).body.find("\"earliestMsgPublishTimeInBacklog\":" + std::to_string(time) + ",") !=
           std::string::npos;
  };
  CHECK(told(-1, "?getEarliestTimeInBacklog=true"));
  const auto published = world.now() + 60'000;
  topic.publish(1, 1000, world.now(), published);
  CHECK(told(0, ""));
  CHECK(told(published, "?getEarliestTimeInBacklog=true"));
}
