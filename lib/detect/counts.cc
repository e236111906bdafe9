#include "detect/counts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "detect/case.h"
#include "detect/trend.h"
#include "model/names.h"

namespace tidemark::detect {
namespace {

constexpr double kLeastRise = 5;
constexpr double kLeastShare = 0.2;
constexpr std::int64_t kLeastOfTopic = 3;  // with fewer a topic has no figure of its own: there are too many topics
constexpr std::string_view kIdle = "idle ";
constexpr std::string_view kConnected = "connected ";
constexpr std::string_view kAllConnected = "connected";

struct Counts {
  std::int64_t idle = 0;
  std::int64_t connected = 0;
  std::int64_t unknown = 0;

  void add(std::optional<bool> is_connected) {
    if (!is_connected) {
      ++unknown;
    } else {
      ++(*is_connected ? connected : idle);
    }
  }
  void add(const Counts& other) {
    idle += other.idle;
    connected += other.connected;
    unknown += other.unknown;
  }
};

std::optional<bool> is_connected(const model::Snapshot& snapshot, const model::TopicView& topic,
                                 const model::CursorView& cursor) {
  if (!consumers_are_fresh(snapshot, topic, cursor)) return std::nullopt;
  return topic.loaded != model::Loaded::kNo && cursor.consumers.value_or(0) > 0;
}

Counts counts_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  Counts counts;
  for (const auto& cursor : topic.cursors) {
    if (cursor.kind == model::CursorKind::kSubscription) counts.add(is_connected(snapshot, topic, cursor));
  }
  return counts;
}

// The subscriptions of a partitioned topic: connected where one partition's is.
class Partitions {
 public:
  explicit Partitions(const model::Snapshot& snapshot) : snapshot_(snapshot) {}

  void add(const model::TopicView& topic) {
    for (const auto& cursor : topic.cursors) {
      if (cursor.kind != model::CursorKind::kSubscription) continue;
      const auto now = is_connected(snapshot_, topic, cursor);
      const auto [known, first] = all_.try_emplace(cursor.name, now);
      if (!first && known->second != true) known->second = now ? (*now ? now : known->second) : now;
    }
  }
  Counts counts() const {
    Counts counts;
    for (const auto& [name, connected] : all_) counts.add(connected);
    return counts;
  }

 private:
  const model::Snapshot& snapshot_;
  std::map<std::string_view, std::optional<bool>> all_;
};

struct All {
  std::map<std::string, Counts, std::less<>> topics;  // those that have many, or a figure already
  std::map<std::string_view, Counts> namespaces;
  std::map<std::string_view, Counts> tenants;
  Counts cluster;
};

std::string figure_name(std::string_view what, model::Level level, std::string_view name) {
  return std::string(what) + model::name_of(level) + " " + std::string(name);
}

void add_places(All& all, const model::TopicView& topic, const Counts& counts) {
  all.namespaces[topic.ns].add(counts);
  all.tenants[topic.tenant.empty() ? std::string_view(topic.ns).substr(0, topic.ns.find('/')) : topic.tenant].add(
      counts);
  all.cluster.add(counts);
}

// Topics that have a figure already, whose views live as long as it does.
std::unordered_set<std::string_view> known_topics(const history::Figures& figures) {
  const auto front = figure_name(kIdle, model::Level::kTopic, "");
  std::unordered_set<std::string_view> known;
  figures.each([&](std::string_view figure, const history::Series&) {
    if (figure.starts_with(front)) known.insert(figure.substr(front.size()));
  });
  return known;
}

All count_all(const model::Snapshot& snapshot, const history::Figures& figures) {
  All all;
  const auto known = known_topics(figures);
  struct Partitioned {
    const model::TopicView* topic;
    Partitions cursors;
  };
  std::map<std::string_view, Partitioned> partitioned;
  for (const auto& topic : snapshot.topics) {
    if (topic->system) continue;
    const auto counts = counts_of(snapshot, *topic);
    const bool kept = counts.idle >= kLeastOfTopic || known.contains(topic->name);
    if (kept && counts.unknown == 0) all.topics.emplace(topic->name, counts);
    const auto name = model::parse_topic(topic->name);
    if (!name || !name->partition) {
      add_places(all, *topic, counts);
      continue;
    }
    partitioned.try_emplace(name->parent, Partitioned{topic.get(), Partitions(snapshot)})
        .first->second.cursors.add(*topic);
  }
  for (const auto& [parent, one] : partitioned) add_places(all, *one.topic, one.cursors.counts());
  return all;
}

// While brokers or bookies are missing clients cannot connect, and that is not their leaving.
bool is_outage(const model::Snapshot& snapshot, const All& all, const history::Figures& figures) {
  constexpr int kUnregistered = -1;
  const auto broken = [](const model::BrokerView& broker) { return !broker.reachable || broker.partial; };
  const auto missing = [](const model::BookieView& bookie) {
    return bookie.status && (!bookie.reachable || *bookie.status == kUnregistered);
  };
  if (std::any_of(snapshot.brokers.begin(), snapshot.brokers.end(), broken)) return true;
  if (std::none_of(snapshot.bookies.begin(), snapshot.bookies.end(), missing)) return false;
  const auto* before = figures.find(kAllConnected);  // of the last poll that was none
  return before != nullptr && 2 * all.cluster.connected < before->last_value();
}

class Adding {
 public:
  Adding(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures)
      : at_(snapshot.at_ms), window_(limits.growth_window), figures_(figures) {}

