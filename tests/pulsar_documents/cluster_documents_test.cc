#include "pulsar/cluster_documents.h"

#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using pulsar::testing::kVersions;
using pulsar::testing::sample;
using pulsar::testing::with;

namespace {

model::NamespaceView read(const std::string& version, const std::string& name) {
  auto view = decode_policies(sample(version, name));
  REQUIRE(view.has_value());
  return std::move(*view);
}

}  // namespace

TEST_CASE("policies") {
  for (const auto* version : kVersions) {
    INFO(version);
    const auto plain = read(version, "policies-plain.json");
    CHECK(plain.policies_known);
    CHECK(!plain.deleted);
    CHECK(!plain.retention);
    CHECK(!plain.ttl_seconds);
    CHECK(!plain.expiration_minutes);
    CHECK(plain.properties.empty());

    const auto retention = read(version, "policies-retention.json");
    REQUIRE(retention.retention);
    CHECK(retention.retention->minutes == 60);
    CHECK(retention.retention->megabytes == 1);

    CHECK(read(version, "policies-ttl.json").ttl_seconds == 10);
    CHECK(read(version, "policies-expiry.json").expiration_minutes == 1);

    auto text = sample(version, "policies-plain.json");
    text = with(text, "\"deleted\":false", "\"deleted\":true");
    text = with(text, "\"properties\":{}", R"("properties":{"owner":"team a"},"message_ttl_in_seconds":null)");
    const auto odd = decode_policies(text).value();
    CHECK(odd.deleted);
    CHECK(odd.properties.at("owner") == "team a");
    CHECK(!odd.ttl_seconds);
  }
  const auto replicated = decode_policies(R"({"replication_clusters":["a","b",7,null]})").value();
  CHECK(replicated.replication_clusters == std::vector<std::string>{"a", "b"});
  CHECK(decode_policies("{}").value().replication_clusters.empty());
  CHECK(decode_policies("[]").error().text() == "policies: byte 0: not an object");
}

TEST_CASE("runtime configuration") {
  for (const auto* version : kVersions) {
    INFO(version);
    const auto text = sample(version, "runtime-configuration.json");
    const auto plain = decode_runtime_configuration(text).value();
    CHECK(plain.cluster == "standalone");
    REQUIRE(plain.retention);
    CHECK(plain.retention->minutes == 0);
    CHECK(plain.retention->megabytes == 0);
    CHECK(plain.ttl_seconds == 0);
    CHECK(plain.expiration_minutes == 0);
    CHECK(plain.stats_period_seconds == 10);
    CHECK(plain.cursor_names == model::CursorNames{});

    auto other = with(text, R"("defaultRetentionTimeInMinutes":"0")", R"("defaultRetentionTimeInMinutes":"-1")");
    other = with(other, R"("defaultRetentionSizeInMB":"0")", R"("defaultRetentionSizeInMB":"500")");
    other = with(other, R"("ttlDurationDefaultInSeconds":"0")", R"("ttlDurationDefaultInSeconds":"3600")");
    other = with(other, R"("subscriptionExpirationTimeMinutes":"0")", R"("subscriptionExpirationTimeMinutes":"x")");
    other = with(other, R"("replicatorPrefix":"pulsar.repl")", R"("replicatorPrefix":"geo")");
    const auto defaults = decode_runtime_configuration(other).value();
    CHECK(defaults.cursor_names == model::CursorNames{"geo", {}});
    CHECK(defaults.retention->minutes == -1);
    CHECK(defaults.retention->megabytes == 500);
    CHECK(defaults.ttl_seconds == 3600);
    CHECK(!defaults.expiration_minutes);
  }
  const auto bare = decode_runtime_configuration(R"({"ttlDurationDefaultInSeconds":5})").value();
  CHECK(!bare.retention);
  CHECK(bare.ttl_seconds == 5);
  CHECK(bare.cluster.empty());
  const auto endless = decode_runtime_configuration(R"({"ttlDurationDefaultInSeconds":"9223372036854775807"})").value();
  CHECK(endless.ttl_seconds == std::int64_t{1} << 53);
}

