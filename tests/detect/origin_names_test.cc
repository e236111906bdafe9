// Names of the kinds that clusters are full of, with what each must be taken for. The last table matters most: what a
// person chose must stay `named`, because a wrong group would join what does not belong together.
#include <set>
#include <string>

#include "detect/origin.h"
#include "support/catch.h"

using namespace tidemark;
using model::Origin;

namespace {

struct Row {
  const char* name;
  const char* group;
};

const detect::OriginPatterns& builtin() {
  static const auto patterns = detect::OriginPatterns::compile({}).value();
  return patterns;
}

void check(const std::vector<Row>& rows, Origin origin) {
  for (const auto& row : rows) {
    INFO(row.name);
    const auto got = builtin().of(row.name);
    CHECK(std::string(model::name_of(got.origin)) == model::name_of(origin));
    CHECK(got.group == row.group);
  }
}

}  // namespace

TEST_CASE("pods, hosts, addresses and ordinals are one of many instances") {
  check(
      {
          // Deployments: hash of the template and five characters; since 1.8 the hash is of 4-9, b, c, d and f.
          {"orders-7d9f8b6c5d-x2k4q", "orders-*"},
          {"orders-5f6d7c8b9f-zz2lp", "orders-*"},
          {"orders-6tqg7r5tvm-blgsd", "orders-*"},
          {"orders-service-eu-west-1-7d9f8b6c5d-x2k4q", "orders-service-eu-west-1-*"},
          {"shop.orders-79b4d6c8f-hzrtk", "shop.orders-*"},
          {"billing-2024-6bd4d94fdc-9xwhr", "billing-2024-*"},
          {"api-v2-bfd6c7d8f-pk8wn", "api-v2-*"},
          {"orders-2035384211-bskzp", "orders-*"},
          {"orders-7d9f8b6c5d-x2k4q-0", "orders-*"},
          {"orders-7d9f8b6c5d-x2k4q.orders.svc.cluster.local", "orders-*.orders.svc.cluster.local"},
          {"batch-worker-7d9f8b6c5d-x2k4q", "batch-worker-*"},
          {"4711@orders-7d9f8b6c5d-x2k4q", "*@orders-*"},
          // DaemonSets.
          {"fluentd-x2k4q", "fluentd-*"},
          {"node-exporter-zqkbw", "node-exporter-*"},
          // StatefulSets and other ordinals.
          {"web-0", "web-*"},
          {"web-12", "web-*"},
          {"web-0.web.default.svc.cluster.local", "web-*.web.default.svc.cluster.local"},
          {"ingest_3", "ingest_*"},
          {"ingest#3", "ingest#*"},
          {"worker12", "worker*"},
          {"worker-3-orders", "worker-*-orders"},
          {"web00012", "web*"},
          {"pool-3-thread-12", "pool-3-thread-*"},
          {"replica-1", "replica-*"},
          {"subscription-7", "subscription-*"},
          {"42", "*"},
          // EC2, ECS, GCE, GKE, AKS, Azure, Windows.
          {"i-0abc123def4567890", "*"},
          {"worker-i-1a2b3c4d", "worker-*"},
          {"ip-10-0-13-7", "ip-*"},
          {"ip-10-0-13-7.eu-west-1.compute.internal", "ip-*.eu-west-1.compute.internal"},
          {"ec2-54-210-3-99.compute-1.amazonaws.com", "ec2-*.compute-*.amazonaws.com"},
          {"gke-prod-default-pool-1a2b3c4d-x7k2", "gke-prod-default-pool-*"},
          {"web-mig-x7k2", "web-mig-*"},
          {"instance-20240115-101010", "instance-*"},
          {"aks-nodepool1-12345678-vmss00000a", "aks-nodepool1-*-vmss*"},
          {"myvm000001", "myvm*"},
          {"DESKTOP-AB12CD3", "DESKTOP-*"},
          {"WIN-1A2B3C4D5E6", "WIN-*"},
          {"RD0003FF5A1B2C", "*"},
          // Addresses.
          {"consumer-10.0.13.7", "consumer-*"},
          {"consumer_192.168.1.20_audit", "consumer_*_audit"},
          {"10.0.13.7:6650", "*"},
          {"consumer-fe80::1ff:fe23:4567:890a", "consumer-*"},
          {"consumer-[2001:db8:85a3:0:0:8a2e:370:7334]", "consumer-[*]"},
          {"agent-02:42:ac:11:00:02", "agent-*"},
          {"agent-02-42-ac-11-00-02", "agent-*"},
          // UUIDs, container and commit ids, other hashes.
          {"consumer-123e4567-e89b-12d3-a456-426614174000", "consumer-*"},
          {"123E4567-E89B-12D3-A456-426614174000", "*"},
          {"123e4567_e89b_12d3_a456_426614174000-orders", "*-orders"},
          {"consumer-123e4567e89b12d3a456426614174000", "consumer-*"},
          {"orders-3f2a9b8c7d6e", "orders-*"},
          {"orders-a1b2c3d", "orders-*"},
          {"orders-9fceb02d0ae598e95dc970b74767f19372d61af8", "orders-*"},
          {"orders-k3J9xQ2LmZ", "orders-*"},
          {"orders.01ARZ3NDEKTSV4RRFFQ69G5FAV", "orders.*"},
          {"orders-507f1f77bcf86cd799439011", "orders-*"},
          // Kafka clients on Pulsar: Spring's anonymous groups, Streams.
          {"anonymous.xUkG3vHSQ-mYpRsVlTQ_hA", "anonymous.*"},
          {"anonymous.123e4567-e89b-12d3-a456-426614174000", "anonymous.*"},
          {"enrich-123e4567-e89b-12d3-a456-426614174000-StreamThread-1-consumer", "enrich-*-StreamThread-*-consumer"},
          // Epoch times without a word of a job.
          {"orders-1736467200000", "orders-*"},
          {"orders-1736467200.123", "orders-*"},
      },
      Origin::kPerInstance);
}

