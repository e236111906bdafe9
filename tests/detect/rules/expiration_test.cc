#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::State;

namespace {

struct Policies {
  const char* why;
  const char* version;
  std::optional<std::int64_t> ns, broker;
  const char* unset_by;  // the source that a finding names; null = none is made
  bool legacy;
};

const std::vector<Policies> kPolicies{
    {"off everywhere", "4.0.7", {}, 0, "broker", false},
    {"the broker's configuration cannot be read", "4.0.7", {}, {}, nullptr, false},
    {"the broker expires", "4.0.7", {}, 1440, nullptr, false},
    {"the namespace expires", "4.0.7", 1440, 0, nullptr, false},
    {"a 0 that turns it off", "2.10.5", 0, 1440, "namespace", true},
    {"a 0, since 2.8.1", "2.8.1", 0, 1440, "namespace", true},
    {"a 0 that means the broker's", "2.8.0", 0, 1440, nullptr, false},
    {"a 0 that means the broker's, which is off", "2.8.0", 0, 0, "broker", false},
    {"a version that nobody told is recent", "", 0, {}, "namespace", true},
};

}  // namespace

TEST_CASE("expiration that is missing where subscriptions are left behind") {
  for (const auto& row : kPolicies) {
    INFO(row.why);
    TopicBench bench;
    bench.snapshot.interval = Duration{kDay};
    bench.snapshot.version = row.version;
    bench.snapshot.defaults.expiration_minutes = row.broker;
    bench.ns.expiration_minutes = row.ns;
    bench.add("sub", {102, 9});
    const auto early = bench.poll(kStart);
    CHECK(findings_of(early, "expiration_unset").empty());
    CHECK(findings_of(early, "expiration_legacy_zero").empty() != row.legacy);
    model::Verdicts late;
    for (int day = 1; day <= 9; ++day) late = bench.poll(kStart + day * kDay);
    REQUIRE(late.cursors.at(0).state == State::kAbandoned);
    const auto found = findings_of(late, "expiration_unset");
    REQUIRE(found.empty() == (row.unset_by == nullptr));
    if (found.empty()) continue;
    CHECK(found[0].subject == "acme/shop");
    CHECK(fact<std::int64_t>(found[0], "abandoned") == 1);
    CHECK(fact<std::string>(found[0], "source") == row.unset_by);
  }
}

TEST_CASE("what is kept on purpose misses no expiration") {
  TopicBench bench;
  bench.snapshot.interval = Duration{kDay};
  bench.snapshot.defaults.expiration_minutes = 0;
  bench.add("sub", {102, 9}).properties["tidemark.keep"] = "read once a year";
  model::Verdicts late;
  for (int day = 0; day <= 9; ++day) late = bench.poll(kStart + day * kDay);
  REQUIRE(late.cursors.at(0).state == State::kAbandoned);
  CHECK(findings_of(late, "expiration_unset").empty());
}
