#include "model/policies.h"

#include "support/catch.h"

using namespace tidemark::model;

namespace {

struct Bench {
  Snapshot snapshot;
  TopicView topic;
  NamespaceView* ns;
  TopicPolicies* own;

  Bench() {
    topic.name = "persistent://a/b/t-partition-3";
    topic.ns = "a/b";
    own = &snapshot.topic_policies["persistent://a/b/t"];
    ns = &snapshot.namespaces["a/b"];
    ns->policies_known = true;
  }
};

BacklogQuota by_size(std::int64_t bytes) {
  BacklogQuota quota;
  quota.gives_size = true;
  quota.bytes = bytes;
  quota.evicts_by_size = true;
  return quota;
}

BacklogQuota by_age(std::int64_t seconds) {
  BacklogQuota quota;
  quota.gives_age = true;
  quota.seconds = seconds;
  return quota;
}

}  // namespace

TEST_CASE("topic before namespace before broker; zero and minus one are answers") {
  Bench bench;
  CHECK_FALSE(retention_of(bench.snapshot, bench.topic).value);
  CHECK(retention_of(bench.snapshot, bench.topic).source == PolicySource::kUnknown);
  bench.snapshot.defaults.retention = Retention{60, 100};
  CHECK(retention_of(bench.snapshot, bench.topic).value == Retention{60, 100});
  CHECK(retention_of(bench.snapshot, bench.topic).source == PolicySource::kBroker);
  bench.ns->retention = Retention{0, 0};
  CHECK(retention_of(bench.snapshot, bench.topic).value == Retention{0, 0});
  CHECK(retention_of(bench.snapshot, bench.topic).source == PolicySource::kNamespace);
  bench.own->retention = Retention{-1, -1};
  CHECK(retention_of(bench.snapshot, bench.topic).value == Retention{-1, -1});
  CHECK(retention_of(bench.snapshot, bench.topic).source == PolicySource::kTopic);
}

TEST_CASE("a namespace that was not read hides what it leaves to the broker") {
  Bench bench;
  bench.ns->policies_known = false;
  bench.snapshot.defaults.ttl_seconds = 60;
  CHECK_FALSE(ttl_seconds_of(bench.snapshot, bench.topic).value);
  bench.own->ttl_seconds = 30;
  CHECK(ttl_seconds_of(bench.snapshot, bench.topic).value == 30);
}

TEST_CASE("a TTL of zero is none, whatever the broker's") {
  Bench bench;
  bench.snapshot.defaults.ttl_seconds = 60;
  CHECK(ttl_seconds_of(bench.snapshot, bench.topic).value == 60);
  bench.ns->ttl_seconds = 0;
  CHECK(ttl_seconds_of(bench.snapshot, bench.topic).value == 0);
  bench.ns->ttl_seconds = -1;
  CHECK(ttl_seconds_of(bench.snapshot, bench.topic).value == 0);
  bench.snapshot.defaults.compaction_threshold_bytes = 100;
  CHECK(compaction_threshold_of(bench.snapshot, bench.topic).value == 100);
  bench.ns->compaction_threshold_bytes = 0;
  CHECK(compaction_threshold_of(bench.snapshot, bench.topic).value == 0);
}

TEST_CASE("quotas fall through kind by kind") {
  Bench bench;
  bench.snapshot.defaults.quota = by_size(1000);
  bench.ns->quota = by_age(60);
  auto quota = quota_of(bench.snapshot, bench.topic);
  CHECK(quota.limits.bytes == 1000);
  CHECK(quota.limits.evicts_by_size);
  CHECK(quota.limits.seconds == 60);
  CHECK_FALSE(quota.limits.evicts_by_age);
  CHECK(quota.size_source == PolicySource::kBroker);
  CHECK(quota.age_source == PolicySource::kNamespace);
  bench.own->quota = by_size(5);
  quota = quota_of(bench.snapshot, bench.topic);
  CHECK(quota.limits.bytes == 5);
  CHECK(quota.size_source == PolicySource::kTopic);
}

TEST_CASE("a namespace's expiration of 0 was the broker's until 2.8.0") {
  Bench bench;
  bench.ns->expiration_minutes = 0;
  bench.snapshot.defaults.expiration_minutes = 1440;
  const auto expiration = [&](const char* version) {
    bench.snapshot.version = version;
    return expiration_minutes_of(bench.snapshot, *bench.ns);
  };
  CHECK(expiration("2.8.0").value == 1440);
  CHECK(expiration("2.8.0").source == PolicySource::kBroker);
  CHECK(expiration("2.8.1").value == 0);
  CHECK(expiration("2.8.1").source == PolicySource::kNamespace);
  CHECK(expiration("").value == 0);
  bench.ns->expiration_minutes = -1;
  CHECK(expiration("4.0.7").value == 0);
  bench.ns->expiration_minutes.reset();
  CHECK(expiration("4.0.7").value == 1440);
  bench.snapshot.defaults.expiration_minutes.reset();
  CHECK_FALSE(expiration("4.0.7").value);
}

TEST_CASE("versions that begin to count anew with each load") {
  for (const auto* version : {"3.2.4", "3.3.1", "4.0.7", "4.2.4"}) CHECK(load_restarts_expiration(version));
  for (const auto* version : {"2.10.5", "3.0.7", "3.2.3", "3.3.0", "5.0.1", ""}) {
    CHECK_FALSE(load_restarts_expiration(version));
  }
}
