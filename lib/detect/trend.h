#pragma once
// Whether a figure grows, and how fast: the slope of Theil and Sen with the test of Mann and Kendall. Both go by order
// and medians, so a glitch moves neither. One function for every rule that says "grows over its window".

#include <cstddef>
#include <optional>
#include <span>

#include "base/time.h"
#include "history/series.h"

namespace tidemark::detect {

struct TrendNeeds {
  Duration least_span{0};   // from the first point to the last
  double least_rise = 0;    // over that span, in the figure's own unit
  double least_share = 0;   // and of what it began with, 0.2 = a fifth
  std::size_t points = 24;  // at least
  double significance = 0.01;
};

// The slopes that the points agree with, at 99 %.
struct Slope {
  double low = 0;
  double middle = 0;
  double high = 0;
};

struct Trend {
  TimeMs from_ms = 0;
  TimeMs to_ms = 0;
  std::size_t points = 0;
  Slope per_day;
  double rise = 0;   // of the middle slope, over the whole span
  double start = 0;  // of that slope's line
  double p = 1;      // of Mann and Kendall, two-sided: so likely is as much order by chance
  bool grows = false;
};

// The line through points by least squares. Unlike medians these add up: the lines of the parts make the line of the
// sum.
struct Line {
  double start = 0;  // at the first and the last point
  double end = 0;

  double rise() const { return end - start; }
};

// Empty with less than two points.
std::optional<Line> line_of(std::span<const history::Point> points);

// Empty without enough points over enough time. `points` in the order of their times. Grows what rises by at least as
// much as is asked, is no chance, is no single step (then the range of slopes holds 0), and rises at its low points,
// too (those of a saw-tooth that comes down each week stay where they are).
std::optional<Trend> trend_of(std::span<const history::Point> points, const TrendNeeds& needs);

}  // namespace tidemark::detect
