#include <set>

#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::Retention;

namespace {

using Causes = std::set<std::string>;

Causes causes(TopicBench& bench) {
  static TimeMs now = kStart;
  Causes found;
  for (const auto& finding : findings_of(bench.poll(now += kMinute), "policy_audit")) {
    CHECK(finding.level == model::Level::kNamespace);
    CHECK(finding.severity == model::Severity::kInfo);
    CHECK(finding.subject == "acme/shop");
    found.insert(fact<std::string>(finding, "cause").value());
  }
  return found;
}

model::BacklogQuota quota(std::optional<std::int64_t> bytes, std::optional<std::int64_t> seconds) {
  model::BacklogQuota made;
  made.gives_size = made.gives_age = true;
  made.bytes = bytes;
  made.seconds = seconds;
  return made;
}

// Everything is told, and a quota bounds what piles up.
TopicBench sound() {
  TopicBench bench;
  bench.snapshot.defaults.retention = Retention{0, 0};
  bench.snapshot.defaults.ttl_seconds = 0;
  bench.snapshot.defaults.expiration_minutes = 0;
  bench.snapshot.defaults.quota = quota(1 << 30, std::nullopt);
  return bench;
}

}  // namespace

TEST_CASE("sound policies are no finding") {
  auto bench = sound();
  CHECK(causes(bench).empty());
  bench.ns.retention = Retention{60, -1};
  CHECK(causes(bench).empty());
  bench.ns.retention = Retention{-1, 1000};
  CHECK(causes(bench).empty());
}

TEST_CASE("retention without end, and pairs with a zero") {
  auto bench = sound();
  bench.ns.retention = Retention{-1, -1};
  CHECK(causes(bench) == Causes{"infinite_retention"});
  for (const auto pair : {Retention{0, 100}, Retention{60, 0}, Retention{0, -1}, Retention{-1, 0}}) {
    bench.ns.retention = pair;
    CHECK(causes(bench) == Causes{"invalid_retention_pair"});
  }
  bench.ns.retention.reset();
  CHECK(causes(bench).empty());
  bench.snapshot.defaults.retention = Retention{-1, -1};
  CHECK(causes(bench) == Causes{"infinite_retention"});
}

TEST_CASE("nothing bounds a backlog") {
  auto bench = sound();
  bench.snapshot.defaults.quota = quota(std::nullopt, std::nullopt);
  CHECK(causes(bench) == Causes{"unbounded_backlog"});
  SECTION("a TTL does") {
    bench.ns.ttl_seconds = 3600;
    CHECK(causes(bench).empty());
    bench.ns.ttl_seconds = 0;
    bench.snapshot.defaults.ttl_seconds = 3600;
    CHECK(causes(bench) == Causes{"unbounded_backlog"});
  }
  SECTION("expiration does") {
    bench.ns.expiration_minutes = 1440;
    CHECK(causes(bench).empty());
  }
  SECTION("the namespace's quota does") {
    bench.ns.quota = quota(1000, std::nullopt);
    CHECK(causes(bench).empty());
  }
  SECTION("what is unknown may") {
    bench.snapshot.defaults.quota.reset();
    CHECK(causes(bench).empty());
  }
}

TEST_CASE("an age quota goes by close times unless it is precise") {
  auto bench = sound();
  bench.ns.quota = quota(std::nullopt, 3600);
  CHECK(causes(bench) == Causes{"approximate_age_quota"});
  bench.snapshot.defaults.precise_age_quota = true;
  CHECK(causes(bench).empty());
}

TEST_CASE("left to a broker that does not tell") {
  TopicBench bench;
  CHECK(causes(bench) == Causes{"broker_default_unknown"});
  bench.ns.ttl_seconds = 0;
  CHECK(causes(bench).empty());
  bench.ns.retention.reset();
  CHECK(causes(bench) == Causes{"broker_default_unknown"});
  SECTION("not where the policies themselves were not read, nor of a namespace that is going") {
    bench.ns.deleted = true;
    CHECK(causes(bench).empty());
    bench.ns.deleted = false;
    bench.ns.policies_known = false;
    CHECK(causes(bench).empty());
  }
}
