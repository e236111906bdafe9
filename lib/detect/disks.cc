#include "detect/disks.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "detect/filling.h"
#include "detect/trend.h"

namespace tidemark::detect {
namespace {

constexpr double kDefaultLimit = 0.95;  // BookKeeper's diskUsageThreshold
constexpr double kMillion = 1e6;        // usage is kept in millionths
constexpr double kLeastRise = 0.02 * kMillion;
constexpr double kDayMs = 86400000;

using Points = std::span<const history::Point>;

std::string figure_name(std::string_view bookie, std::string_view dir) {
  return "disk " + std::string(bookie) + " " + std::string(dir);
}

Points from(Points points, TimeMs at) {
  const auto first = std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.at >= at; });
  return points.subspan(static_cast<std::size_t>(first - points.begin()));
}

std::int64_t highest(Points points) {
  std::int64_t most = 0;
  for (const auto& point : points) most = std::max(most, point.value);
  return most;
}

std::int64_t lowest(Points points) {
  return std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.value < b.value; })
      ->value;
}

// No week is quite like another: less than two waves is still one, and so is what ends less than one higher.
bool is_wave(Points points, Points recent, std::int64_t highest_before, Duration length) {
  const auto wave = highest_wave(points, length);
  const auto rise = points.back().value - lowest(recent);
  return rise < 2 * wave && points.back().value - highest_before < wave;
}

// Of the last disk_min_history, where it leads to where the disk never was before, and is no wave like those before.
std::optional<Trend> steeper(Points points, const Limits& limits, TrendNeeds needs) {
  const auto begin = points.back().at - limits.disk_min_history.count();
  const auto recent = from(points, begin);
  const auto before = points.first(points.size() - recent.size());
  if (before.empty() || static_cast<double>(points.back().value - highest(before)) < kLeastRise) return std::nullopt;
  if (is_wave(points, recent, highest(before), limits.disk_min_history)) return std::nullopt;
  needs.least_span = limits.disk_min_history * 9 / 10;  // the points are apart
  const auto trend = trend_of(recent, needs);
  return trend && trend->grows ? trend : std::nullopt;
}

// What slows down does not go on as it was: where what came since `begin` rises by less than `less` a day, beyond what
// chance explains, it is the present slope.
void slow_down(Trend& trend, Points points, TimeMs begin, double less) {
  TrendNeeds needs;
  needs.points = 8;
  const auto later = trend_of(from(points, begin), needs);
  if (later && later->per_day.high < less) trend.per_day = later->per_day;
}

TimeMs middle_of(const Trend& trend) { return trend.from_ms + (trend.to_ms - trend.from_ms) / 2; }

// When `usage` reaches `limit` at `per_day`, of which each filling takes its share along when it ends.
std::optional<TimeMs> full_at(double usage, double limit, double per_day, std::span<const Filling> fillings,
                              TimeMs now) {
  constexpr double kFarMs = 3650 * kDayMs;
  auto at = static_cast<double>(now);
  auto rate = per_day / kDayMs;
  for (const auto& filling : fillings) {
    const auto until = std::max(static_cast<double>(filling.ends_ms), at);
    if (usage + rate * (until - at) >= limit) break;
    usage += rate * (until - at);
    at = until;
    rate -= per_day / kDayMs * filling.share;
  }
  if (usage >= limit) return static_cast<TimeMs>(at);
  if (rate <= 0) return std::nullopt;
  at += (limit - usage) / rate;
  if (at - static_cast<double>(now) > kFarMs) return std::nullopt;
  return std::llround(at);
}

struct Known {
  const model::Snapshot& snapshot;
  const history::Figures& figures;
  const Limits& limits;
};

void add_forecast(model::DiskOutlook& outlook, const Known& known) {
  const auto now = known.snapshot.at_ms;
  const auto filling = fillings(known.snapshot, known.figures, outlook.from_ms);
  for (const auto& one : filling) outlook.filling_share = std::min(1.0, outlook.filling_share + one.share);
  const auto full = [&](double per_day) { return full_at(outlook.usage, outlook.limit, per_day, filling, now); };
  outlook.full_earliest_ms = full(outlook.per_day_high);
  outlook.full_ms = full(outlook.per_day);
  outlook.full_latest_ms = full(outlook.per_day_low);
}

