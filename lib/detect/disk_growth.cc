#include "detect/disk_growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "detect/disks.h"
#include "detect/filling.h"
#include "detect/stored.h"
#include "detect/traffic.h"
#include "detect/trend.h"
#include "model/policies.h"

namespace tidemark::detect {
namespace {

using model::DiskGrowth;
using model::GrowthCause;
using Points = std::vector<history::Point>;
using ByCause = std::array<std::int64_t, model::kGrowthCauses>;

constexpr double kMillion = 1e6;
constexpr double kDayMs = 86400000;
constexpr double kLeastRise = 0.02;  // of a disk, over the window
constexpr double kExplains = 0.8;    // of the growth, beside what there was: so much more traffic does
constexpr const char* kDisks = "disks";

std::string live_name(std::string_view bookie) { return "live " + std::string(bookie); }
std::string recovered_name(std::string_view bookie) { return "recovered " + std::string(bookie); }

std::int64_t& of(ByCause& causes, GrowthCause cause) { return causes.at(static_cast<std::size_t>(cause)); }
std::int64_t sum_of(const ByCause& causes) { return std::accumulate(causes.begin(), causes.end(), std::int64_t{0}); }
GrowthCause most_of(const ByCause& causes) {
  return static_cast<GrowthCause>(std::max_element(causes.begin(), causes.end()) - causes.begin());
}

std::int64_t capacity_of(const model::Snapshot& snapshot) {
  std::int64_t sum = 0;
  for (const auto& bookie : snapshot.bookies) {
    if (!bookie.reachable) continue;
    if (bookie.capacity_bytes.value_or(0) <= 0) return 0;
    sum += *bookie.capacity_bytes;
  }
  return sum;
}

// Of one bookie, the mean of its directories.
std::optional<double> usage_in(const model::BookieView& bookie) {
  if (!bookie.reachable || bookie.dir_usage_ratio.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& [dir, ratio] : bookie.dir_usage_ratio) sum += ratio;
  return sum / static_cast<double>(bookie.dir_usage_ratio.size());
}

// Of those that tell, by the sizes of their disks, where these are known.
std::optional<double> usage_of_all(const model::Snapshot& snapshot) {
  const bool sized = capacity_of(snapshot) > 0;
  double used = 0;
  double all = 0;
  for (const auto& bookie : snapshot.bookies) {
    const auto usage = usage_in(bookie);
    if (!usage) continue;
    const auto size = sized ? static_cast<double>(*bookie.capacity_bytes) : 1;
    used += *usage * size;
    all += size;
  }
  return all > 0 ? std::optional(used / all) : std::nullopt;
}

// Judges one poll; what all growths share is found once.
class Growths {
 public:
  Growths(const model::Snapshot& snapshot, const history::Figures& figures, const Limits& limits)
      : snapshot_(snapshot), figures_(figures), limits_(limits) {}

  std::vector<DiskGrowth> find(const std::vector<model::DiskOutlook>& disks) {
    std::vector<DiskGrowth> found;
    if (const auto all = growing(points_of(kDisks))) {
      auto growth = of_all(*all);
      if (!growth) return {};
      found.push_back(std::move(*growth));
    }
    const auto* cluster = found.empty() ? nullptr : &found.front();
    std::vector<DiskGrowth> of_bookies;
    for (const auto& bookie : snapshot_.bookies) {
      if (!bookie.reachable) continue;
      for (const auto& disk : disks) {
        if (disk.bookie != bookie.name) continue;
        auto growth = of_bookie(bookie, disk, cluster);
        if (!growth) continue;
        of_bookies.push_back(std::move(*growth));
        break;  // one directory that grows is enough
      }
    }
    found.insert(found.end(), std::make_move_iterator(of_bookies.begin()), std::make_move_iterator(of_bookies.end()));
    return found;
  }

 private:
  // By the floor of a trend over the whole window, at present.
  std::optional<Trend> growing(const Points& points) const {
    // A line is quick to find, and what does not rise by it is no growth.
    const auto through = line_of(points);
    if (!through || through->rise() < kLeastRise / 2 * kMillion) return std::nullopt;
    auto trend = usage_trend(points, limits_);
    if (!trend) return std::nullopt;
    const auto of_window = trend->per_day.middle * static_cast<double>(limits_.disk_window.count()) / kDayMs;
    return of_window >= kLeastRise * kMillion ? trend : std::nullopt;
  }

