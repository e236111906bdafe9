#include "detect/share.h"

#include <algorithm>

#include "model/vocabulary.h"

namespace tidemark::detect {
namespace {

using model::Finding;
using model::Level;
using model::Share;

unsigned needs_of(const Finding& finding) {
  const auto* word = std::find_if(model::kRules.begin(), model::kRules.end(),
                                  [&](const auto& rule) { return rule.name == finding.rule; });
  return word != model::kRules.end() ? word->needs : ~0U;
}

// Rules that read no document of a topic: whoever has the policies, or lists, says all there is.
bool rests_on_policies(const Finding& finding) {
  constexpr unsigned kOfNamespaces = model::kNeedsPolicies | model::kNeedsBrokerConfiguration | model::kNeedsTopicList |
                                     model::kNeedsPartitionedTopics;
  return (needs_of(finding) & ~kOfNamespaces) == 0;
}

// Rules that hold what the bookies have against what topics do: against a part of them it would be wrong.
bool weighs_topics(const Finding& finding) {
  constexpr unsigned kOfTopics = model::kNeedsSweep | model::kNeedsStats | model::kNeedsInternalStats;
  return (needs_of(finding) & kOfTopics) != 0;
}

bool is_ours(const Share& share, const Finding& finding) {
  switch (finding.level) {
    case Level::kBookie:
    case Level::kCluster:
      return share.speaks_for_cluster() && (share == Share{} || !weighs_topics(finding));
    case Level::kBroker:
      return share.speaks_for_brokers();
    case Level::kNamespace:
      if (finding.ns && !share.owns_namespace(*finding.ns)) return false;
      return share.speaks_for_policies() || !rests_on_policies(finding);
    case Level::kCursor:
    case Level::kSubscription:
    case Level::kTopic:
    case Level::kTenant:
      break;
  }
  return true;
}

std::string part_of(const Share& share, const Finding& finding) {
  if (finding.level == Level::kTenant) return share.part_of_tenant();
  const bool in_part = finding.level == Level::kNamespace && !rests_on_policies(finding);
  return in_part ? share.part_of_namespace() : std::string{};
}

}  // namespace

void keep_ours(const Share& share, std::vector<Finding>& findings) {
  std::erase_if(findings, [&](const auto& finding) { return !is_ours(share, finding); });
  for (auto& finding : findings) {
    auto part = part_of(share, finding);
    if (part.empty()) continue;
    finding.subject += " (" + part + ")";
    finding.evidence.emplace_back("part", std::move(part));
  }
}

}  // namespace tidemark::detect