TEST_CASE("batch engines, dated names, jobs and CI runs are batch jobs") {
  check(
      {
          {"spark-pulsar-123e4567-e89b-12d3-a456-426614174000--1284759", "spark-pulsar-*"},
          {"spark-3f2a-structured", "spark-3f2a-structured"},
          {"daily_SparkIngest", "daily_SparkIngest"},
          {"flink-orders-sink", "flink-orders-sink"},
          {"flink-pulsar-123e4567-e89b-12d3-a456-426614174000", "flink-pulsar-*"},
          {"airflow-orders-export", "airflow-orders-export"},
          {"airflow.scheduled__2024-01-15T00:00:00+00:00", "airflow.scheduled__*"},
          {"manual__2024-01-15T10:30:12.123456+00:00", "manual__*"},
          {"dagrun_4711", "dagrun_*"},
          {"beam-pulsario-orders", "beam-pulsario-orders"},
          {"dataflow-orders-2024-01-15_03_12_44-123456789", "dataflow-orders-*"},
          {"databricks-job-4711-run-88", "databricks-job-4711-run-*"},
          // Kubernetes: a CronJob puts the scheduled minute into the Job's name, a Job five characters into the pod's.
          {"report-28391040", "report-*"},
          {"report-28391040-x2k4q", "report-*"},
          {"report-28391040-blgsd", "report-*"},
          {"nightly-report-28456789-9xwhr", "nightly-report-*"},
          {"etl-x2k4q", "etl-*"},
          {"etl-job-x2k4q", "etl-job-*"},
          {"backfill-job-0-x2k4q", "backfill-job-*"},
          // Run numbers and dates.
          {"etl-job-20250109", "etl-job-*"},
          {"etl_run_4711", "etl_run_*"},
          {"job-123e4567-e89b-12d3-a456-426614174000", "job-*"},
          {"backfill-1736467200", "backfill-*"},
          {"report-2024-01-15", "report-*"},
          {"report_2024_01_15", "report_*"},
          {"report-2024-01", "report-*"},
          {"report-20240115-1030", "report-*"},
          {"report-20240115T103000Z", "report-*"},
          {"report-202401151030", "report-*"},
          {"export-2024-01-15T10-30-00", "export-*"},
          // CI.
          {"ci-build-4711", "ci-build-*"},
          {"jenkins-orders-1234", "jenkins-orders-*"},
          {"gha-run-7654321098", "gha-run-*"},
          {"gitlab-ci-orders-a1b2c3d", "gitlab-ci-orders-*"},
          {"pr-1234", "pr-*"},
      },
      Origin::kBatchJob);
}

