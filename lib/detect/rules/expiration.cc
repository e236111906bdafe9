// Automatic expiration of subscriptions: where it is missing though subscriptions are left behind, and a stored 0 that
// came from a time when it meant the broker's default and now turns expiration off.
#include <fmt/format.h>

#include <map>
#include <string>

#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

std::map<std::string, std::int64_t> left_behind(const model::Verdicts& verdicts) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& verdict : verdicts.cursors) {
    if (counted_state(verdict) != model::State::kAbandoned || verdict.exception) continue;
    if (const auto name = model::parse_topic(verdict.topic)) ++counts[std::string(name->ns)];
  }
  return counts;
}

}  // namespace

void expiration_unset(const ClusterCase& c, Findings& out) {
  for (const auto& [name, count] : left_behind(c.verdicts)) {
    const auto ns = c.snapshot.namespaces.find(name);
    if (ns == c.snapshot.namespaces.end()) continue;
    const auto expiration = model::expiration_minutes_of(c.snapshot, ns->second);
    if (expiration.value != 0) continue;
    auto finding = namespace_finding(model::Rule::kExpirationUnset, name);
    finding.summary =
        fmt::format("{} abandoned subscription{}, and none here ever expires", count, count == 1 ? "" : "s");
    finding.evidence = {{"abandoned", count}, {"source", std::string(model::name_of(expiration.source))}};
    out.push_back(std::move(finding));
  }
}

void expiration_legacy_zero(const ClusterCase& c, Findings& out) {
  if (!model::zero_expiration_is_off(c.snapshot.version)) return;
  for (const auto& [name, ns] : c.snapshot.namespaces) {
    if (!ns.policies_known || ns.deleted || ns.expiration_minutes != 0) continue;
    auto finding = namespace_finding(model::Rule::kExpirationLegacyZero, name);
    finding.summary = "a stored 0 turns expiration off here, whatever the brokers' default is";
    if (const auto broker = c.snapshot.defaults.expiration_minutes) {
      finding.evidence.emplace_back("broker_default_minutes", *broker);
    }
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
