#include "survey/anonymizer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "bookie/ledger_list.h"
#include "formats/base64.h"
#include "support/catch.h"
#include "survey/anonymous_json.h"
#include "survey/documents.h"
#include "survey/recording.h"
#include "survey/scrub.h"

using namespace tidemark;
using namespace tidemark::testing;
using pulsar::Endpoint;
using survey::AnonymousNames;
using survey::NameKind;

TEST_CASE("what Pulsar made of a name stays, the name does not") {
  struct Row {
    NameKind kind;
    const char* name;
    const char* replacement;
  };
  // In this order: numbers are given as names appear.
  const std::vector<Row> rows{
      {NameKind::kCluster, "blue", "cluster-1"},
      {NameKind::kTenant, "acme", "tenant-1"},
      {NameKind::kNamespace, "acme/shop", "tenant-1/namespace-1"},
      {NameKind::kNamespace, "beta/shop", "tenant-2/namespace-1"},
      {NameKind::kTopic, "persistent://acme/shop/orders", "persistent://tenant-1/namespace-1/topic-1"},
      {NameKind::kTopic, "persistent://acme/shop/orders-partition-3",
       "persistent://tenant-1/namespace-1/topic-1-partition-3"},
      {NameKind::kTopic, "persistent://acme/shop/orders-partition-x", "persistent://tenant-1/namespace-1/topic-2"},
      {NameKind::kTopic, "non-persistent://acme/shop/orders", "non-persistent://tenant-1/namespace-1/topic-1"},
      {NameKind::kTopic, "persistent://acme/shop/__change_events-partition-0",
       "persistent://tenant-1/namespace-1/__change_events-partition-0"},
      {NameKind::kTopic, "persistent://acme/shop/__own_events", "persistent://tenant-1/namespace-1/__topic-3"},
      {NameKind::kTopic, "persistent://acme/shop/orders-s__transaction_pending_ack",
       "persistent://tenant-1/namespace-1/topic-4__transaction_pending_ack"},
      {NameKind::kTopic, "persistent://pulsar/system/transaction_coordinator_assign-partition-1",
       "persistent://pulsar/system/transaction_coordinator_assign-partition-1"},
      {NameKind::kTopic, "persistent://pulsar/b-1.example:8080/healthcheck",
       "persistent://pulsar/host-1:8080/healthcheck"},
      {NameKind::kTopic, "persistent://pulsar/blue/b-1.example:8080/healthcheck",
       "persistent://pulsar/cluster-1/host-1:8080/healthcheck"},
      {NameKind::kTopic, "persistent://acme/blue/shop/orders", "persistent://tenant-1/cluster-1/namespace-1/topic-1"},
      {NameKind::kNamespace, "acme/blue/shop", "tenant-1/cluster-1/namespace-1"},
      {NameKind::kCursor, "billing", "sub-1"},
      {NameKind::kCursor, "orders", "topic-1"},
      {NameKind::kCursor, "acme/shop/fn", "tenant-1/namespace-1/sub-2"},
      {NameKind::kCursor, "a b%2F\xC3\xBC", "sub-3"},
      {NameKind::kEncodedCursor, "a+b%252F%C3%BC", "sub-3"},
      {NameKind::kEncodedCursor, "acme%2Fshop%2Ffn", "tenant-1%2Fnamespace-1%2Fsub-2"},
      {NameKind::kCursor, "__compaction", "__compaction"},
      {NameKind::kCursor, "pulsar.dedup", "pulsar.dedup"},
      {NameKind::kCursor, "pulsar.repl.blue", "pulsar.repl.cluster-1"},
      {NameKind::kCursor, "pulsar.repl.green", "pulsar.repl.cluster-2"},
      {NameKind::kCluster, "green", "cluster-2"},
      {NameKind::kCursor, "pulsar.repl-persistent%3A%2F%2Facme%2Fshop%2Forders",
       "pulsar.repl-persistent%3A%2F%2Ftenant-1%2Fnamespace-1%2Ftopic-1"},
      {NameKind::kEncodedCursor, "pulsar.repl-persistent%3A%2F%2Facme%2Fshop%2Forders",
       "pulsar.repl-persistent%3A%2F%2Ftenant-1%2Fnamespace-1%2Ftopic-1"},
      {NameKind::kEncodedCursor, "pulsar.repl-persistent%253A%252F%252Facme%252Fshop%252Forders",
       "pulsar.repl-persistent%253A%252F%252Ftenant-1%252Fnamespace-1%252Ftopic-1"},
      {NameKind::kCursor, "reader-8aa60f73f6", "reader-0000000001"},
      {NameKind::kCursor, "multiTopicsReader-8aa60f73f6", "multiTopicsReader-0000000001"},
      {NameKind::kCursor, "__system_reader-reader-470c80df07", "__system_reader-reader-0000000002"},
      {NameKind::kCursor, "reader-billing", "sub-4"},
      {NameKind::kCursorSet, "[reader-billing, pulsar.dedup]", "[sub-4, pulsar.dedup]"},
      {NameKind::kCursorSet, "[]", "[]"},
      {NameKind::kCursor, "", ""},
      {NameKind::kHost, "b-1.example:8080", "host-1:8080"},
      {NameKind::kHost, "b-1.example", "host-1"},
      {NameKind::kHost, "http://b-1.example:8443", "http://host-1:8443"},
      {NameKind::kHost, "10.0.0.7:3181", "host-2:3181"},
      {NameKind::kHost, "[2001:db8::1]:3181", "host-3:3181"},
      {NameKind::kHost, "2001:db8::7:3181", "host-4"},
      {NameKind::kProducer, "blue-0-19", "producer-1"},
      {NameKind::kConsumer, "acme", "tenant-1"},
      {NameKind::kOwner, "team ocean", "owner-1"},
      {NameKind::kDirectory, "_data_acme", "dir_1"},
  };
  AnonymousNames names;
  for (int round = 0; round < 2; ++round) {
    for (const auto& row : rows) {
      INFO(row.name);
      CHECK(names.replace(row.kind, row.name) == row.replacement);
    }
  }
}

