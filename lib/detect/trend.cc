// The variance of Mann and Kendall's S with ties, its normal approximation and the ranks of the slopes' range are those
// of R. O. Gilbert, Statistical Methods for Environmental Pollution Monitoring (1987), 16.4 and 16.5.
#include "detect/trend.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tidemark::detect {
namespace {

using Points = std::span<const history::Point>;

constexpr double kDayMs = 86400000;
constexpr double kNormal99 = 2.5758293035489004;  // 99 % of a normal distribution lie within so many deviations

// Pairs of equal points, group by group, as they lessen the variance.
double variance_of(Points points) {
  const auto term = [](double n) { return n * (n - 1) * (2 * n + 5); };
  std::vector<std::int64_t> values;
  values.reserve(points.size());
  for (const auto& point : points) values.push_back(point.value);
  std::sort(values.begin(), values.end());
  auto sum = term(static_cast<double>(values.size()));
  for (auto at = values.begin(); at != values.end();) {
    const auto end = std::upper_bound(at, values.end(), *at);
    sum -= term(static_cast<double>(end - at));
    at = end;
  }
  return sum / 18;
}

struct Pairs {
  std::vector<double> slopes;  // per day
  std::int64_t s = 0;          // pairs that rise less those that fall
};

Pairs pairs_of(Points points) {
  Pairs pairs;
  pairs.slopes.reserve(points.size() * (points.size() - 1) / 2);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const auto rise = static_cast<double>(points[j].value) - static_cast<double>(points[i].value);
      pairs.s += (rise > 0 ? 1 : 0) - (rise < 0 ? 1 : 0);
      pairs.slopes.push_back(rise / static_cast<double>(points[j].at - points[i].at) * kDayMs);
    }
  }
  return pairs;
}

double chance_of(std::int64_t s, double variance) {
  if (s == 0 || variance <= 0) return 1;
  const auto z = (std::abs(static_cast<double>(s)) - 1) / std::sqrt(variance);
  return std::erfc(z / std::sqrt(2.0));
}

// The `rank`th smallest, from 0; ranks outside of the list are its ends.
double ranked(std::vector<double>& values, double rank) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::clamp(rank, 0.0, last));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double median_of(std::vector<double>& values) {
  const auto half = values.size() / 2;
  const auto upper = ranked(values, static_cast<double>(half));
  return values.size() % 2 == 1 ? upper : (ranked(values, static_cast<double>(half) - 1) + upper) / 2;
}

Slope slope_of(std::vector<double>& slopes, double variance) {
  const auto count = static_cast<double>(slopes.size());
  const auto aside = kNormal99 * std::sqrt(variance);
  Slope slope;
  slope.low = ranked(slopes, std::floor((count - aside) / 2) - 1);
  slope.middle = median_of(slopes);
  slope.high = ranked(slopes, std::ceil((count + aside) / 2));
  return slope;
}

std::vector<double> values_of(Points points) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const auto& point : points) values.push_back(static_cast<double>(point.value));
  return values;
}

// A tenth of the values lie lower.
double low_of(Points points) {
  auto values = values_of(points);
  return ranked(values, std::floor(static_cast<double>(values.size()) / 10));
}

// From the first half of the time to the second.
double rise_of_lows(Points points) {
  const auto middle = points.front().at + (points.back().at - points.front().at) / 2;
  const auto later = std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.at > middle; });
  const auto count = static_cast<std::size_t>(later - points.begin());
  if (count == 0 || count == points.size()) return 0;
  return low_of(points.subspan(count)) - low_of(points.first(count));
}

}  // namespace

std::optional<Line> line_of(Points points) {
  if (points.size() < 2 || points.back().at <= points.front().at) return std::nullopt;
  const auto count = static_cast<double>(points.size());
  const auto begin = points.front().at;
  double mean_at = 0;
  double mean = 0;
  for (const auto& point : points) {
    mean_at += static_cast<double>(point.at - begin) / count;
    mean += static_cast<double>(point.value) / count;
  }
  double products = 0;
  double squares = 0;
  for (const auto& point : points) {
    const auto aside = static_cast<double>(point.at - begin) - mean_at;
    products += aside * (static_cast<double>(point.value) - mean);
    squares += aside * aside;
  }
  const auto slope = products / squares;
  const auto start = mean - slope * mean_at;
  return Line{start, start + slope * static_cast<double>(points.back().at - begin)};
}

std::optional<Trend> trend_of(Points points, const TrendNeeds& needs) {
  if (points.size() < std::max<std::size_t>(needs.points, 2)) return std::nullopt;
  const auto span_ms = points.back().at - points.front().at;
  if (span_ms <= 0 || span_ms < needs.least_span.count()) return std::nullopt;
  Trend trend;
  trend.from_ms = points.front().at;
  trend.to_ms = points.back().at;
  trend.points = points.size();
  auto pairs = pairs_of(points);
  const auto variance = variance_of(points);
  trend.p = chance_of(pairs.s, variance);
  trend.per_day = slope_of(pairs.slopes, variance);
  trend.rise = trend.per_day.middle * static_cast<double>(span_ms) / kDayMs;
  auto values = values_of(points);
  trend.start = median_of(values) - trend.rise / 2;
  const auto asked = std::max(needs.least_rise, needs.least_share * trend.start);
  // On a straight line the lows of the halves are half of the rise apart.
  const bool lows_rise = rise_of_lows(points) >= trend.rise / 4;
  trend.grows =
      trend.rise > 0 && trend.rise >= asked && trend.p < needs.significance && trend.per_day.low > 0 && lows_rise;
  return trend;
}

}  // namespace tidemark::detect
