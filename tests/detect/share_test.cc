#include "detect/share.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "detect/rules/rules.h"
#include "support/catch.h"

using namespace tidemark;
using model::Rule;
using model::Share;
using model::Watch;

namespace {

const std::vector<std::string> kNamespaces{"acme/a", "acme/b", "acme/c", "acme/d", "acme/e"};

// Of every kind one, as each process would find it if it saw everything.
std::vector<model::Finding> all_findings() {
  std::vector<model::Finding> all;
  for (const auto& ns : kNamespaces) {
    for (const auto rule : {Rule::kPolicyAudit, Rule::kExpirationLegacyZero, Rule::kExpirationUnset,
                            Rule::kExpirationIneffective, Rule::kTtlRetention}) {
      all.push_back(detect::rules::namespace_finding(rule, ns));
    }
    all.push_back(detect::rules::finding_of(Rule::kHeldWithoutCursor, "persistent://" + ns + "/x"));
  }
  auto tenant = detect::rules::finding_of(Rule::kSubscriptionCountGrowth, "acme");
  tenant.level = model::Level::kTenant;
  all.push_back(tenant);
  all.push_back(detect::rules::finding_of(Rule::kBookieReadOnly, "bookie-0:8000"));
  all.push_back(detect::rules::finding_of(Rule::kWritableBookiesLow, "blue"));
  all.push_back(detect::rules::finding_of(Rule::kDiskGrowthFlatTraffic, "blue"));
  return all;
}

std::string key_of(const model::Finding& finding) { return finding.rule + " " + finding.subject; }

// How many of the processes say each.
std::map<std::string, int> said_by(const std::vector<Share>& shares) {
  std::map<std::string, int> said;
  for (const auto& share : shares) {
    auto findings = all_findings();
    detect::keep_ours(share, findings);
    for (const auto& finding : findings) {
      const bool whole = finding.evidence.empty();
      CHECK(whole == (finding.subject.find('(') == std::string::npos));
      ++said[key_of(finding)];
    }
  }
  return said;
}

}  // namespace

TEST_CASE("who watches all says all") {
  const auto said = said_by({Share{}});
  CHECK(said.size() == all_findings().size());
}

TEST_CASE("shards: what is about a bookie, the cluster or a namespace's policies is said once, a tenant in its parts") {
  const auto said =
      said_by({{Watch::kCluster, {0, 3}, ""}, {Watch::kCluster, {1, 3}, ""}, {Watch::kCluster, {2, 3}, ""}});
  std::set<std::string> expected{"bookie_read_only bookie-0:8000", "writable_bookies_low blue"};
  for (const auto& ns : kNamespaces) {
    for (const auto* rule :
         {"policy_audit", "expiration_legacy_zero", "expiration_unset", "expiration_ineffective", "ttl_retention"}) {
      expected.insert(std::string(rule) + " " + ns);
    }
  }
  for (int i = 0; i < 3; ++i) {
    expected.insert("subscription_count_growth acme (shard " + std::to_string(i) + " of 3)");
  }
  for (const auto& key : expected) {
    INFO(key);
    REQUIRE(said.contains(key));
    CHECK(said.at(key) == 1);
  }
}

TEST_CASE("what holds bookies against all topics is said by who sees all of them") {
  CHECK(said_by({Share{}}).contains("disk_growth_flat_traffic blue"));
  const auto said = said_by({{Watch::kCluster, {0, 2}, ""},
                             {Watch::kCluster, {1, 2}, ""},
                             {Watch::kSidecar, {}, "b0:8080"},
                             {Watch::kBesideSidecars, {}, ""}});
  CHECK_FALSE(said.contains("disk_growth_flat_traffic blue"));
}

TEST_CASE("sidecars: policies, bookies and the cluster are said beside them, the rest by each of its part") {
  const auto said =
      said_by({{Watch::kSidecar, {}, "b0:8080"}, {Watch::kSidecar, {}, "b1:8080"}, {Watch::kBesideSidecars, {}, ""}});
  for (const auto* key : {"bookie_read_only bookie-0:8000", "writable_bookies_low blue", "policy_audit acme/a",
                          "expiration_legacy_zero acme/a", "expiration_unset acme/a (on b0:8080)",
                          "expiration_unset acme/a (on b1:8080)", "expiration_unset acme/a (not loaded)",
                          "ttl_retention acme/a (on b1:8080)", "subscription_count_growth acme (on b0:8080)"}) {
    INFO(key);
    REQUIRE(said.contains(key));
    CHECK(said.at(key) == 1);
  }
  CHECK_FALSE(said.contains("expiration_unset acme/a"));
}
