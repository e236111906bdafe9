#include "bookie/configuration.h"

#include "support/catch.h"

using tidemark::bookie::decode_configuration;

TEST_CASE("the threshold of a bookie's configuration") {
  CHECK(decode_configuration(R"({"diskUsageThreshold":"0.90","bookiePort":"3181"})").value().disk_usage_threshold ==
        0.9);
  CHECK(decode_configuration(R"({"diskUsageThreshold":0.75})").value().disk_usage_threshold == 0.75);
  for (const auto* none :
       {"{}", R"({"diskUsageThreshold":null})", R"({"diskUsageThreshold":"0.9x"})", R"({"diskUsageThreshold":"0"})",
        R"({"diskUsageThreshold":"90"})", R"({"diskUsageThreshold":"[0.9, 0.8]"})"}) {
    INFO(none);
    CHECK_FALSE(decode_configuration(none).value().disk_usage_threshold);
  }
  CHECK(decode_configuration("<html>").has_error());
}

TEST_CASE("when a bookie suspends compaction, and whether it forces it instead") {
  const auto told =
      decode_configuration(R"({"diskUsageWarnThreshold":"0.80","isForceGCAllowWhenNoSpace":"true"})").value();
  CHECK(told.disk_usage_warn_threshold == 0.8);
  CHECK(told.forced_when_full == true);
  CHECK(decode_configuration(R"({"isForceGCAllowWhenNoSpace":"false"})").value().forced_when_full == false);
  CHECK_FALSE(decode_configuration(R"({"isForceGCAllowWhenNoSpace":"maybe"})").value().forced_when_full);
  CHECK_FALSE(decode_configuration("{}").value().disk_usage_warn_threshold);
}
