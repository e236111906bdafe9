// Storage that grows by more than anybody published: brokers write markers of their own, for replicated subscriptions
// for one, and what nobody reads they pile up.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

std::string replicated_subscriptions(const model::TopicView& topic) {
  std::string names;
  for (const auto& cursor : topic.cursors) {
    if (cursor.replicated) names += (names.empty() ? "" : ", ") + cursor.name;
  }
  return names;
}

}  // namespace

void growth_without_publishers(const TopicCase& c, Findings& out) {
  const auto told_ms = std::max(c.topic.sweep_at_ms, c.topic.stats_at_ms);
  if (c.topic.system || c.snapshot.at_ms - told_ms > 2 * c.snapshot.interval.count()) return;
  const auto growth = c.past.whole.growth.unexplained(c.limits.lag_window);
  if (!growth) return;
  auto finding = topic_finding(model::Rule::kGrowthWithoutPublishers, c.topic);
  finding.since_ms = growth->since_ms;
  finding.summary = fmt::format("storage grew by {} while {} were published", format_bytes(growth->grown_bytes),
                                format_bytes(growth->published_bytes));
  finding.evidence = {{"grown_bytes", growth->grown_bytes}, {"published_bytes", growth->published_bytes}};
  auto replicated = replicated_subscriptions(c.topic);
  if (!replicated.empty()) finding.evidence.emplace_back("replicated_subscriptions", std::move(replicated));
  out.push_back(std::move(finding));
}

}  // namespace tidemark::detect::rules
