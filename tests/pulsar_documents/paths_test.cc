#include "pulsar/paths.h"

#include <random>
#include <vector>

#include "support/catch.h"

using namespace tidemark::pulsar;

namespace {

void check_topic(const std::string& topic, const std::string& tenant, const std::string& ns) {
  INFO(topic);
  const std::pair<std::string, Endpoint> kPaths[] = {{stats_path(topic), Endpoint::kStats},
                                                     {internal_stats_path(topic), Endpoint::kInternalStats},
                                                     {internal_info_path(topic), Endpoint::kInternalInfo}};
  for (const auto& [path, endpoint] : kPaths) {
    INFO(path);
    const auto route = parse_path(path);
    CHECK(route.endpoint == endpoint);
    CHECK(route.topic == topic);
    CHECK(route.tenant == tenant);
    CHECK(route.ns == ns);
    for (const char c : path)
      REQUIRE((c > ' ' && c < 127 && std::string_view("\"<>\\^`{|}+?#").find(c) == std::string::npos));
  }
}

// Names of tenants and namespaces match [-=:.\w]*, local names are anything.
std::string random_name(std::mt19937& random, bool anything) {
  static const std::string kPlain = "abzAZ019-=:._";
  static const std::string kAll = kPlain + "/%+ ?#&;\\\"'<>{}|^`~!@$*(),[]\n\t\x01\x7f\xC3\xA9\xF0\x9F\x98\x80\xFF";
  const auto& from = anything ? kAll : kPlain;
  std::uniform_int_distribution<std::size_t> size(1, 12);
  std::uniform_int_distribution<std::size_t> at(0, from.size() - 1);
  std::string name(size(random), ' ');
  for (auto& c : name) c = from[at(random)];
  return name;
}

}  // namespace

