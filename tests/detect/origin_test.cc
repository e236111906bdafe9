#include "detect/origin.h"

#include "support/catch.h"

using namespace tidemark;
using model::Origin;

TEST_CASE("who a subscription's name comes from, and the group that it belongs to") {
  struct Row {
    const char* name;
    Origin origin;
    const char* group;
  };
  const Row rows[] = {
      {"orders-7d9f8b6c5d-x2k4q", Origin::kPerInstance, "orders-*"},
      {"orders-5f6d7c8b9f-zz2lp", Origin::kPerInstance, "orders-*"},
      {"web-0", Origin::kPerInstance, "web-*"},
      {"ip-10-0-13-7", Origin::kPerInstance, "ip-*"},
      {"consumer-123e4567-e89b-12d3-a456-426614174000", Origin::kPerInstance, "consumer-*"},
      {"i-0abc123def4567890", Origin::kPerInstance, "*"},
      {"spark-3f2a-structured", Origin::kBatchJob, "spark-3f2a-structured"},
      {"flink-orders-sink", Origin::kBatchJob, "flink-orders-sink"},
      {"etl-job-20250109", Origin::kBatchJob, "etl-job-*"},
      {"test", Origin::kTestOrDev, "test"},
      {"my-test-sub", Origin::kTestOrDev, "my-test-sub"},
      {"debug_anna", Origin::kTestOrDev, "debug_anna"},
      {"tenant-a/ns-1/fn-old", Origin::kFunctionOrSink, "tenant-a/ns-1/fn-old"},
      {"reader-0a1b2c3d4e", Origin::kReaderLike, "reader-*"},
      {"multiTopicsReader-0a1b2c3d4e", Origin::kReaderLike, "multiTopicsReader-*"},
      {"orders-billing", Origin::kNamed, "orders-billing"},
      {"payments", Origin::kNamed, "payments"},
      {"contest-results", Origin::kNamed, "contest-results"},
      {"developer-portal", Origin::kNamed, "developer-portal"},
  };
  const auto patterns = detect::OriginPatterns::compile({}).value();
  for (const auto& row : rows) {
    INFO(row.name);
    const auto got = patterns.of(row.name);
    CHECK(std::string(model::name_of(got.origin)) == model::name_of(row.origin));
    CHECK(got.group == row.group);
  }
}

TEST_CASE("own patterns come first, and a bad one is named") {
  const auto patterns = detect::OriginPatterns::compile({{"^billing-", Origin::kBatchJob}}).value();
  CHECK(patterns.of("billing-test").origin == Origin::kBatchJob);
  const auto bad = detect::OriginPatterns::compile({{"(", Origin::kNamed}});
  REQUIRE(bad.has_error());
  CHECK(bad.error().code() == Errc::kConfig);
  CHECK(bad.error().text().find("'('") != std::string::npos);
}

TEST_CASE("a hostile name of any length is only a name") {
  const auto patterns = detect::OriginPatterns::compile({}).value();
  CHECK(patterns.of(std::string(1 << 20, 'a')).origin == Origin::kNamed);
  CHECK_NOTHROW(patterns.of(std::string(5000, '-')));
  CHECK_NOTHROW(patterns.of(std::string("\0\xff\n", 3)));
}
