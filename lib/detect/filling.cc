#include "detect/filling.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "detect/stored.h"
#include "model/policies.h"

namespace tidemark::detect {
namespace {

using Points = std::vector<history::Point>;

Points since(const history::Figures& figures, const std::string& name, TimeMs from) {
  const auto* series = figures.find(name);
  auto points = series != nullptr ? series->points() : Points{};
  std::erase_if(points, [&](const auto& point) { return point.at < from; });
  return points;
}

std::int64_t growth_of(const Points& points) { return points.empty() ? 0 : points.back().value - points.front().value; }

// The last time at which next to nothing of the growth was there.
TimeMs began_at(const Points& points) {
  const auto little = points.front().value + growth_of(points) / 20;
  TimeMs at = points.front().at;
  for (const auto& point : points) {
    if (point.value <= little) at = point.at;
  }
  return at;
}

// How long acknowledged data stays at most; empty without an end, or where that is not known.
std::optional<TimeMs> stays_ms(const model::Snapshot& snapshot, const model::NamespaceView& ns) {
  constexpr std::int64_t kMinute = 60000;
  constexpr std::int64_t kDefaultRollover = 240;  // minutes: a ledger goes as a whole
  const auto retention = model::retention_of(ns, snapshot.defaults).value;
  if (!retention || retention->minutes <= 0) return std::nullopt;
  return (retention->minutes + snapshot.defaults.max_rollover_minutes.value_or(kDefaultRollover)) * kMinute;
}

}  // namespace

std::vector<Filling> fillings(const model::Snapshot& snapshot, const history::Figures& figures, TimeMs from) {
  struct Growing {
    TimeMs ends_ms;
    std::int64_t bytes;
    std::string_view ns;
  };
  std::vector<Growing> growing;
  std::int64_t all = 0;
  for (const auto& [name, ns] : snapshot.namespaces) {
    all += std::max<std::int64_t>(0, growth_of(since(figures, stored_name(name), from)));
    const auto kept = since(figures, part_name(Part::kKept, name), from);
    const auto stays = stays_ms(snapshot, ns);
    if (!stays || growth_of(kept) <= 0) continue;
    const auto ends = began_at(kept) + *stays;
    if (ends > snapshot.at_ms) growing.push_back({ends, growth_of(kept), name});
  }
  std::vector<Filling> found;
  // Of a part nobody knows what the others grew by; a forecast without this comes early, not late.
  if (all <= 0 || snapshot.share != model::Share{}) return found;
  for (const auto& one : growing) {
    found.push_back({one.ends_ms, static_cast<double>(one.bytes) / static_cast<double>(all), one.ns});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.ends_ms < b.ends_ms; });
  return found;
}

}  // namespace tidemark::detect