TEST_CASE("the paths, literally") {
  CHECK(clusters_path() == "/admin/v2/clusters");
  CHECK(brokers_path("c 1") == "/admin/v2/brokers/c%201");
  CHECK(version_path() == "/admin/v2/brokers/version");
  CHECK(runtime_configuration_path() == "/admin/v2/brokers/configuration/runtime");
  CHECK(tenants_path() == "/admin/v2/tenants");
  CHECK(namespaces_path("acme") == "/admin/v2/namespaces/acme");
  CHECK(policies_path("acme/ns-1") == "/admin/v2/namespaces/acme/ns-1");
  CHECK(topics_path("acme/ns-1") == "/admin/v2/persistent/acme/ns-1?includeSystemTopic=true");
  CHECK(partitioned_topics_path("acme/ns-1") == "/admin/v2/persistent/acme/ns-1/partitioned?includeSystemTopic=true");
  CHECK(sweep_path() == "/admin/v2/broker-stats/topics");
  CHECK(loaded_topics_path() == "/admin/v2/broker-stats/bookieops");
  CHECK(bookies_path() == "/admin/v2/bookies/all");
  CHECK(stats_path("persistent://acme/ns-1/orders-partition-0") ==
        "/admin/v2/persistent/acme/ns-1/orders-partition-0/stats");
  CHECK(internal_stats_path("non-persistent://a/b/c") == "/admin/v2/non-persistent/a/b/c/internalStats");
  CHECK(internal_info_path("persistent://acme/ns-1/sl/a+sh b%\xC3\xA9") ==
        "/admin/v2/persistent/acme/ns-1/sl%2Fa%2Bsh%20b%25%C3%A9/internal-info");
  CHECK(stats_path("persistent://a/b/..") == "/admin/v2/persistent/a/b/%2E%2E/stats");
  CHECK(stats_path("not a topic").empty());
  CHECK(partitions_path("persistent://acme/ns-1/sl/ash") == "/admin/v2/persistent/acme/ns-1/sl%2Fash/partitions");
  CHECK(parse_path(partitions_path("persistent://a/b/c")).endpoint == Endpoint::kPartitions);
  CHECK(parse_path(partitions_path("persistent://a/b/c")).topic == "persistent://a/b/c");
  const auto earliest = stats_with_earliest_path("persistent://a/b/c");
  CHECK(earliest == "/admin/v2/persistent/a/b/c/stats?getEarliestTimeInBacklog=true");
  CHECK(asks_for_earliest(earliest));
  CHECK_FALSE(asks_for_earliest(stats_path("persistent://a/b/c")));
  CHECK(parse_path(earliest).endpoint == Endpoint::kStats);
  CHECK(ledger_list_path(3) == "/api/v1/ledger/list?print_metadata=true&decode_meta=true&page=3");
  CHECK(page_of(ledger_list_path(3)) == 3);
  CHECK(page_of("/api/v1/ledger/list?page=1&decode_meta=true") == 1);
  for (const auto* none : {"/api/v1/ledger/list?decode_meta=true", "/api/v1/ledger/list?xpage=1", "/x?page=", "page=1"})
    CHECK_FALSE(page_of(none));
  CHECK(parse_path(ledger_list_path()).endpoint == Endpoint::kLedgerList);
  const auto schema = parse_path(schema_metadata_path("persistent://acme/ns-1/sl/ash"));
  CHECK(schema_metadata_path("persistent://acme/ns-1/sl/ash") == "/admin/v2/schemas/acme/ns-1/sl%2Fash/metadata");
  CHECK(schema.endpoint == Endpoint::kSchemaMetadata);
  CHECK(schema.topic == "persistent://acme/ns-1/sl/ash");
  CHECK(parse_path("/admin/v2/schemas/acme/ns-1/x/schema").endpoint == Endpoint::kOther);
  CHECK(bookie_configuration_path() == "/api/v1/config/server_config");
  CHECK(parse_path(bookie_configuration_path()).endpoint == Endpoint::kBookieConfiguration);
  CHECK(parse_path(bookie_metrics_path()).endpoint == Endpoint::kBookieMetrics);
  CHECK(bookies_registered_path(false) == "/api/v1/bookie/list_bookies?type=rw");
  CHECK(parse_path(bookies_registered_path(true)).endpoint == Endpoint::kBookiesRegistered);
  CHECK(asks_for_read_only(bookies_registered_path(true)));
  CHECK_FALSE(asks_for_read_only(bookies_registered_path(false)));
  CHECK(bookie_info_path() == "/api/v1/bookie/info");
  CHECK(parse_path(bookie_info_path()).endpoint == Endpoint::kBookieInfo);
  CHECK(bookie_suspension_path() == "/api/v1/bookie/gc/suspend_compaction");
  CHECK(parse_path(bookie_suspension_path()).endpoint == Endpoint::kBookieSuspension);
}

TEST_CASE("reading a path undoes making it, for every topic name") {
  check_topic("persistent://acme/ns-1/orders", "acme", "acme/ns-1");
  check_topic("persistent://t/c/n/x", "t", "t/c");
  check_topic("persistent://t/n/a/b//c", "t", "t/n");
  check_topic("persistent://t/n/..", "t", "t/n");
  check_topic("persistent://t/n/stats", "t", "t/n");
  check_topic("persistent://t/n/partitioned", "t", "t/n");
  check_topic("persistent://t/n/a/internalStats", "t", "t/n");
  check_topic("persistent://stats/internal-info/partitioned", "stats", "stats/internal-info");
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const auto tenant = random_name(random, false);
    const auto ns = tenant + "/" + random_name(random, false);
    check_topic((round % 5 == 0 ? "non-persistent://" : "persistent://") + ns + "/" + random_name(random, true), tenant,
                ns);
  }
}

