// The simulator's documents against recorded ones of a real 4.0.7 (tests/data/sim): every key that either has, the
// other has too, with the same JSON types. What is left out on purpose is listed here.

#include <rapidjson/document.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "sim/clock.h"
#include "sim/cluster.h"
#include "sim/documents.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

// Objects whose keys are names; their values share one shape.
const std::set<std::string> kMaps{"subscriptions", "cursors", "partitions", "properties", "subscriptionProperties"};

using Shape = std::map<std::string, std::set<std::string>>;  // path -> types seen

std::string type_of(const rapidjson::Value& value) {
  if (value.IsObject()) return "object";
  if (value.IsArray()) return "array";
  if (value.IsString()) return "string";
  if (value.IsBool()) return "bool";
  return value.IsDouble() ? "double" : "integer";
}

// `maps`: how many levels from here on are named by data (namespace, bundle, domain, topic of the bulk document).
void collect(const rapidjson::Value& value, const std::string& path, int maps, Shape& shape) {
  shape[path].insert(type_of(value));
  if (value.IsArray()) {
    for (const auto& item : value.GetArray()) collect(item, path + "[]", 0, shape);
  }
  if (!value.IsObject()) return;
  const auto slash = path.rfind('/');
  const std::string own = slash == std::string::npos ? path : path.substr(slash + 1);
  const bool named = maps > 0 || kMaps.count(own) > 0;
  for (const auto& member : value.GetObject()) {
    const std::string key = named ? "*" : member.name.GetString();
    collect(member.value, path + '/' + key, maps - 1, shape);
  }
}

Shape shape_of(const std::string& text, int maps) {
  rapidjson::Document document;
  document.Parse(text);
  REQUIRE_FALSE(document.HasParseError());
  Shape shape;
  collect(document, "", maps, shape);
  return shape;
}

Shape recorded(std::initializer_list<const char*> files, int maps = 0) {
  Shape all;
  for (const char* file : files) {
    std::ifstream in(std::string(TIDEMARK_TEST_DATA "/sim/") + file);
    REQUIRE(in);
    std::stringstream text;
    text << in.rdbuf();
    for (auto& [path, types] : shape_of(text.str(), maps)) all[path].insert(types.begin(), types.end());
  }
  return all;
}

void require_same(const Shape& real, const Shape& ours, const std::set<std::string>& left_out = {}) {
  for (const auto& [path, types] : real) {
    if (left_out.count(path) > 0) continue;
    INFO("a real broker has " << path);
    CHECK(ours.count(path) == 1);
  }
  for (const auto& [path, types] : ours) {
    INFO("the simulator has " << path);
    const auto there = real.find(path);
    REQUIRE(there != real.end());
    for (const auto& type : types) {
      INFO("as " << type);
      CHECK(there->second.count(type) == 1);
    }
  }
}

// A topic in the situations that the recordings show.
struct Fixture {
  static ClusterOptions options() {
    ClusterOptions made;
    made.stories = Stories::none();
    made.world.start_ms = 1'700'000'040'000;
    made.world.brokers = 1;
    made.world.settings.ledgers.max_entries = 20;
    made.world.settings.ledgers.min_rollover = Duration{0};
    return made;
  }

  Fixture() {
    auto& world = cluster.world();
    auto& topic = world.create_topic("persistent://acme/ns/orders");
    PublishRate rate;
    rate.per_minute = 3;
    topic.add_publisher("standalone-0-19", "/127.0.0.1:55322", rate, world.at(topic));
    for (const auto type : {SubscriptionType::kExclusive, SubscriptionType::kShared}) {
      const std::string name = name_of(type);
      topic.subscribe(name, type, Start::kEarliest, world.now());
      SimConsumer consumer;
      consumer.name = "cf981a278f";
      consumer.address = "/127.0.0.1:55322";
      consumer.behaviour = Behaviour::kHolds;
      topic.connect(name, consumer, world.now());
    }
    topic.subscribe("never-used", SubscriptionType::kExclusive, Start::kEarliest, world.now());
    topic.publish(50, 200, world.now(), world.now() + 1);
    topic.ack_range("Shared", 3, 8, world.now() + 2);
    clock.advance(std::chrono::minutes{10});
    cluster.advance_to(clock.now());
  }

