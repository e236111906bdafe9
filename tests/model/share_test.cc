#include "model/share.h"

#include <array>
#include <string>
#include <vector>

#include "support/catch.h"

using namespace tidemark;
using model::Shard;
using model::Share;
using model::Watch;

namespace {

std::vector<std::string> namespaces(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("tenant-" + std::to_string(i % 17) + "/ns-" + std::to_string(i));
  return names;
}

int owner_of(const std::string& ns, int count) {
  int owner = -1;
  for (int i = 0; i < count; ++i) {
    if (!Shard{i, count}.owns(ns)) continue;
    CHECK(owner == -1);  // nobody else has it
    owner = i;
  }
  return owner;
}

}  // namespace

TEST_CASE("each namespace falls to exactly one shard, and about as many to each") {
  for (const int count : {1, 2, 3, 8}) {
    std::vector<int> sizes(static_cast<std::size_t>(count));
    for (const auto& ns : namespaces(4000)) {
      const auto owner = owner_of(ns, count);
      REQUIRE(owner >= 0);
      ++sizes[static_cast<std::size_t>(owner)];
    }
    for (const auto size : sizes) CHECK(std::abs(size - 4000 / count) < 4000 / count / 4);
  }
}

TEST_CASE("one shard more takes its part and moves nothing else") {
  int moved = 0;
  for (const auto& ns : namespaces(3000)) {
    const auto before = owner_of(ns, 3);
    const auto after = owner_of(ns, 4);
    if (before == after) continue;
    ++moved;
    CHECK(after == 3);
  }
  CHECK(moved > 600);
  CHECK(moved < 900);
}

// Processes of two versions run side by side while one is replaced.
TEST_CASE("who has a namespace is the same in every version") {
  struct Case {
    const char* ns;
    int of_3;
    int of_5;
  };
  constexpr std::array kCases{Case{"public/default", 2, 3}, Case{"acme/shop", 0, 0}, Case{"acme/billing", 1, 1},
                              Case{"t/n", 2, 2}, Case{"pulsar/system", 1, 1}};
  for (const auto& [ns, of_3, of_5] : kCases) {
    INFO(ns);
    CHECK(owner_of(ns, 3) == of_3);
    CHECK(owner_of(ns, 5) == of_5);
  }
}

TEST_CASE("who speaks of what") {
  struct Case {
    Share share;
    bool cluster, brokers, policies;
    const char* part_of_namespace;
    const char* part_of_tenant;
  };
  const std::array kCases{
      Case{{}, true, true, true, "", ""},
      Case{{Watch::kCluster, {0, 3}, ""}, true, true, true, "", "shard 0 of 3"},
      Case{{Watch::kCluster, {2, 3}, ""}, false, false, true, "", "shard 2 of 3"},
      Case{{Watch::kSidecar, {}, "b:8080"}, false, true, false, "on b:8080", "on b:8080"},
      Case{{Watch::kBesideSidecars, {}, ""}, true, false, true, "not loaded", "not loaded"},
  };
  for (const auto& one : kCases) {
    CHECK(one.share.speaks_for_cluster() == one.cluster);
    CHECK(one.share.speaks_for_brokers() == one.brokers);
    CHECK(one.share.speaks_for_policies() == one.policies);
    CHECK(one.share.part_of_namespace() == one.part_of_namespace);
    CHECK(one.share.part_of_tenant() == one.part_of_tenant);
  }
}

TEST_CASE("only who has every topic of a namespace knows that one is gone") {
  const std::string topic = "persistent://acme/shop/orders";
  CHECK(Share{}.knows_gone(topic));
  CHECK_FALSE(Share{Watch::kSidecar, {}, "b:8080"}.knows_gone(topic));
  CHECK_FALSE(Share{Watch::kBesideSidecars, {}, ""}.knows_gone(topic));
  const auto owner = owner_of("acme/shop", 3);
  for (int i = 0; i < 3; ++i) CHECK(Share{Watch::kCluster, {i, 3}, ""}.knows_gone(topic) == (i == owner));
}