void take(model::DiskOutlook& outlook, Trend trend, Points points, const Known& known) {
  outlook.from_ms = trend.from_ms;
  outlook.to_ms = trend.to_ms;
  if (trend.grows) {
    slow_down(trend, points, middle_of(trend), trend.per_day.middle);
    // At a weekend it may rise less; what rested for longer than that, or falls, has turned.
    slow_down(trend, points, outlook.to_ms - known.limits.disk_min_history.count(), trend.per_day.middle / 4);
  }
  outlook.grows = trend.grows && trend.per_day.middle > 0;
  outlook.per_day_low = trend.per_day.low / kMillion;
  outlook.per_day = trend.per_day.middle / kMillion;
  outlook.per_day_high = trend.per_day.high / kMillion;
  if (outlook.grows) add_forecast(outlook, known);
}

TrendNeeds needs_of(const Limits& limits) {
  TrendNeeds needs;
  needs.least_rise = kLeastRise;
  needs.least_span = limits.disk_min_history;
  return needs;
}

// False: too little history.
bool look_ahead(model::DiskOutlook& outlook, Points points, const Known& known) {
  const auto needs = needs_of(known.limits);
  const auto whole = trend_of(points, needs);
  if (!whole) return false;
  auto present = outlook;
  take(outlook, *whole, points, known);
  const auto recent = steeper(points, known.limits, needs);
  if (!recent) return true;
  take(present, *recent, points, known);
  const bool sooner = !is_in_sight(outlook) || *present.full_ms < *outlook.full_ms;
  if (is_in_sight(present) && sooner) outlook = std::move(present);
  return true;
}

}  // namespace

bool is_in_sight(const model::DiskOutlook& outlook) {
  return outlook.full_ms && *outlook.full_ms - outlook.to_ms <= outlook.to_ms - outlook.from_ms;
}

std::optional<TimeMs> first_full_ms(std::span<const model::DiskOutlook> outlooks) {
  std::optional<TimeMs> first;
  for (const auto& one : outlooks) {
    if (is_in_sight(one) && (!first || *one.full_ms < *first)) first = one.full_ms;
  }
  return first;
}

double usage_limit_of(const model::BookieView& bookie) { return bookie.usage_threshold.value_or(kDefaultLimit); }

std::optional<double> usage_of(const model::BookieView& bookie) {
  std::optional<double> most;
  for (const auto& [dir, ratio] : bookie.dir_usage_ratio) most = std::max(most.value_or(0), ratio);
  return most;
}

std::int64_t highest_wave(Points points, Duration length) {
  std::int64_t most = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    while (points[i].at - points[first].at > length.count()) ++first;
    const auto rise = points[i].value - lowest(points.subspan(first, i - first + 1));
    const auto fall = points[i].value - lowest(points.subspan(i + 1));
    if (2 * fall >= rise) most = std::max(most, rise);
  }
  return most;
}

std::optional<Trend> usage_trend(std::span<const history::Point> points, const Limits& limits) {
  auto trend = trend_of(points, needs_of(limits));
  if (!trend || !trend->grows) return std::nullopt;
  slow_down(*trend, points, middle_of(*trend), trend->per_day.middle);
  return trend->per_day.middle > 0 ? trend : std::nullopt;
}

std::vector<history::Point> disk_points(const history::Figures& figures, std::string_view bookie,
                                        std::string_view dir) {
  const auto* series = figures.find(figure_name(bookie, dir));
  return series != nullptr ? series->points() : std::vector<history::Point>{};
}

void observe_disks(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures) {
  for (const auto& bookie : snapshot.bookies) {
    if (!bookie.reachable) continue;
    for (const auto& [dir, ratio] : bookie.dir_usage_ratio) {
      figures.add(figure_name(bookie.name, dir), snapshot.at_ms, std::llround(ratio * kMillion), limits.disk_window);
    }
  }
}

std::vector<model::DiskOutlook> disk_outlooks(const model::Snapshot& snapshot, const history::Figures& figures,
                                              const Limits& limits) {
  std::vector<model::DiskOutlook> outlooks;
  for (const auto& bookie : snapshot.bookies) {
    for (const auto& [dir, ratio] : bookie.dir_usage_ratio) {
      const auto* series = figures.find(figure_name(bookie.name, dir));
      if (series == nullptr) continue;
      model::DiskOutlook outlook;
      outlook.bookie = bookie.name;
      outlook.dir = dir;
      outlook.usage = ratio;
      outlook.limit = usage_limit_of(bookie);
      if (look_ahead(outlook, series->points(), {snapshot, figures, limits})) outlooks.push_back(std::move(outlook));
    }
  }
  return outlooks;
}

}  // namespace tidemark::detect
