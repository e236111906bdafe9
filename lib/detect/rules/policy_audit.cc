// Policies that keep more than their owner may think, or bound nothing. One finding a cause, for namespaces that have
// topics.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/units.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

using model::NamespaceView;

struct Audit {
  const std::string& name;
  const NamespaceView& ns;
  const model::Snapshot& snapshot;
  const model::BrokerDefaults& broker;
  Findings& out;
};

void report(const Audit& audit, std::string_view cause, std::string summary, const model::Evidence& facts) {
  auto finding = namespace_finding(model::Rule::kPolicyAudit, audit.name);
  finding.summary = std::move(summary);
  finding.evidence = {{"cause", std::string(cause)}};
  std::copy(facts.begin(), facts.end(), std::back_inserter(finding.evidence));
  audit.out.push_back(std::move(finding));
}

void audit_retention(const Audit& audit) {
  const auto retention = model::retention_of(audit.ns, audit.broker);
  if (!retention.value) return;
  const auto [minutes, megabytes] = *retention.value;
  model::Evidence facts{{"retention_minutes", minutes},
                        {"retention_megabytes", megabytes},
                        {"source", std::string(model::name_of(retention.source))}};
  if (minutes < 0 && megabytes < 0) {
    report(audit, "infinite_retention", "retention without end: nothing is ever deleted, acknowledged or not", facts);
  } else if ((minutes == 0) != (megabytes == 0)) {
    report(audit, "invalid_retention_pair",
           fmt::format("retention of {} minutes and {} MB: zero in one takes all effect from the other", minutes,
                       megabytes),
           facts);
  }
}

// TTL, a quota and expiration bound a backlog; expiration is off unless it is told otherwise.
void audit_bounds(const Audit& audit) {
  const auto ttl = model::ttl_seconds_of(audit.ns, audit.broker);
  const auto quota = model::quota_of(audit.ns, audit.broker);
  const auto expiration = model::expiration_minutes_of(audit.snapshot, audit.ns);
  const bool no_quota =
      quota.limits.gives_size && quota.limits.gives_age && !quota.limits.bytes && !quota.limits.seconds;
  if (ttl.value == 0 && no_quota && expiration.value.value_or(0) == 0) {
    report(audit, "unbounded_backlog",
           "neither TTL nor a backlog quota nor expiration bounds what a subscription piles up",
           {{"ttl_source", std::string(model::name_of(ttl.source))},
            {"quota_source", std::string(model::name_of(quota.size_source))}});
  }
}

void audit_age_quota(const Audit& audit) {
  const auto quota = model::quota_of(audit.ns, audit.broker);
  if (!quota.limits.seconds || audit.broker.precise_age_quota == true) return;
  report(audit, "approximate_age_quota",
         fmt::format("the backlog quota of {} goes by the close times of ledgers: it acts up to a rollover late",
                     format_duration(Duration{*quota.limits.seconds * 1000})),
         {{"limit_seconds", *quota.limits.seconds}, {"source", std::string(model::name_of(quota.age_source))}});
}

void audit_defaults(const Audit& audit) {
  std::string unknown;
  const auto note = [&](bool missing, std::string_view name) {
    if (missing) unknown += (unknown.empty() ? "" : ", ") + std::string(name);
  };
  note(!model::retention_of(audit.ns, audit.broker).value, "retention");
  note(!model::ttl_seconds_of(audit.ns, audit.broker).value, "TTL");
  if (unknown.empty()) return;
  report(audit, "broker_default_unknown", "left to the brokers, whose configuration could not be read: " + unknown,
         {{"policies", unknown}});
}

}  // namespace

void policy_audit(const ClusterCase& c, Findings& out) {
  std::set<std::string_view> used;
  for (const auto& topic : c.snapshot.topics) used.insert(topic->ns);
  for (const auto& [name, ns] : c.snapshot.namespaces) {
    if (!ns.policies_known || ns.deleted || (!used.contains(name) && ns.judged_elsewhere == 0)) continue;
    const Audit audit{name, ns, c.snapshot, c.snapshot.defaults, out};
    audit_retention(audit);
    audit_bounds(audit);
    audit_age_quota(audit);
    audit_defaults(audit);
  }
}

}  // namespace tidemark::detect::rules
