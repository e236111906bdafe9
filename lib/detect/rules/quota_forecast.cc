// A topic whose backlog reaches the quota at which the broker holds its producers or fails them: when, or that it is
// reached. By size at the present slope; by age as the oldest message grows older while its subscription stands. A
// quota that evicts stops nobody and is no forecast's business.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "detect/disks.h"
#include "detect/message_age.h"
#include "detect/quotas.h"
#include "detect/rules/facts.h"
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

std::int64_t bytes_of(double millionths, std::int64_t limit) {
  return std::llround(millionths / kMillion * static_cast<double>(limit));
}

void by_size(const TopicCase& c, Findings& out) {
  const auto now = c.snapshot.at_ms;
  if (c.topic.backlog_bytes.value_or(0) <= 0) return;
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
  finding.evidence = {{"quota", std::string_view("size")},
                      {"limit_bytes", quota->bytes},
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

// Who holds the oldest message of all.
struct Holder {
  const CursorCase* cursor = nullptr;
  Oldest oldest;
};

Holder oldest_of(const TopicCase& c) {
  Holder holder;
  for (const auto& one : c.cases) {
    if (one.cursor.kind == model::CursorKind::kReader) continue;
    const auto oldest = oldest_unacknowledged(one, c.past.whole);
    if (oldest && (holder.cursor == nullptr || oldest->at < holder.oldest.at)) holder = {&one, *oldest};
  }
  return holder;
}

// While its place stands the oldest message is one day older each day, which needs no slope. It is no forecast that
// goes further ahead than it stood, nor of whom its own rhythm says that it comes back.
void by_age(const TopicCase& c, Findings& out) {
  const auto quota = age_quota_of(c.snapshot, c.topic);
  if (!quota) return;
  const auto [holder, oldest] = oldest_of(c);
  if (holder == nullptr) return;
  const auto reached_ms = oldest.at + Duration{quota->age}.count();
  const auto left = reached_ms - c.snapshot.at_ms;
  const auto since = holder->history.frozen_since_ms;
  const bool stands = since != 0 && left <= c.snapshot.at_ms - since && !holder->within_rhythm();
  if (left > 0 && !stands) return;
  auto finding = topic_finding(model::Rule::kQuotaForecast, c.topic);
  if (since != 0) finding.since_ms = since;
  finding.evidence = {{"quota", std::string_view("age")},
                      {"limit_seconds", quota->age.count()},
                      {"limit_source", std::string(model::name_of(quota->source))},
                      {"oldest_ms", oldest.at},
                      {"oldest_source", std::string(oldest.source)},
                      {"subscription", holder->cursor.name},
                      {"reached", left <= 0},
                      {"reached_ms", reached_ms}};
  const auto limit = format_duration(quota->age);
  finding.summary =
      left <= 0 ? fmt::format("{} has not acknowledged what is older than the quota of {}: producers are held or fail",
                              holder->cursor.name, limit)
                : fmt::format(
                      "what {} has not acknowledged is {} old, the quota is {}, and it stands: in {} producers "
                      "are held or fail",
                      holder->cursor.name, format_duration(Duration{c.snapshot.at_ms - oldest.at}), limit,
                      format_duration(Duration{left}));
  out.push_back(std::move(finding));
}

}  // namespace

void quota_forecast(const TopicCase& c, Findings& out) {
  if (c.topic.loaded == model::Loaded::kNo) return;  // a poll that does not tell clears nothing
  by_size(c, out);
  by_age(c, out);
}

}  // namespace tidemark::detect::rules