TEST_CASE("tests, debugging and developers' machines") {
  check(
      {
          {"test", "test"},
          {"test1", "test1"},
          {"TEST_SUB", "TEST_SUB"},
          {"my-test-sub", "my-test-sub"},
          {"myTestSub", "myTestSub"},
          {"orders-integration-tests-4711", "orders-integration-tests-*"},
          {"ci-test-run-1234", "ci-test-run-*"},
          {"test-7d9f8b6c5d-x2k4q", "test-*"},
          {"debug_anna", "debug_anna"},
          {"orders.debug", "orders.debug"},
          {"tmp", "tmp"},
          {"tmp-20240115", "tmp-*"},
          {"anna-tmp-2", "anna-tmp-*"},
          {"dev-anna", "dev-anna"},
          {"orders-dev", "orders-dev"},
          {"jdoe-laptop", "jdoe-laptop"},
          {"Annas-MacBook-Pro.local", "Annas-MacBook-Pro.local"},
          {"localhost", "localhost"},
          {"demo", "demo"},
          {"poc-fraud", "poc-fraud"},
          {"sandbox-sub", "sandbox-sub"},
          {"foo", "foo"},
          {"bar-sub", "bar-sub"},
          {"temp", "temp"},
          {"my-sub", "my-sub"},
          {"my-subscription", "my-subscription"},
          {"first-subscription", "first-subscription"},
          {"mySubscriptionName", "mySubscriptionName"},
          {"console-consumer-12345", "console-consumer-*"},
          {"perf-consumer-54321", "perf-consumer-*"},
      },
      Origin::kTestOrDev);
}

TEST_CASE("functions, connectors and readers") {
  check(
      {
          {"tenant-a/ns-1/fn-old", "tenant-a/ns-1/fn-old"},
          {"public/default/word-count", "public/default/word-count"},
          {"shop/orders/elastic-sink", "shop/orders/elastic-sink"},
          {"shop/orders/jdbc-postgres-sink-v2", "shop/orders/jdbc-postgres-sink-v2"},
          {"public/default/test-function", "public/default/test-function"},
          {"public/default/enrich-3f2a9b8c7d6e", "public/default/enrich-*"},
      },
      Origin::kFunctionOrSink);
  check(
      {
          {"reader-0a1b2c3d4e", "reader-*"},
          {"reader-abcdefabcd", "reader-*"},
          {"reader-1234567890", "reader-*"},
          {"multiTopicsReader-0a1b2c3d4e", "multiTopicsReader-*"},
          {"audit-reader-0a1b2c3d4e", "audit-reader-*"},
      },
      Origin::kReaderLike);
}