  std::string get(const std::string& path) { return cluster.answer(model::Target::kBroker, path).body; }

  VirtualClock clock{options().world.start_ms};
  SimulatedCluster cluster{options(), clock};
};

const std::string kTopic = "/admin/v2/persistent/acme/ns/orders/";

}  // namespace

TEST_CASE_METHOD(Fixture, "broker-stats/topics") {
  // Clients of C++ and Java differ in nothing else; metadata is what clients say of themselves.
  require_same(recorded({"broker-stats.json"}, 4), shape_of(get("/admin/v2/broker-stats/topics"), 4));
}

TEST_CASE_METHOD(Fixture, "stats") {
  require_same(recorded({"stats-exclusive.json", "stats-shared.json"}), shape_of(get(kTopic + "stats"), 0));
}

TEST_CASE_METHOD(Fixture, "internalStats") {
  require_same(recorded({"internal-stats.json", "internal-stats-hole.json"}),
               shape_of(get(kTopic + "internalStats"), 0));
}

TEST_CASE_METHOD(Fixture, "internal-info, loaded and unloaded") {
  auto shape = shape_of(get(kTopic + "internal-info"), 0);
  auto& topic = *cluster.world().find("persistent://acme/ns/orders");
  cluster.world().unload(topic);
  for (auto& [path, types] : shape_of(get(kTopic + "internal-info"), 0)) shape[path].insert(types.begin(), types.end());
  require_same(recorded({"internal-info-loaded.json", "internal-info-unloaded.json"}), shape);
}

TEST_CASE_METHOD(Fixture, "internal-info of a partitioned topic") {
  cluster.world().create_partitioned("persistent://acme/ns/parts", 2);
  for (int i = 0; i < 2; ++i) {
    auto& part = *cluster.world().find("persistent://acme/ns/parts-partition-" + std::to_string(i));
    part.subscribe("gone", SubscriptionType::kShared, Start::kEarliest, cluster.world().now());
    part.publish(30, 100, cluster.world().now(), cluster.world().now() + 1);
  }
  require_same(recorded({"internal-info-partitioned.json"}),
               shape_of(get("/admin/v2/persistent/acme/ns/parts/internal-info"), 0));
}

TEST_CASE_METHOD(Fixture, "namespace policies") {
  auto shape = shape_of(get("/admin/v2/namespaces/acme/ns"), 0);
  require_same(recorded({"policies.json"}), shape);
  auto& policies = cluster.world().ns("acme/ns");
  policies.ttl_seconds = 10;
  policies.retention = RetentionPolicy{60, 1};
  policies.expiration_minutes = 1;
  require_same(recorded({"policies-ttl.json", "policies-retention.json", "policies-expiration.json"}),
               shape_of(get("/admin/v2/namespaces/acme/ns"), 0));
}

TEST_CASE_METHOD(Fixture, "lists and texts") {
  CHECK(get("/admin/v2/clusters") == R"(["demo"])");
  CHECK(get("/admin/v2/brokers/demo") == R"(["broker-0:8080"])");
  CHECK(get("/admin/v2/brokers") == R"(["broker-0:8080"])");
  CHECK(get("/admin/v2/brokers/version") == "4.0.7");
  CHECK(get("/admin/v2/tenants") == R"(["acme"])");
  CHECK(get("/admin/v2/namespaces/acme") == R"(["acme/ns"])");
  CHECK(get("/admin/v2/persistent/acme/ns?includeSystemTopic=true") == R"(["persistent://acme/ns/orders"])");
  CHECK(get("/admin/v2/persistent/acme/ns/partitioned") == "[]");
  CHECK(get("/admin/v2/bookies/all") ==
        R"({"bookies":[{"bookieId":"bookie-0:3181"},{"bookieId":"bookie-1:3181"},{"bookieId":"bookie-2:3181"}]})");
  // All values of the runtime configuration are strings. Most of a real one's 536 keys are left out.
  const auto shape = shape_of(get("/admin/v2/brokers/configuration/runtime"), 0);
  for (const auto& [path, types] : shape) {
    if (!path.empty()) CHECK(types == std::set<std::string>{"string"});
  }
}
