// Many subscriptions of one group made within minutes, and nobody uses them: a deployment or a test that made one for
// each of its instances and went away. Told after a day, a week before they are abandoned.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr std::size_t kLeast = 5;
constexpr Duration kTogether{10LL * 60000};
constexpr Duration kStill{24LL * 3600000};

// Nobody came back after the day on which it was made, and nobody was there for a day.
bool is_still_unused(const CursorCase& one, const model::CursorVerdict& verdict) {
  if (verdict.kind != model::CursorKind::kSubscription || verdict.exception || verdict.group.empty()) return false;
  if (!one.cursor.created_ms || !one.consumerless() || !one.activity.latest) return false;
  return *one.activity.latest - *one.cursor.created_ms <= kStill.count() && one.silent_for(kStill);
}

struct Burst {
  TimeMs begin = 0;
  TimeMs end = 0;
  std::size_t count = 0;
};

// The largest. `times` in their order.
Burst largest_burst(const std::vector<TimeMs>& times) {
  Burst largest;
  std::size_t first = 0;
  for (std::size_t last = 0; last < times.size(); ++last) {
    while (times[last] - times[first] > kTogether.count()) ++first;
    if (last - first + 1 > largest.count) largest = {times[first], times[last], last - first + 1};
  }
  return largest;
}

}  // namespace

void creation_burst(const TopicCase& c, Findings& out) {
  std::map<std::string_view, std::vector<TimeMs>> groups;
  for (std::size_t i = 0; i < c.cases.size(); ++i) {
    const auto& verdict = c.verdicts[i];
    if (is_still_unused(c.cases[i], verdict)) groups[verdict.group].push_back(*c.cases[i].cursor.created_ms);
  }
  for (auto& [group, times] : groups) {
    std::sort(times.begin(), times.end());
    const auto burst = largest_burst(times);
    if (burst.count < kLeast) continue;
    auto finding = topic_finding(model::Rule::kCreationBurst, c.topic);
    finding.since_ms = burst.begin;
    finding.summary = fmt::format("{} subscriptions of {} were made at {} and are not used", burst.count, group,
                                  format_iso8601(burst.begin));
    finding.evidence = {{"group", std::string(group)},
                        {"subscriptions", static_cast<std::int64_t>(burst.count)},
                        {"first_created_ms", burst.begin},
                        {"last_created_ms", burst.end}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