TEST_CASE("reading a path undoes making it, for tenants and namespaces") {
  std::mt19937 random(11);
  for (int round = 0; round < 1000; ++round) {
    const auto tenant = random_name(random, round % 2 == 0);
    INFO(tenant);
    if (tenant.find('/') == std::string::npos) {
      CHECK(parse_path(namespaces_path(tenant)).endpoint == Endpoint::kNamespaces);
      CHECK(parse_path(namespaces_path(tenant)).tenant == tenant);
    }
    CHECK(parse_path(brokers_path(tenant)).endpoint == Endpoint::kBrokers);
    const auto plain = random_name(random, false);
    const bool old = round % 3 == 0;  // tenant/cluster/namespace
    const auto ns = plain + "/" + random_name(random, false) + (old ? "/" + random_name(random, false) : "");
    const std::pair<std::string, Endpoint> kPaths[] = {{policies_path(ns), Endpoint::kPolicies},
                                                       {topics_path(ns), Endpoint::kTopics},
                                                       {partitioned_topics_path(ns), Endpoint::kPartitionedTopics}};
    for (const auto& [path, endpoint] : kPaths) {
      INFO(path);
      const auto route = parse_path(path);
      CHECK(route.endpoint == endpoint);
      CHECK(route.ns == ns);
      CHECK(route.tenant == plain);
      CHECK(route.topic.empty());
    }
  }
}

TEST_CASE("paths found in recordings") {
  const auto endpoint = [](std::string_view path) { return std::string(name_of(parse_path(path).endpoint)); };
  CHECK(endpoint("/admin/v2/brokers") == "brokers");
  CHECK(endpoint("/admin/v2/brokers/standalone") == "brokers");
  CHECK(endpoint("/admin/v2/brokers/version") == "version");
  CHECK(endpoint("/admin/v2/brokers/configuration/runtime") == "runtime_configuration");
  CHECK(endpoint("/admin/v2/clusters") == "clusters");
  CHECK(endpoint("/admin/v2/tenants") == "tenants");
  CHECK(endpoint("/admin/v2/namespaces/acme") == "namespaces");
  CHECK(endpoint("/admin/v2/namespaces/acme/ns") == "policies");
  CHECK(endpoint("/admin/v2/broker-stats/topics") == "sweep");
  CHECK(endpoint("/admin/v2/broker-stats/bookieops") == "loaded_topics");
  CHECK(endpoint("/admin/v2/bookies/all") == "bookies");
  CHECK(endpoint("/metrics") == "bookie_metrics");
  CHECK(endpoint("/metrics/") == "bookie_metrics");
  CHECK(endpoint("/admin/v2/persistent/t/n?includeSystemTopic=false") == "topics");
  CHECK(endpoint("/admin/v2/persistent/t/n/partitioned") == "partitioned_topics");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/stats?getEarliestTimeInBacklog=true") == "stats");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/internalStats") == "internal_stats");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/internal-info") == "internal_info");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/retention?applied=false") == "topic_retention");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/messageTTL") == "topic_ttl");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/backlogQuotaMap") == "topic_quotas");
  CHECK(endpoint("/admin/v2/persistent/t/n/x/compactionThreshold") == "topic_compaction");
  CHECK(parse_path("/admin/v2/persistent/t/n/a+b%2fc%zz/stats").topic == "persistent://t/n/a b/c%zz");
  CHECK(parse_path("/admin/v2/persistent/t/c/n/x/stats").topic == "persistent://t/c/n/x");
  CHECK(parse_path("/admin/persistent/t/c/n/x/stats").topic == "persistent://t/c/n/x");
  for (const auto* other : {"",
                            "/",
                            "/admin",
                            "/admin/",
                            "/admin/v2",
                            "/admin/v2/",
                            "/admin/v2/brokers/leaderBroker",
                            "/admin/v2/brokers/ready",
                            "/admin/v2/brokers/health",
                            "/admin/v2/brokers/c1/127.0.0.1:8200/ownedNamespaces",
                            "/admin/v2/namespaces/t/n/topics",
                            "/admin/v2/namespaces/t/n/bundles",
                            "/admin/v2/namespaces",
                            "/admin/v2/non-persistent/t/n",
                            "/admin/v2/persistent/t",
                            "/admin/v2/persistent/t/n/x/subscriptions",
                            "/admin/v2/persistent/t/n/x/partitioned-stats",
                            "/admin/v2/persistent/t/n/stats",
                            "/admin/v2/schemas/t/n/x/schema",
                            "/lookup/v2/topic/persistent/t/n/x",
                            "/api/v1/bookie/state",
                            "/admin/v2/persistent///x/stats",
                            "/admin/v2/tenants/x",
                            "/metricsx"}) {
    INFO(other);
    CHECK(endpoint(other) == "other");
  }
}