  Points points_of(const std::string& name) const {
    const auto* series = figures_.find(name);
    return series != nullptr ? series->points() : Points{};
  }

  // Between the times of the growth.
  Points points_of(const std::string& name, const DiskGrowth& growth) const {
    auto points = points_of(name);
    std::erase_if(points, [&](const auto& point) { return point.at < growth.from_ms || point.at > growth.to_ms; });
    return points;
  }

  std::optional<Line> line(const std::string& name, const DiskGrowth& growth) const {
    return line_of(points_of(name, growth));
  }

  // A part that began later was nothing before.
  std::int64_t rise_of_part(Part part, const Points& stored, const DiskGrowth& growth, const std::string& ns) const {
    const auto points = points_of(part_name(part, ns), growth);
    if (points.empty()) return 0;
    Points padded;
    for (const auto& point : stored) {
      if (point.at < points.front().at) padded.push_back({point.at, 0});
    }
    padded.insert(padded.end(), points.begin(), points.end());
    const auto through = line_of(padded);
    return through ? std::llround(through->rise()) : 0;
  }

  // What counts a bookie's copies begins anew with each of its starts.
  std::int64_t counted(const std::string& name, const DiskGrowth& growth) const {
    const auto points = points_of(name, growth);
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      sum += std::max<std::int64_t>(0, points[i].value - points[i - 1].value);
    return sum;
  }

  // False where it is not known.
  bool add_traffic(DiskGrowth& growth, double usage_start) const {
    const auto published = points_of(kPublished, growth);
    const auto through = line_of(published);
    TrendNeeds needs;
    needs.least_span = limits_.disk_min_history * 9 / 10;
    const auto trend = trend_of(published, needs);
    if (!through || !trend) return false;
    growth.published_start = std::max(0.0, through->start);
    growth.published_end = std::max(0.0, through->end);
    if (const auto sent = line(kDispatched, growth)) {
      growth.dispatched_start = std::max(0.0, sent->start);
      growth.dispatched_end = std::max(0.0, sent->end);
    }
    const auto share = trend->start > 0 ? trend->rise / trend->start : 0;
    growth.flat_traffic = !trend->grows || share < kExplains * growth.rise / std::max(usage_start, 0.01);
    return true;
  }

  // Of one namespace by what holds it, on the disks. Empty where its policies are not known.
  std::optional<ByCause> of_namespace(const std::string& name, const model::NamespaceView& ns, const Points& stored,
                                      DiskGrowth& growth, bool fills) const {
    const auto copies = ns.write_quorum ? ns.write_quorum : snapshot_.defaults.write_quorum;
    const auto retention = model::retention_of(ns, snapshot_.defaults).value;
    if (!copies || *copies < 1 || !retention) return std::nullopt;
    const auto rise = [&](Part part) { return *copies * rise_of_part(part, stored, growth, name); };
    ByCause causes{};
    const auto idle = rise(Part::kIdle);
    growth.idle_share += static_cast<double>(idle);  // bytes, until all namespaces are in
    of(causes, GrowthCause::kPinned) = rise(Part::kPinned) + idle;
    of(causes, GrowthCause::kLagging) = rise(Part::kLagging);
    of(causes, GrowthCause::kReplication) = rise(Part::kReplication);
    const bool keeps = fills || retention->minutes < 0 || retention->megabytes < 0;
    of(causes, keeps ? GrowthCause::kRetentionFilling : GrowthCause::kUnexplained) = rise(Part::kKept);
    return causes;
  }