TEST_CASE("a consumer that is called as a reader's digits makes no two readers one") {
  AnonymousNames names;
  CHECK(names.replace(NameKind::kConsumer, "8aa60f73f6") == "consumer-1");
  CHECK(names.replace(NameKind::kCursor, "reader-8aa60f73f6") == "reader-0000000001");
  CHECK(names.replace(NameKind::kCursor, "reader-0aa60f73f6") == "reader-0000000002");
}

TEST_CASE("the order decides, so nothing can be guessed from a replacement") {
  AnonymousNames one;
  AnonymousNames other;
  CHECK(one.replace(NameKind::kTenant, "a") == "tenant-1");
  CHECK(other.replace(NameKind::kTenant, "b") == "tenant-1");
  CHECK(other.replace(NameKind::kTenant, "a") == "tenant-2");
}

TEST_CASE("of a document what is known stays") {
  struct Row {
    Endpoint endpoint;
    const char* json;
    const char* anonymous;
  };
  const std::vector<Row> rows{
      {Endpoint::kTenants, R"(["acme","pulsar"])", R"(["tenant-1","pulsar"])"},
      {Endpoint::kBrokers, R"(["b-1:8080"])", R"(["host-1:8080"])"},
      {Endpoint::kBookies, R"({"bookies":[{"bookieId":"b-1:3181","rack":"/acme"}]})",
       R"({"bookies":[{"bookieId":"host-1:3181"}]})"},
      {Endpoint::kRuntimeConfiguration,
       R"({"clusterName":"blue","managedLedgerMaxEntriesPerLedger":"50000","exposeX":"true","managedLedgerHost":"10.0.0.7","managedLedgerRate":"0.1"})",
       R"({"clusterName":"cluster-1","managedLedgerMaxEntriesPerLedger":"50000","exposeX":"true","managedLedgerRate":"0.1"})"},
      {Endpoint::kPolicies,
       R"({"replication_clusters":["blue"],"clusterDispatchRate":{"blue":{"x":1}},"offload_policies":{"bucket":"acme"},)"
       R"("properties":{"owner":"ocean","type":"secret","n":3},"bundles":{"boundaries":["0x00","0xff"],"numBundles":1},"deleted":false})",
       R"({"replication_clusters":["cluster-1"],"properties":{"owner":"owner-1"},"bundles":{"boundaries":["0x00","0xff"],"numBundles":1},"deleted":false})"},
      {Endpoint::kStats,
       R"({"newMember":{"acme":[{"a":1}]},"publishers":[{"producerName":"p","address":"/10.0.0.7:4100","clientVersion":"4-acme"}],)"
       R"("subscriptions":{"state":{"type":"Shared","activeConsumerName":"c","newText":"acme","consumers":[{"consumerName":"c","availablePermits":0}],)"
       R"("subscriptionProperties":{"owner":"ocean","state":"x","tidemark.keep":"ask Anna"}}},"replication":{"blue":{"connected":true,"inboundConnection":"[10.0.0.7:1]"}}})",
       R"({"publishers":[{"producerName":"producer-1"}],"subscriptions":{"sub-1":{"type":"Shared","activeConsumerName":"consumer-1",)"
       R"("consumers":[{"consumerName":"consumer-1","availablePermits":0}],"subscriptionProperties":{"owner":"owner-1","tidemark.keep":"true"}}},)"
       R"("replication":{"cluster-1":{"connected":true}}})"},
      {Endpoint::kInternalStats,
       R"({"ledgers":[{"ledgerId":1,"offloaded":false}],"cursors":{"a%2Fb+c":{"markDeletePosition":"1:-1","properties":{"CompactedTopicLedger":7,"acme":8}}}})",
       R"({"ledgers":[{"ledgerId":1,"offloaded":false}],"cursors":{"sub-1%2Fsub-2":{"markDeletePosition":"1:-1","properties":{"CompactedTopicLedger":7}}}})"},
      {Endpoint::kInternalInfo,
       R"({"version":0,"partitions":{"persistent://a/b/c-partition-0":{"cursors":{"s":{"version":1}}}}})",
       R"({"version":0,"partitions":{"persistent://tenant-1/namespace-1/topic-1-partition-0":{"cursors":{"sub-1":{"version":1}}}}})"},
      {Endpoint::kSweep,
       R"({"a/b":{"0x0_0x1":{"persistent":{"persistent://a/b/c":{"storageSize":1}},"acme":{"x":1}},"acme":{"persistent":{}}}})",
       R"({"tenant-1/namespace-1":{"0x0_0x1":{"persistent":{"persistent://tenant-1/namespace-1/topic-1":{"storageSize":1}}}}})"},
      {Endpoint::kStats, "7", "7"},
      {Endpoint::kTopics, R"({"reason":"acme"})", "{}"},
  };
  for (const auto& row : rows) {
    INFO(row.json);
    AnonymousNames names;
    const auto made = survey::anonymous_json(row.endpoint, row.json, names);
    CHECK(made.whole);
    CHECK(made.text == row.anonymous);
  }
}

TEST_CASE("damage stays damage, without what stands behind it") {
  struct Row {
    Endpoint endpoint;
    const char* json;
    const char* anonymous;
  };
  const std::vector<Row> rows{
      {Endpoint::kTenants, R"(["acme","be)", R"(["tenant-1")"},
      {Endpoint::kTenants, "<html>acme</html>", "damaged"},
      {Endpoint::kTenants, R"(["acme"] acme)", R"(["tenant-1"]damaged)"},
      {Endpoint::kTenants, "", "damaged"},
      {Endpoint::kRuntimeConfiguration, R"({"password":"7", "x)", "damaged"},
  };
  for (const auto& row : rows) {
    INFO(row.json);
    AnonymousNames names;
    const auto made = survey::anonymous_json(row.endpoint, row.json, names);
    CHECK_FALSE(made.whole);
    CHECK(made.text == row.anonymous);
  }
}

// A decoder that reads a new member must not find it missing in recordings that are anonymous.
TEST_CASE("every member that a decoder reads is kept") {
  std::set<std::string> members;
  const std::regex reading(R"re(>\(\s*"(\w+)")re");
  for (const auto& entry : std::filesystem::directory_iterator(TIDEMARK_SOURCE_DIR "/lib/pulsar")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const auto source = text.str();
    for (std::sregex_iterator at(source.begin(), source.end(), reading), end; at != end; ++at) members.insert((*at)[1]);
  }
  REQUIRE(members.size() > 60);
  for (const auto& member : members) {
    INFO(member);
    const auto quoted = "\"" + member + "\"";
    bool kept = false;
    for (const auto endpoint : {Endpoint::kStats, Endpoint::kRuntimeConfiguration}) {
      AnonymousNames names;
      const auto scrubbed = survey::scrub(endpoint, "{" + quoted + ":7}");
      kept = kept || survey::anonymous_json(endpoint, *scrubbed, names).text.find(quoted) != std::string::npos;
    }
    CHECK(kept);
  }
}

TEST_CASE("paths ask for the same of other names") {
  survey::Anonymizer anonymizer;
  CHECK(anonymizer.path("/admin/v2/brokers/blue") == "/admin/v2/brokers/cluster-1");
  CHECK(anonymizer.path("/admin/v2/brokers/version") == "/admin/v2/brokers/version");
  CHECK(anonymizer.path("/admin/v2/namespaces/acme") == "/admin/v2/namespaces/tenant-1");
  CHECK(anonymizer.path("/admin/v2/namespaces/acme/shop") == "/admin/v2/namespaces/tenant-1/namespace-1");
  CHECK(anonymizer.path("/admin/v2/persistent/acme/shop?x=acme") ==
        "/admin/v2/persistent/tenant-1/namespace-1?includeSystemTopic=true");
  CHECK(anonymizer.path("/admin/v2/persistent/acme/shop/%C3%BC%25-partition-2/stats?authoritative=true") ==
        "/admin/v2/persistent/tenant-1/namespace-1/topic-1-partition-2/stats");
  CHECK(anonymizer.path("/admin/v2/persistent/acme/shop/x/internalStats") ==
        "/admin/v2/persistent/tenant-1/namespace-1/topic-2/internalStats");
  CHECK(anonymizer.path("/admin/v2/persistent/acme/shop/x/internal-info") ==
        "/admin/v2/persistent/tenant-1/namespace-1/topic-2/internal-info");
  CHECK(anonymizer.path("/metrics") == "/metrics");
  CHECK(anonymizer.path("/admin/v2/persistent/acme/shop/x/subscriptions") == "/other");
  CHECK(anonymizer.path("/admin/v2/schemas/acme/shop/x/metadata") ==
        "/admin/v2/schemas/tenant-1/namespace-1/topic-2/metadata");
  CHECK(anonymizer.path("/api/v1/ledger/list?page=2&x=acme") == pulsar::ledger_list_path(2));
  CHECK(anonymizer.path("/api/v1/ledger/list") == pulsar::ledger_list_path());
  CHECK(anonymizer.path("/api/v1/ledger/read?ledger_id=7") == "/other");
}

TEST_CASE("a list of ledgers says the same of other names") {
  const auto tagged = [](const std::string& id, std::vector<std::pair<std::string, std::string>> tags) {
    std::string text;
    for (const auto& [name, value] : tags) text += ",\"" + name + "\":\"" + formats::encode_base64(value) + "\"";
    return fmt::format(R"("{}":{{"state":"CLOSED","length":5,"writeQuorumSize":2,"ctime":9,"customMetadata":{{{}}}}})",
                       id, R"("application":"cHVsc2Fy")" + text);
  };
  const auto list = "{" +
                    tagged("1", {{"component", "managed-ledger"},
                                 {"pulsar/managed-ledger", "acme/shop/persistent/a%2Fb-partition-3"},
                                 {"pulsar/cursor", "audit"}}) +
                    "," + tagged("2", {{"component", "schema"}, {"pulsar/schemaId", "acme/shop/a%2Fb"}}) + "," +
                    tagged("3", {{"component", "delayed-index-bucket"},
                                 {"pulsar/delayedIndexTopic", "persistent://acme/shop/x"},
                                 {"pulsar/delayedIndexCursor", "audit"}}) +
                    R"(,"4":null,"5":{"state":"OPEN","password":"acme","customMetadata":{"x":"YWNtZQ=="}}})";
  survey::Anonymizer anonymizer;
  const auto body = anonymizer.body({0, model::Target::kBookie, "b:1", pulsar::ledger_list_path(1), 200, list});
  const auto ledgers = bookie::decode_ledger_list(body).value();
  REQUIRE(ledgers.size() == 5);
  CHECK(ledgers.at(0).use == model::LedgerUse::kCursor);
  CHECK(ledgers.at(0).topic == "persistent://tenant-1/namespace-1/topic-1/topic-2-partition-3");
  CHECK(ledgers.at(0).cursor == "sub-1");
  CHECK(ledgers.at(0).bytes == 5);
  CHECK(ledgers.at(0).copies == 2);
  CHECK(ledgers.at(0).created_ms == 9);
  CHECK(ledgers.at(1).use == model::LedgerUse::kSchema);
  CHECK(ledgers.at(1).topic == "persistent://tenant-1/namespace-1/topic-1/topic-2");
  CHECK(ledgers.at(2).use == model::LedgerUse::kDelayedIndex);
  CHECK(ledgers.at(2).cursor == "sub-1");
  CHECK(ledgers.at(3).use == model::LedgerUse::kUnknown);
  CHECK_FALSE(ledgers.at(4).bytes);
  CHECK(body.find("acme") == std::string::npos);
  CHECK(body.find("YWNtZQ") == std::string::npos);
}

TEST_CASE("of a bookie's metrics the names and figures stay") {
  AnonymousNames names;
  CHECK(survey::anonymous_metrics("# HELP acme\n"
                                  "bookie_SERVER_STATUS 1\n"
                                  "bookie_ledger_dir__data_acme_usage 62.5\n"
                                  "bookie_ledger_dir__data_acme_usage{instance=\"acme\"} NaN\n"
                                  "bookie_journal_x{journalIndex=\"0\",host=\"acme\",success=\"true\"} -Inf 17\n"
                                  "pulsar_topics_count{namespace=\"acme/shop\"} 3\n"
                                  "bad acme line\n",
                                  names) ==
        "bookie_SERVER_STATUS 1\n"
        "bookie_ledger_dir_dir_1_usage 62.5\n"
        "bookie_ledger_dir_dir_1_usage NaN\n"
        "bookie_journal_x{success=\"true\",journalIndex=\"0\"} -Inf\n");
}

TEST_CASE("versions lose what builders add") {
  CHECK(survey::anonymous_version("4.0.7") == "4.0.7");
  CHECK(survey::anonymous_version("4.0.7-acme-SNAPSHOT") == "4.0.7");
  CHECK(survey::anonymous_version("").empty());
}

TEST_CASE("an anonymous recording, streamed sweep and all") {
  std::ostringstream out;
  survey::Anonymizer anonymizer;
  survey::RecordingWriter writer(out, &anonymizer);
  writer.head("blue", "4.0.7-acme");
  auto exchange = from_broker(kStart, "/admin/v2/tenants", R"(["acme"])");
  exchange.name = "b-1:8080";
  writer.write(exchange);
  exchange.status = 404;
  exchange.path = "/admin/v2/persistent/acme/shop/x/stats";
  exchange.body = R"({"reason":"acme not found"})";
  writer.write(exchange);
  exchange.status = 200;
  exchange.path = "/admin/v2/persistent/acme/shop/x/subscriptions";
  writer.write(exchange);
  exchange.path = "/admin/v2/brokers/version";
  exchange.body = "4.0.7-acme";
  writer.write(exchange);
  exchange.path = "/admin/v2/broker-stats/topics";
  writer.begin_sweep(exchange);
  for (const auto* topic : {"x", "caf\\u00e9"}) {
    const std::vector<std::string> path{"acme/shop", "0x0_0x1", "persistent",
                                        std::string("persistent://acme/shop/") + topic};
    writer.sweep_topic(path, R"({"subscriptions":{"s":{"msgBacklog":1}}})");
  }
  writer.end_sweep();
  const auto at = std::to_string(kStart);
  const auto line = [&](const std::string& path, int status, const std::string& body) {
    return R"({"at_ms":)" + at + R"(,"target":"broker","name":"host-1:8080","path":")" + path + R"(","status":)" +
           std::to_string(status) + R"(,"body":)" + body + "}\n";
  };
  CHECK(
      out.str() ==
      R"({"tidemark_recording":1,"pulsar_cluster":"cluster-1","pulsar_version":"4.0.7"})"
      "\n" +
          line("/admin/v2/tenants", 200, R"(["tenant-1"])") +
          line("/admin/v2/persistent/tenant-1/namespace-1/topic-1/stats", 404, "null") + line("/other", 200, "null") +
          line("/admin/v2/brokers/version", 200, R"("4.0.7")") +
          line(
              "/admin/v2/broker-stats/topics", 200,
              R"({"tenant-1/namespace-1":{"0x0_0x1":{"persistent":{"persistent://tenant-1/namespace-1/topic-1":{"subscriptions":{"sub-1":{"msgBacklog":1}}},)"
              R"("persistent://tenant-1/namespace-1/topic-2":{"subscriptions":{"sub-1":{"msgBacklog":1}}}}}}})"));
}

TEST_CASE("replicators of another prefix are Pulsar's own afterwards") {
  survey::AnonymousNames names;
  CHECK(names.replace(NameKind::kReplicatorPrefix, "acme.geo") == "pulsar.repl");
  CHECK(names.replace(NameKind::kCursor, "acme.geo.west") == "pulsar.repl.cluster-1");
  CHECK(names.replace(NameKind::kCluster, "west") == "cluster-1");
  CHECK(names.replace(NameKind::kCursor, "acme.geography") == "sub-1");
  CHECK(names.replace(NameKind::kCursor, "pulsar.repl.west") == "sub-2");
}
