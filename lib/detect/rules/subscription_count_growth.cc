// Ever more subscriptions that nobody is connected to: each start of a client leaves one behind. The widest place that
// grows is named and what it consists of, too, since who must act may be either's owner.
#include <fmt/format.h>

#include <string>

#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

model::Finding finding_about(const model::CountGrowth& growth) {
  auto finding = finding_of(model::Rule::kSubscriptionCountGrowth, growth.name);
  finding.level = growth.level;
  if (growth.level == model::Level::kTopic) finding.topic = growth.name;
  if (growth.level == model::Level::kNamespace) finding.ns = growth.name;
  return finding;
}

}  // namespace

void subscription_count_growth(const ClusterCase& c, Findings& out) {
  for (const auto& growth : c.verdicts.counts) {
    if (!growth.grows) continue;
    auto finding = finding_about(growth);
    finding.since_ms = growth.from_ms;
    finding.summary =
        fmt::format("{} subscriptions without a consumer, about {:.1f} more each day", growth.count, growth.per_day);
    finding.evidence = {{"count", growth.count},
                        {"count_at_start", growth.start},
                        {"rise", growth.rise},
                        {"per_day_low", growth.per_day_low},
                        {"per_day", growth.per_day},
                        {"per_day_high", growth.per_day_high},
                        {"connected_rise", growth.connected_rise}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