TEST_CASE("what a person chose stays as it is") {
  const char* const names[] = {
      "orders",
      "payments",
      "orders-billing",
      "Fraud Detection",
      "bestellungen-übersicht",
      "заказы",
      "注文処理",
      // Versions.
      "orders-v2",
      "orders_v10",
      "orders.v3",
      "orders-v1.2.3",
      "orders-1.2.3",
      "orders-2.0",
      "v2",
      "api-version-2",
      "release-7",
      // Years, quarters.
      "billing-2024",
      "billing2024",
      "budget-2025-q1",
      "fy2024-reporting",
      "olympics-2028",
      // Regions and zones.
      "orders-service-eu-west-1",
      "orders-us-east-1a",
      "orders-ap-southeast-2-dr",
      "replicate-us-central1",
      "geo-europe-west1-b",
      "mirror-eastus2",
      "cn-north-1",
      // Numbers that belong to a name.
      "iphone-15-sync",
      "iphone-15",
      "windows-11",
      "error-404-handler",
      "top-10-products",
      "tier-1",
      "phase-2",
      "iso-20022",
      "iso20022-gateway",
      "rfc-7231",
      "psd-2",
      "b2b",
      "b2c-orders",
      "p2p-transfers",
      "s3-archiver",
      "ec2-inventory",
      "k8s-events",
      "h264-encoder",
      "mp4-transcode",
      "utf8-fixer",
      "sha256-index",
      "base64-decode",
      "covid19-dashboard",
      "es2015-lint",
      "log4j2-shipper",
      "oauth2-audit",
      "x509-watch",
      "web3-indexer",
      "24h-summary",
      "route-66-tours",
      "3d-printing",
      "4711-parfum",
      // No vowels, and no pod.
      "bridge-mqtt5",
      "gateway-http2",
      "gateway-https",
      "proxy-grpcs",
      "sync-pgsql",
      "crm",
      "sms-gtwy",
      "prdct-mngmt",
      // Words that only contain one of a test or a job.
      "contest-service",
      "latest-prices",
      "attestation",
      "protest-monitor",
      "greatest-hits",
      "fastest-lap",
      "testament",
      // A debugger, a developer portal, a device are products; only the bare word marks somebody's trial.
      "debugger-proxy",
      "developer-portal",
      "devices",
      "demography",
      "democracy-index",
      "tempo-tracker",
      "template-renderer",
      "temp-sensor-ingest",
      "my-account",
      "foo-fighters-tickets",
      "first-responders",
      "bar-inventory",
      "sparkplug-bridge",
      "jobs-board",
      "job-applications",
      "batch-settlement",
      "etl-orders",
      "daily-digest",
      "pipeline-integrity",
      "circuit-breaker",
      "ci-governance",
      "beamer-ads",
      "run-tracker",
      "task-assignments",
      "build-materials",
      "reader-stats",
      "readers-digest",
      "proofreader",
      // Hex letters, and none.
      "facade",
      "decade-report",
      "cafe-babe",
      "deadbeef",
      "feedback",
      "cascaded-feed",
      // KoP and Connect groups, slashes that are no function.
      "connect-jdbc-sink",
      "mirrormaker2-source",
      "schema-registry",
      "orders/eu",
      "a//b",
      "shop/orders/eu/returns",
  };
  std::set<std::string> seen;
  for (const auto* name : names) {
    INFO(name);
    CHECK(seen.insert(name).second);
    const auto got = builtin().of(name);
    CHECK(std::string(model::name_of(got.origin)) == "named");
    CHECK(got.group == name);
  }
}

TEST_CASE("143 pods of every generation are one group, and two services stay two") {
  // As Kubernetes makes them: ten of "456789bcdf", five of its letters without vowels.
  std::set<std::string> groups;
  std::uint64_t seed = 7;
  const auto pick = [&seed](std::string_view from, int count) {
    std::string text;
    for (; count > 0; --count) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      text += from[(seed >> 33U) % from.size()];
    }
    return text;
  };
  for (int i = 0; i < 143; ++i) {
    const auto pod = pick("456789bcdf", 10) + "-" + pick("bcdfghjklmnpqrstvwxz2456789", 5);
    groups.insert(builtin().of("orders-" + pod).group);
    groups.insert(builtin().of("billing-" + pod).group);
  }
  CHECK(groups == std::set<std::string>{"orders-*", "billing-*"});
}
