// A bookie whose disk will be full at its present slope: by the directory that is full first, since the others take its
// share then. What is full or read-only already is no forecast.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "base/units.h"
#include "detect/disks.h"
#include "detect/rules/facts.h"
#include "detect/rules/rules.h"
#include "model/lookup.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

constexpr Duration kCritical{24LL * 3600000};
constexpr double kPercent = 100;
constexpr double kDayMs = 86400000;

struct Group {
  std::string_view name;
  std::int64_t bytes = 0;  // on disks, all copies
};

// The leftovers of one topic are of one group: then what they free together is the group's.
std::string_view only_group(std::span<const model::CursorVerdict> cursors) {
  std::string_view only;
  for (const auto& cursor : cursors) {
    if (!is_leftover(counted_state(cursor)) || cursor.exception || cursor.group.empty()) continue;
    if (!only.empty() && only != cursor.group) return {};
    only = cursor.group;
  }
  return only;
}

std::int64_t on_disks(const ClusterCase& c, const model::CursorVerdict& verdict) {
  const auto bytes = verdict.topic_reclaimable_bytes.value_or(0);
  const auto* topic = model::find_topic(c.snapshot, verdict.topic.view());
  const auto copies = topic != nullptr ? model::write_quorum_of(c.snapshot, *topic).value : std::nullopt;
  return bytes * std::max<std::int64_t>(1, copies.value_or(1));
}

// Whose removal frees most, at least.
std::optional<Group> worst_group(const ClusterCase& c) {
  std::map<std::string_view, std::int64_t> groups;
  const std::span<const model::CursorVerdict> all{c.verdicts.cursors};
  for (std::size_t begin = 0; begin < all.size();) {
    auto end = begin + 1;
    while (end < all.size() && all[end].topic == all[begin].topic) ++end;
    const auto group = only_group(all.subspan(begin, end - begin));
    if (!group.empty()) groups[group] += on_disks(c, all[begin]);
    begin = end;
  }
  std::optional<Group> worst;
  for (const auto& [name, bytes] : groups) {
    if (bytes > 0 && (!worst || bytes > worst->bytes)) worst = Group{name, bytes};
  }
  return worst;
}

// Once `group` is gone and the bookies gave its bytes back, evenly. Empty where the disk's size is not known.
std::optional<TimeMs> full_without(const ClusterCase& c, const model::BookieView& bookie,
                                   const model::DiskOutlook& outlook, const Group& group) {
  if (!bookie.capacity_bytes || *bookie.capacity_bytes <= 0) return std::nullopt;
  const auto here = static_cast<double>(group.bytes) / static_cast<double>(c.snapshot.bookies.size());
  const auto share = std::min(outlook.usage, here / static_cast<double>(*bookie.capacity_bytes));
  return *outlook.full_ms + static_cast<TimeMs>(share / outlook.per_day * kDayMs);
}

const model::DiskOutlook* first_full(const ClusterCase& c, std::string_view bookie) {
  const model::DiskOutlook* first = nullptr;
  for (const auto& outlook : c.verdicts.disks) {
    if (outlook.bookie != bookie || !is_in_sight(outlook)) continue;
    if (first == nullptr || *outlook.full_ms < *first->full_ms) first = &outlook;
  }
  return first;
}

void add_facts(model::Finding& finding, const model::DiskOutlook& outlook) {
  finding.evidence = {{"directory", outlook.dir},
                      {"usage_percent", outlook.usage * kPercent},
                      {"limit_percent", outlook.limit * kPercent},
                      {"percent_per_day_low", outlook.per_day_low * kPercent},
                      {"percent_per_day", outlook.per_day * kPercent},
                      {"percent_per_day_high", outlook.per_day_high * kPercent},
                      {"full_earliest_ms", fact_of(outlook.full_earliest_ms)},
                      {"full_ms", fact_of(outlook.full_ms)},
                      {"full_latest_ms", fact_of(outlook.full_latest_ms)},
                      {"watched_ms", outlook.to_ms - outlook.from_ms},
                      {"retention_filling_percent", outlook.filling_share * kPercent}};
}

}  // namespace

void disk_full_forecast(const ClusterCase& c, Findings& out) {
  constexpr int kReadOnly = 0;
  const auto now = c.snapshot.at_ms;
  const auto in_sight = [](const auto& outlook) { return is_in_sight(outlook); };
  if (std::none_of(c.verdicts.disks.begin(), c.verdicts.disks.end(), in_sight)) return;
  const auto worst = worst_group(c);
  for (const auto& bookie : c.snapshot.bookies) {
    if (bookie.status == kReadOnly) continue;
    const auto* outlook = first_full(c, bookie.name);
    if (outlook == nullptr) continue;
    auto finding = finding_of(model::Rule::kDiskFullForecast, bookie.name);
    const Duration left{std::max<std::int64_t>(0, *outlook->full_ms - now)};
    if (left < kCritical) finding.severity = model::Severity::kCritical;
    finding.since_ms = outlook->from_ms;
    add_facts(finding, *outlook);
    finding.summary =
        fmt::format("{:.1f} % full, {:+.2f} a day: takes no more writes at {:.0f} %, in {}", outlook->usage * kPercent,
                    outlook->per_day * kPercent, outlook->limit * kPercent, format_duration(left));
    if (worst) {
      finding.evidence.emplace_back("worst_group", std::string(worst->name));
      finding.evidence.emplace_back("worst_group_physical_bytes", worst->bytes);
      finding.evidence.emplace_back("full_without_worst_group_ms", fact_of(full_without(c, bookie, *outlook, *worst)));
    }
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