TEST_CASE("runtime configuration: cursors that the operator declares to be the system's") {
  for (const auto* version : {"4.0.7", "5.0.1"}) {
    const auto system_of = [&](const std::string& printed) {
      const auto text = with(sample(version, "runtime-configuration.json"), R"("additionalSystemCursorNames":"[]")",
                             R"("additionalSystemCursorNames":)" + printed);
      return decode_runtime_configuration(text).value().cursor_names.system;
    };
    CHECK(system_of(R"("[auditor]")") == std::vector<std::string>{"auditor"});
    CHECK(system_of(R"("[auditor, billing sync]")") == std::vector<std::string>{"auditor", "billing sync"});
    for (const auto* none : {R"("")", R"("[")", R"("auditor")", "null", "[]", "5"}) CHECK(system_of(none).empty());
  }
}

TEST_CASE("runtime configuration: what decides when ledgers roll over and are deleted") {
  for (const auto* version : {"2.10.5", "4.0.7"}) {
    const auto defaults = decode_runtime_configuration(sample(version, "runtime-configuration.json")).value();
    CHECK(defaults.max_rollover_minutes == 240);
    CHECK(defaults.min_rollover_minutes == 0);
    CHECK(defaults.max_ledger_entries == 20);
    CHECK(defaults.max_ledger_megabytes == 2048);
    CHECK(defaults.retention_check_seconds == 5);
    CHECK(defaults.ensemble == 1);
    CHECK(defaults.write_quorum == 1);
    CHECK(defaults.precise_age_quota == false);
    REQUIRE(defaults.quota);  // told that there is none
    CHECK(defaults.quota->gives_size);
    CHECK_FALSE(defaults.quota->bytes);
    CHECK_FALSE(defaults.quota->seconds);
  }
  CHECK_FALSE(decode_runtime_configuration("{}").value().quota);
}

TEST_CASE("policies: which kinds of quota are given, and how ledgers are spread") {
  const auto policies =
      decode_policies(R"({"backlog_quota_map":{"message_age":{"limitTime":60,"policy":"producer_exception"}},)"
                      R"("persistence":{"bookkeeperEnsemble":3,"bookkeeperWriteQuorum":2}})")
          .value();
  REQUIRE(policies.quota);
  CHECK(policies.quota->gives_age);
  CHECK_FALSE(policies.quota->gives_size);
  CHECK(policies.ensemble == 3);
  CHECK(policies.write_quorum == 2);
  CHECK_FALSE(decode_policies(R"({"backlog_quota_map":{},"persistence":null})").value().write_quorum);
}

TEST_CASE("a topic's own policies") {
  model::TopicPolicies own;
  const auto take = [&](Endpoint endpoint, std::string_view body) {
    return decode_topic_policy(endpoint, body, own).has_value();
  };
  CHECK(take(Endpoint::kTopicRetention, R"({"retentionTimeInMinutes":-1,"retentionSizeInMB":10})"));
  CHECK(own.retention == model::Retention{-1, 10});
  CHECK(take(Endpoint::kTopicTtl, "3600"));
  CHECK(own.ttl_seconds == 3600);
  CHECK(take(Endpoint::kTopicCompaction, "0"));
  CHECK(own.compaction_threshold_bytes == 0);
  CHECK(
      take(Endpoint::kTopicQuotas, R"({"destination_storage":{"limitSize":5,"policy":"consumer_backlog_eviction"}})"));
  REQUIRE(own.quota);
  CHECK(own.quota->bytes == 5);
  CHECK(own.quota->evicts_by_size);
  CHECK_FALSE(own.quota->gives_age);
  for (const auto* none : {"", "null"}) {
    for (const auto endpoint :
         {Endpoint::kTopicRetention, Endpoint::kTopicTtl, Endpoint::kTopicCompaction, Endpoint::kTopicQuotas}) {
      CHECK(take(endpoint, none));
    }
    CHECK_FALSE(own.retention);
    CHECK_FALSE(own.ttl_seconds);
    CHECK_FALSE(own.compaction_threshold_bytes);
    CHECK_FALSE(own.quota);
  }
  CHECK_FALSE(take(Endpoint::kTopicTtl, "often"));
  CHECK_FALSE(take(Endpoint::kTopicRetention, "[1"));
}

TEST_CASE("versions") {
  for (const auto* version : kVersions) CHECK(decode_version(sample(version, "version.json")) == version);
  CHECK(decode_version("4.0.7") == "4.0.7");
  CHECK(decode_version(" 4.0.7\r\n") == "4.0.7");
  CHECK(decode_version("\"4.0.7\\u002dx\"") == "4.0.7-x");
  for (const auto* text : {"4.0.7", "2.10.5.3-SNAPSHOT", "5"}) CHECK(is_version(text));
  for (const auto* text : {"", "v4", "<html>", "4 <b>", "{}"}) CHECK_FALSE(is_version(text));
  CHECK_FALSE(is_version(std::string(65, '4')));
  CHECK(decode_version("").empty());
  CHECK(decode_version("\"") == "\"");
}

TEST_CASE("bookies") {
  CHECK(decode_bookies(R"({"bookies":[{"bookieId":"b0:3181"},{"bookieId":"b1:3181"},{},{"bookieId":null}]})").value() ==
        std::vector<std::string>{"b0:3181", "b1:3181"});
  CHECK(decode_bookies("{}").value().empty());
  CHECK(decode_bookies("[]").has_error());
  CHECK(decode_partitions(R"({"partitions":3,"deleted":false})").value() == 3);
  for (const auto* none : {"{}", "[]", R"({"partitions":-1})", R"({"partitions":2000000})", R"({"partitions":"x"})"})
    CHECK(decode_partitions(none).has_error());
}