  // False where a namespace that grew is not known enough.
  bool add_namespaces(DiskGrowth& growth) const {
    const auto filling = fillings(snapshot_, figures_, growth.from_ms);
    bool any = false;
    for (const auto& [name, ns] : snapshot_.namespaces) {
      const auto stored = points_of(stored_name(name), growth);
      const auto through = line_of(stored);
      if (!through) continue;
      any = true;
      const bool fills = std::any_of(filling.begin(), filling.end(),
                                     [&](const auto& one) { return one.ns == std::string_view(name); });
      const auto causes = of_namespace(name, ns, stored, growth, fills);
      if (!causes && through->rise() > 0) return false;
      if (!causes) continue;
      for (std::size_t i = 0; i < causes->size(); ++i) growth.by_cause.at(i) += causes->at(i);
      const auto bytes = sum_of(*causes);
      if (bytes > 0) growth.namespaces.push_back({name, bytes, most_of(*causes)});
    }
    std::sort(growth.namespaces.begin(), growth.namespaces.end(),
              [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    const auto pinned = of(growth.by_cause, GrowthCause::kPinned);
    growth.idle_share = pinned > 0 ? std::clamp(growth.idle_share / static_cast<double>(pinned), 0.0, 1.0) : 0;
    return any;
  }

  // What the bookies hold of all topics, where the size of their disks is not known: as if there was nothing else.
  double stored_bytes() const {
    double sum = 0;
    for (const auto& [name, ns] : snapshot_.namespaces) {
      const auto* series = figures_.find(stored_name(name));
      const auto copies = ns.write_quorum ? ns.write_quorum : snapshot_.defaults.write_quorum;
      if (series != nullptr) sum += static_cast<double>(series->last_value()) * static_cast<double>(copies.value_or(1));
    }
    return sum;
  }

  void add_bytes(DiskGrowth& growth, std::int64_t capacity) const {
    growth.estimated = capacity <= 0;
    double size = static_cast<double>(capacity);
    if (growth.estimated) {
      const auto usage = usage_of_all(snapshot_).value_or(0);
      size = usage > 0 ? stored_bytes() / usage : 0;
      if (!growth.bookie.empty()) size /= static_cast<double>(std::max<std::size_t>(1, snapshot_.bookies.size()));
    }
    growth.bytes = std::llround(growth.rise * size);
  }

  // Of the bookies that are there; empty unless all tell since the growth began.
  std::optional<std::int64_t> live_rise(const DiskGrowth& growth) const {
    std::int64_t sum = 0;
    for (const auto& bookie : snapshot_.bookies) {
      if (!bookie.reachable || (!growth.bookie.empty() && bookie.name != growth.bookie)) continue;
      const auto points = points_of(live_name(bookie.name), growth);
      const auto through = line_of(points);
      const auto span = growth.to_ms - growth.from_ms;
      if (!through || points.back().at - points.front().at < span * 3 / 4) return std::nullopt;
      sum += std::llround(through->rise() * static_cast<double>(span) /
                          static_cast<double>(points.back().at - points.front().at));
    }
    return sum;
  }

  std::int64_t recovered(const DiskGrowth& growth) const {
    std::int64_t sum = 0;
    for (const auto& bookie : snapshot_.bookies) {
      if (growth.bookie.empty() || bookie.name == growth.bookie) sum += counted(recovered_name(bookie.name), growth);
    }
    return sum;
  }

  std::optional<DiskGrowth> of_all(const Trend& trend) {
    DiskGrowth growth;
    growth.from_ms = trend.from_ms;
    growth.to_ms = trend.to_ms;
    const auto through = line(kDisks, growth);
    if (!through) return std::nullopt;
    growth.usage = usage_of_all(snapshot_).value_or(through->end / kMillion);
    growth.rise = through->rise() / kMillion;
    growth.per_day = trend.per_day.middle / kMillion;
    if (!add_traffic(growth, through->start / kMillion) || !add_namespaces(growth)) return std::nullopt;
    add_bytes(growth, capacity_of(snapshot_));
    // Something else lies on the disks, too, so the estimate is low.
    if (growth.estimated) growth.bytes = std::max(growth.bytes, sum_of(growth.by_cause));
    add_rest(growth);
    growth.cause = most_of(growth.by_cause);
    return growth;
  }

  // What no namespace accounts for; less than nothing where other data went meanwhile.
  void add_rest(DiskGrowth& growth) const {
    const auto copies = std::clamp<std::int64_t>(growth.bytes - sum_of(growth.by_cause), 0, recovered(growth));
    of(growth.by_cause, GrowthCause::kReReplication) += copies;
    const auto rest = growth.bytes - sum_of(growth.by_cause);
    const auto live = live_rise(growth);
    const auto [least, most] = std::minmax<std::int64_t>({0, rest});
    const auto garbage = live ? std::clamp<std::int64_t>(growth.bytes - *live, least, most) : 0;
    of(growth.by_cause, GrowthCause::kGarbage) += garbage;
    of(growth.by_cause, GrowthCause::kUnexplained) += rest - garbage;
  }

  // Its own garbage and its own copies; otherwise it takes part in what all of them grow by, or, where they do not, in
  // what moves from one to another, if that is more than its weeks do to it.
  std::optional<DiskGrowth> of_bookie(const model::BookieView& bookie, const model::DiskOutlook& outlook,
                                      const DiskGrowth* cluster) const {
    const auto points = disk_points(figures_, outlook.bookie, outlook.dir);
    const auto through = line_of(points);
    const auto trend = growing(points);
    if (!through || !trend) return std::nullopt;
    DiskGrowth growth;
    growth.bookie = bookie.name;
    growth.from_ms = trend->from_ms;
    growth.to_ms = trend->to_ms;
    growth.usage = outlook.usage;
    growth.rise = through->rise() / kMillion;
    growth.per_day = trend->per_day.middle / kMillion;
    if (!add_traffic(growth, through->start / kMillion)) return std::nullopt;
    add_bytes(growth, bookie.capacity_bytes.value_or(0));
    const auto live = live_rise(growth);
    const auto garbage = live ? std::clamp<std::int64_t>(growth.bytes - *live, 0, growth.bytes) : 0;
    of(growth.by_cause, GrowthCause::kGarbage) = garbage;
    const auto copies = std::clamp<std::int64_t>(recovered(growth), 0, growth.bytes - garbage);
    of(growth.by_cause, GrowthCause::kReReplication) = copies;
    const bool moves = cluster == nullptr && 2 * (garbage + copies) < growth.bytes;
    if (moves && trend->rise < static_cast<double>(highest_wave(points, limits_.disk_min_history))) return std::nullopt;
    share_out(growth, growth.bytes - garbage - copies, cluster);
    growth.idle_share = cluster != nullptr ? cluster->idle_share : 0;
    growth.cause = most_of(growth.by_cause);
    return growth;
  }

  // As all bookies together, garbage and copies apart, which are its own.
  static void share_out(DiskGrowth& growth, std::int64_t bytes, const DiskGrowth* cluster) {
    auto causes = cluster != nullptr ? cluster->by_cause : ByCause{};
    of(causes, GrowthCause::kGarbage) = of(causes, GrowthCause::kReReplication) = 0;
    for (auto& one : causes) one = std::max<std::int64_t>(0, one);
    const auto all = sum_of(causes);
    if (all <= 0) {
      of(growth.by_cause, GrowthCause::kReReplication) += bytes;
      return;
    }
    for (std::size_t i = 0; i < causes.size(); ++i) {
      growth.by_cause.at(i) +=
          std::llround(static_cast<double>(bytes) * static_cast<double>(causes.at(i)) / static_cast<double>(all));
    }
  }

  const model::Snapshot& snapshot_;
  const history::Figures& figures_;
  const Limits& limits_;
};

}  // namespace

void observe_bookies(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures) {
  for (const auto& bookie : snapshot.bookies) {
    if (!bookie.reachable) continue;
    if (bookie.live_bytes) figures.add(live_name(bookie.name), snapshot.at_ms, *bookie.live_bytes, limits.disk_window);
    if (bookie.recovered_bytes) {
      figures.add(recovered_name(bookie.name), snapshot.at_ms, *bookie.recovered_bytes, limits.disk_window);
    }
  }
  if (const auto usage = usage_of_all(snapshot)) {
    figures.add(kDisks, snapshot.at_ms, std::llround(*usage * kMillion), limits.disk_window);
  }
}

std::vector<DiskGrowth> disk_growths(const model::Snapshot& snapshot, const std::vector<model::DiskOutlook>& disks,
                                     const history::Figures& figures, const Limits& limits) {
  // Whoever has a part of the topics would take the others' for unexplained.
  if (snapshot.share != model::Share{}) return {};
  return Growths(snapshot, figures, limits).find(disks);
}

}  // namespace tidemark::detect
