#include "survey/scrub.h"

#include "pulsar/cluster_documents.h"
#include "support/catch.h"

using namespace tidemark;
using pulsar::Endpoint;

TEST_CASE("addresses, metadata and roles do not get into a recording") {
  const auto clean = survey::scrub(
      Endpoint::kStats,
      R"({"publishers":[{"producerName":"p","address":"/192.0.2.9:4100","metadata":{"token":"hunter2"}}],"x":[1,2.5,true,null,"t"]})");
  REQUIRE(clean.has_value());
  CHECK(*clean == R"({"publishers":[{"producerName":"p","address":"","metadata":{}}],"x":[1,2.5,true,null,"t"]})");
  const auto policies = survey::scrub(Endpoint::kPolicies,
                                      R"({"auth_policies":{"namespace_auth":{"role-7":["consume"]}},"deleted":false})");
  CHECK(*policies == R"({"auth_policies":{},"deleted":false})");
}

TEST_CASE("of a broker's configuration only what is known to be harmless stays") {
  const auto clean =
      survey::scrub(Endpoint::kRuntimeConfiguration,
                    R"({"clusterName":"c1","tlsTrustStorePassword":"hunter2","brokerClientAuthenticationParameters":)"
                    R"({"token":"hunter2"},"managedLedgerMaxEntriesPerLedger":"50000","somethingNew":["hunter2"]})");
  REQUIRE(clean.has_value());
  CHECK(*clean == R"({"clusterName":"c1","managedLedgerMaxEntriesPerLedger":"50000"})");
}

TEST_CASE("of a bookie's configuration only what is known to be harmless stays") {
  const auto clean =
      survey::scrub(Endpoint::kBookieConfiguration,
                    R"({"diskUsageThreshold":"0.90","tlsKeyStorePassword":"hunter2","zkServers":"zk-1:2181"})");
  REQUIRE(clean.has_value());
  CHECK(*clean == R"({"diskUsageThreshold":"0.90"})");
}

TEST_CASE("what is no JSON is said to be none") { CHECK(survey::scrub(Endpoint::kStats, "<html>").has_error()); }

TEST_CASE("what is read of a broker's configuration is not lost in a recording") {
  const std::string text =
      R"({"clusterName":"c1","defaultRetentionTimeInMinutes":"1","defaultRetentionSizeInMB":"2",)"
      R"("ttlDurationDefaultInSeconds":"3","subscriptionExpirationTimeMinutes":"4","statsUpdateFrequencyInSecs":"5",)"
      R"("brokerServiceCompactionThresholdInBytes":"6","brokerDeduplicationEntriesInterval":"7",)"
      R"("backlogQuotaDefaultLimitBytes":"8","backlogQuotaDefaultLimitSecond":"9",)"
      R"("backlogQuotaDefaultRetentionPolicy":"consumer_backlog_eviction","replicatorPrefix":"geo",)"
      R"("messageExpiryCheckIntervalInMinutes":"10","subscriptionExpiryCheckIntervalInMinutes":"11",)"
      R"("additionalSystemCursorNames":"[auditor]"})";
  const auto whole = pulsar::decode_runtime_configuration(text).value();
  REQUIRE(whole.compaction_threshold_bytes == 6);
  REQUIRE(whole.expiry_check_minutes == 10);
  REQUIRE(whole.expiration_check_minutes == 11);
  REQUIRE(whole.cursor_names.system.size() == 1);
  const auto clean = survey::scrub(Endpoint::kRuntimeConfiguration, text);
  REQUIRE(clean.has_value());
  CHECK(pulsar::decode_runtime_configuration(*clean).value() == whole);
}
