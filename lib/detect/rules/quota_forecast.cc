// A topic whose backlog reaches the quota at which the broker holds its producers or fails them: when, at the present
// slope, or that it is reached. A quota that evicts stops nobody and is no forecast's business.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "detect/disks.h"
#include "detect/quotas.h"
#include "detect/rules/rules.h"
#include "detect/traffic.h"

namespace tidemark::detect::rules {
namespace {

constexpr double kMillion = 1e6;
constexpr double kDayMs = 86400000;
constexpr double kFarMs = 3650 * kDayMs;

std::optional<TimeMs> reached_at(double left, double per_day, TimeMs now) {
  if (per_day <= 0 || left / per_day * kDayMs > kFarMs) return std::nullopt;
  return now + std::llround(std::max(0.0, left) / per_day * kDayMs);
}

model::Fact fact_of(const std::optional<TimeMs>& at) { return at ? model::Fact(*at) : model::Fact(nullptr); }

std::int64_t bytes_of(double millionths, std::int64_t limit) {
  return std::llround(millionths / kMillion * static_cast<double>(limit));
}

}  // namespace

void quota_forecast(const TopicCase& c, Findings& out) {
  const auto now = c.snapshot.at_ms;
  if (c.topic.loaded != model::Loaded::kYes || c.topic.backlog_bytes.value_or(0) <= 0) return;
  const auto* series = c.figures.find(quota_name(c.topic));
  if (series == nullptr) return;
  // An outage clears nothing.
  if (now - series->last_ms() > 2 * c.snapshot.interval.count() && !is_outage(c.snapshot)) return;
  const auto quota = producer_quota_of(c.snapshot, c.topic);
  if (!quota) return;
  const auto used = static_cast<double>(series->last_value());
  const auto points = series->points();
  const auto trend = usage_trend(points, c.limits);
  const bool reached = used >= kMillion;
  if (!trend && !reached) return;
  auto finding = topic_finding(model::Rule::kQuotaForecast, c.topic);
  finding.evidence = {{"limit_bytes", quota->bytes},
                      {"limit_source", std::string(model::name_of(quota->source))},
                      {"backlog_bytes", c.topic.backlog_bytes.value_or(0)},
                      {"used_percent", used / kMillion * 100},
                      {"reached", reached}};
  if (reached) {
    finding.summary =
        fmt::format("its backlog has reached the quota of {}: producers are held or fail", format_bytes(quota->bytes));
    out.push_back(std::move(finding));
    return;
  }
  const auto at = reached_at(kMillion - used, trend->per_day.middle, now);
  // No forecast goes further ahead than its slope was watched.
  const auto watched = trend->to_ms - trend->from_ms;
  if (!at || *at - now > watched) return;
  finding.since_ms = trend->from_ms;
  finding.evidence.emplace_back("bytes_per_day_low", bytes_of(trend->per_day.low, quota->bytes));
  finding.evidence.emplace_back("bytes_per_day", bytes_of(trend->per_day.middle, quota->bytes));
  finding.evidence.emplace_back("bytes_per_day_high", bytes_of(trend->per_day.high, quota->bytes));
  finding.evidence.emplace_back("reached_earliest_ms", fact_of(reached_at(kMillion - used, trend->per_day.high, now)));
  finding.evidence.emplace_back("reached_ms", *at);
  finding.evidence.emplace_back("reached_latest_ms", fact_of(reached_at(kMillion - used, trend->per_day.low, now)));
  finding.evidence.emplace_back("watched_ms", watched);
  finding.summary =
      fmt::format("its backlog is {:.0f} % of the quota of {} and reaches it in {}: then producers are held or fail",
                  used / kMillion * 100, format_bytes(quota->bytes), format_duration(Duration{*at - now}));
  out.push_back(std::move(finding));
}

}  // namespace tidemark::detect::rules