  void add(model::Level level, std::string_view name, const Counts& counts) {
    const auto places =
        level == model::Level::kTopic ? history::Figures::Places::kMany : history::Figures::Places::kAll;
    if (!figures_.add(figure_name(kIdle, level, name), at_, counts.idle, window_, places)) return;
    figures_.add(figure_name(kConnected, level, name), at_, counts.connected, window_, places);
  }
  void add(model::Level level, const std::map<std::string_view, Counts>& all) {
    constexpr std::int64_t kFew = 20;  // one in so many
    for (const auto& [name, counts] : all) {
      if (counts.unknown * kFew <= counts.idle + counts.connected) add(level, name, counts);
    }
  }
  void add_cluster(const Counts& counts) { figures_.add(kAllConnected, at_, counts.connected, window_); }

 private:
  TimeMs at_;
  Duration window_;
  history::Figures& figures_;
};

// Every second one: a fourth of the pairs, where there may be thousands of figures.
std::vector<history::Point> half_of(const std::vector<history::Point>& points) {
  std::vector<history::Point> half;
  half.reserve(points.size() / 2 + 1);
  for (std::size_t i = (points.size() + 1) % 2; i < points.size(); i += 2) half.push_back(points[i]);
  return half;
}

// Empty where it moved by less than may be growth: nobody asks how slowly.
std::optional<Trend> trend_of(const history::Series& series, const Limits& limits) {
  const auto points = half_of(series.points());
  const auto [least, most] =
      std::minmax_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  if (points.empty() || static_cast<double>(most->value - least->value) < kLeastRise * 0.9) return std::nullopt;
  TrendNeeds needs;
  needs.least_span = limits.growth_window / 2;
  needs.least_rise = kLeastRise;
  needs.least_share = kLeastShare;
  return trend_of(points, needs);
}

// As much, beside what there was, as of those without a consumer.
bool explains(const Trend& connected, const Trend& idle) {
  const auto share = [](const Trend& trend) { return trend.rise / std::max(trend.start, 1.0); };
  return connected.grows && share(connected) >= share(idle);
}

std::optional<model::CountGrowth> growth_of(model::Level level, std::string_view name, const history::Series& series,
                                            const history::Figures& figures, const Limits& limits) {
  const auto trend = trend_of(series, limits);
  if (!trend) return std::nullopt;
  model::CountGrowth growth;
  growth.level = level;
  growth.name = name;
  growth.from_ms = trend->from_ms;
  growth.count = series.last_value();
  growth.start = trend->start;
  growth.rise = trend->rise;
  growth.per_day_low = trend->per_day.low;
  growth.per_day = trend->per_day.middle;
  growth.per_day_high = trend->per_day.high;
  growth.grows = trend->grows;
  const auto* connected = trend->grows ? figures.find(figure_name(kConnected, level, name)) : nullptr;
  const auto beside = connected != nullptr ? trend_of(*connected, limits) : std::nullopt;
  if (!beside) return growth;
  growth.connected_rise = beside->rise;
  growth.grows = !explains(*beside, *trend);
  return growth;
}

}  // namespace

void observe_counts(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures) {
  const auto all = count_all(snapshot, figures);
  if (is_outage(snapshot, all, figures)) return;
  Adding adding(snapshot, limits, figures);
  adding.add_cluster(all.cluster);
  adding.add(model::Level::kTenant, all.tenants);
  adding.add(model::Level::kNamespace, all.namespaces);
  for (const auto& [name, counts] : all.topics) adding.add(model::Level::kTopic, name, counts);
}

std::vector<model::CountGrowth> count_growths(const model::Snapshot& snapshot, const history::Figures& figures,
                                              const Limits& limits) {
  constexpr std::array kLevels{model::Level::kTenant, model::Level::kNamespace, model::Level::kTopic};
  std::vector<model::CountGrowth> growths;
  figures.each([&](std::string_view figure, const history::Series& series) {
    if (!figure.starts_with(kIdle) || snapshot.at_ms - series.last_ms() > 2 * snapshot.interval.count()) return;
    for (const auto level : kLevels) {
      const auto front = figure_name(kIdle, level, "");
      if (!figure.starts_with(front) || series.is_flat()) continue;
      auto growth = growth_of(level, figure.substr(front.size()), series, figures, limits);
      if (growth) growths.push_back(std::move(*growth));
    }
  });
  return growths;
}

}  // namespace tidemark::detect
