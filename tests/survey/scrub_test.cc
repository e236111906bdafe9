#include "survey/scrub.h"

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

TEST_CASE("what is no JSON is said to be none") { CHECK(survey::scrub(Endpoint::kStats, "<html>").has_error()); }
