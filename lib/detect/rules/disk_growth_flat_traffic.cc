// Ledger disks that grow while no more is published than before, all of them together and each bookie's: what of the
// growth is whose. A cause that goes by itself, or that somebody works at, is only told.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/units.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

using model::DiskGrowth;
using model::GrowthCause;

constexpr double kPercent = 100;
constexpr std::size_t kMostNamespaces = 10;

// The names of the evidence, in the order of the causes.
constexpr std::array<std::string_view, model::kGrowthCauses> kShares{
    "pinned_percent",      "garbage_percent",           "unexplained_percent",   "lagging_percent",
    "replication_percent", "retention_filling_percent", "re_replication_percent"};

double share(const DiskGrowth& growth, std::int64_t bytes) {
  return growth.bytes > 0 ? kPercent * static_cast<double>(bytes) / static_cast<double>(growth.bytes) : 0;
}

model::Severity severity_of(const DiskGrowth& growth) {
  // Who may come back is given the time that detect.abandoned_after is.
  if (growth.cause == GrowthCause::kPinned && growth.idle_share > 0.5) return model::Severity::kInfo;
  const bool leak = growth.cause == GrowthCause::kPinned || growth.cause == GrowthCause::kGarbage ||
                    growth.cause == GrowthCause::kUnexplained;
  return leak ? model::Severity::kWarning : model::Severity::kInfo;
}

std::string text_of(const DiskGrowth& growth) {
  std::string text;
  for (std::size_t i = 0; i < std::min(growth.namespaces.size(), kMostNamespaces); ++i) {
    const auto& one = growth.namespaces[i];
    text += fmt::format("{}{} {:.1f} % {}", i > 0 ? ", " : "", one.ns, share(growth, one.bytes), name_of(one.cause));
  }
  return text;
}

// Whose most of it is. The shares of what shrank are negative, so that one alone may be more than all of it.
std::string most_of(const DiskGrowth& growth) {
  constexpr double kRounding = 5;
  const auto part = share(growth, growth.by_cause.at(static_cast<std::size_t>(growth.cause)));
  const auto cause = name_of(growth.cause);
  if (part <= kPercent + kRounding) return fmt::format("{:.0f} % of it {}", std::min(part, kPercent), cause);
  return fmt::format("{:.1f} times as much {}, and other data went", part / kPercent, cause);
}

model::Fact rate_of(const std::optional<double>& rate) {
  return rate ? model::Fact(std::llround(*rate)) : model::Fact(nullptr);
}

model::Evidence evidence_of(const DiskGrowth& growth) {
  model::Evidence facts{
      {"cause", std::string(name_of(growth.cause))},     {"usage_percent", growth.usage * kPercent},
      {"growth_percent_points", growth.rise * kPercent}, {"percent_per_day", growth.per_day * kPercent},
      {"watched_ms", growth.to_ms - growth.from_ms},     {"growth_physical_bytes", growth.bytes},
      {"growth_is_estimated", growth.estimated}};
  std::int64_t attributed = 0;
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    attributed += growth.by_cause.at(i);
    facts.emplace_back(kShares.at(i), share(growth, growth.by_cause.at(i)));
  }
  facts.emplace_back("attributed_percent", share(growth, attributed));
  if (!growth.namespaces.empty()) facts.emplace_back("namespaces", text_of(growth));
  facts.emplace_back("published_bytes_per_second_start", rate_of(growth.published_start));
  facts.emplace_back("published_bytes_per_second", rate_of(growth.published_end));
  facts.emplace_back("dispatched_bytes_per_second_start", rate_of(growth.dispatched_start));
  facts.emplace_back("dispatched_bytes_per_second", rate_of(growth.dispatched_end));
  return facts;
}

}  // namespace

void disk_growth_flat_traffic(const ClusterCase& c, Findings& out) {
  for (const auto& growth : c.verdicts.growths) {
    if (!growth.flat_traffic || growth.bytes <= 0) continue;
    const bool cluster = growth.bookie.empty();
    auto finding = finding_of(model::Rule::kDiskGrowthFlatTraffic, cluster ? c.snapshot.cluster : growth.bookie);
    finding.level = cluster ? model::Level::kCluster : model::Level::kBookie;
    finding.severity = severity_of(growth);
    finding.since_ms = growth.from_ms;
    finding.evidence = evidence_of(growth);
    finding.summary =
        fmt::format("{:.1f} % full, {:+.1f} points in {} while no more is published: {}", growth.usage * kPercent,
                    growth.rise * kPercent, format_duration(Duration{growth.to_ms - growth.from_ms}), most_of(growth));
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
