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

TEST_CASE("versions") {
  for (const auto* version : kVersions) CHECK(decode_version(sample(version, "version.json")) == version);
  CHECK(decode_version("4.0.7") == "4.0.7");
  CHECK(decode_version(" 4.0.7\r\n") == "4.0.7");
  CHECK(decode_version("\"4.0.7\\u002dx\"") == "4.0.7-x");
  CHECK(decode_version("").empty());
  CHECK(decode_version("\"") == "\"");
}

TEST_CASE("bookies") {
  CHECK(decode_bookies(R"({"bookies":[{"bookieId":"b0:3181"},{"bookieId":"b1:3181"},{},{"bookieId":null}]})").value() ==
        std::vector<std::string>{"b0:3181", "b1:3181"});
  CHECK(decode_bookies("{}").value().empty());
  CHECK(decode_bookies("[]").has_error());
}
