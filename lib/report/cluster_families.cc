// Counts over the cluster, its bookies, and how fresh and whole our view of it is.
#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

#include "report/logical.h"
#include "report/metric_families.h"

namespace tidemark::report {
namespace {

using formats::LabelSet;
using formats::MetricKind;
using formats::MetricsWriter;

LabelSet labels_of(const Prepared& part, std::string_view tenant, std::string_view ns) {
  const auto known = part.namespaces.find(ns);
  if (known != part.namespaces.end()) return known->second;
  return part.cluster.with("tenant", tenant).with("pulsar_namespace", ns);
}

std::string_view tenant_of(std::string_view ns) { return ns.substr(0, ns.find('/')); }

// Each subscription counts what `weight` says.
template <class Weight>
void by_state(MetricsWriter& out, const Prepared& part, Weight weight) {
  std::map<std::tuple<std::string_view, std::string_view, model::State>, std::int64_t> counts;
  for (const auto& subscription : part.subscriptions) {
    if (subscription.worst->kind != model::CursorKind::kSubscription) continue;
    counts[{subscription.place.ns, subscription.place.tenant, subscription.state}] += weight(subscription);
  }
  for (const auto& [key, count] : counts) {
    const auto& [ns, tenant, state] = key;
    out.sample(labels_of(part, tenant, ns).with("state", model::name_of(state)), count);
  }
}

void subscriptions(MetricsWriter& out, const Prepared& part) {
  by_state(out, part, [](const LogicalSubscription&) { return 1; });
}

void silenced(MetricsWriter& out, const Prepared& part) {
  by_state(out, part, [](const LogicalSubscription& one) { return one.worst->exception ? 1 : 0; });
}

bool stores_nothing(const model::TopicView& topic) {
  if (topic.total_bytes) return *topic.total_bytes == 0;
  if (topic.ledgers.empty()) return false;  // no document tells
  for (const auto& ledger : topic.ledgers.list()) {
    if (ledger.bytes != 0) return false;  // an empty optional differs from 0, too
  }
  return true;
}

void topics(MetricsWriter& out, const Prepared& part) {
  struct Counts {
    std::int64_t listed = 0;
    std::int64_t loaded = 0;
    std::int64_t empty = 0;
  };
  std::map<std::pair<std::string_view, std::string_view>, Counts> by_namespace;
  for (const auto& topic : part.snapshot->topics) {
    auto& counts = by_namespace[{topic->ns, topic->tenant}];
    if (topic->listed) ++counts.listed;
    if (topic->loaded == model::Loaded::kYes) ++counts.loaded;
    if (stores_nothing(*topic)) ++counts.empty;
  }
  for (const auto& [name, ns] : part.snapshot->namespaces) {
    if (ns.judged_elsewhere > 0) by_namespace[{name, tenant_of(name)}].listed += ns.judged_elsewhere;
  }
  for (const auto& [key, counts] : by_namespace) {
    const auto labels = labels_of(part, key.second, key.first);
    out.sample(labels.with("state", "listed"), counts.listed);
    out.sample(labels.with("state", "loaded"), counts.loaded);
    out.sample(labels.with("state", "empty"), counts.empty);
  }
}

void topics_stale(MetricsWriter& out, const Prepared& part) {
  std::int64_t stale = 0;
  for (const auto& topic : part.sums.topics) stale += topic.stale ? 1 : 0;
  out.sample(part.cluster, stale);
}

void findings(MetricsWriter& out, const Prepared& part) {
  std::map<std::pair<std::string_view, model::Severity>, std::int64_t> counts;
  for (const auto& finding : part.verdicts->findings) ++counts[{finding.rule, finding.severity}];
  for (const auto& [key, count] : counts) {
    out.sample(part.cluster.with("rule", key.first).with("severity", model::name_of(key.second)), count);
  }
}

// By name, too: an alert about one bookie may silence another about the same one.
void bookie_findings(MetricsWriter& out, const Prepared& part) {
  std::map<std::tuple<std::string_view, std::string_view, model::Severity>, std::int64_t> counts;
  for (const auto& finding : part.verdicts->findings) {
    if (finding.level == model::Level::kBookie) ++counts[{finding.subject, finding.rule, finding.severity}];
  }
  for (const auto& [key, count] : counts) {
    const auto& [bookie, rule, severity] = key;
    out.sample(part.cluster.with("bookie", bookie).with("rule", rule).with("severity", model::name_of(severity)),
               count);
  }
}

void bookie_usage(MetricsWriter& out, const Prepared& part) {
  for (const auto& bookie : part.snapshot->bookies) {
    const auto labels = part.cluster.with("bookie", bookie.name);
    for (const auto& [dir, ratio] : bookie.dir_usage_ratio) out.sample(labels.with("dir", dir), ratio);
  }
}

void subscription_growth(MetricsWriter& out, const Prepared& part) {
  for (const auto& growth : part.verdicts->counts) {
    if (growth.level != model::Level::kNamespace) continue;
    const std::string_view ns = growth.name;
    out.sample(labels_of(part, tenant_of(ns), ns), growth.per_day);
  }
}

LabelSet disk_labels(const Prepared& part, const model::DiskOutlook& disk) {
  return part.cluster.with("bookie", disk.bookie).with("dir", disk.dir);
}

void bookie_slope(MetricsWriter& out, const Prepared& part) {
  for (const auto& disk : part.verdicts->disks) out.sample(disk_labels(part, disk), disk.per_day);
}

void bookie_full(MetricsWriter& out, const Prepared& part) {
  for (const auto& disk : part.verdicts->disks) {
    const auto labels = disk_labels(part, disk);
    const auto put = [&](const char* bound, const std::optional<TimeMs>& at) {
      if (at) out.sample(labels.with("bound", bound), seconds(*at));
    };
    put("earliest", disk.full_earliest_ms);
    put("expected", disk.full_ms);
    put("latest", disk.full_latest_ms);
  }
}

constexpr double kDayMs = 86400000;

// Those of all bookies together; null while they do not grow.
const model::DiskGrowth* growth_of_all(const Prepared& part) {
  const auto& growths = part.verdicts->growths;
  return !growths.empty() && growths.front().bookie.empty() ? &growths.front() : nullptr;
}

double per_day(const model::DiskGrowth& growth, std::int64_t bytes) {
  const auto days = static_cast<double>(growth.to_ms - growth.from_ms) / kDayMs;
  return days > 0 ? static_cast<double>(bytes) / days : 0;
}

void disk_growth(MetricsWriter& out, const Prepared& part) {
  const auto* growth = growth_of_all(part);
  if (growth == nullptr) return;
  for (std::size_t i = 0; i < growth->by_cause.size(); ++i) {
    const auto cause = model::name_of(static_cast<model::GrowthCause>(i));
    out.sample(part.cluster.with("cause", cause), per_day(*growth, growth->by_cause.at(i)));
  }
}

void namespace_disk_growth(MetricsWriter& out, const Prepared& part) {
  const auto* growth = growth_of_all(part);
  if (growth == nullptr) return;
  for (const auto& one : growth->namespaces) {
    const std::string_view ns = one.ns;
    out.sample(labels_of(part, ns.substr(0, ns.find('/')), ns), per_day(*growth, one.bytes));
  }
}

void bookie_state(MetricsWriter& out, const Prepared& part) {
  for (const auto& bookie : part.snapshot->bookies) {
    if (bookie.status) out.sample(part.cluster.with("bookie", bookie.name), std::int64_t{*bookie.status});
  }
}

// Only where the cluster is split, or could be: sidecars are no shards.
void shards(MetricsWriter& out, const Prepared& part) {
  const auto& share = part.snapshot->share;
  if (share.watch != model::Watch::kCluster) return;
  out.sample(part.cluster.with("shard", std::to_string(share.shard.index)), std::int64_t{share.shard.count});
}

void suspects_waiting(MetricsWriter& out, const Prepared& part) {
  out.sample(part.cluster, part.snapshot->suspects_waiting);
}

void suspect_oldest(MetricsWriter& out, const Prepared& part) {
  if (part.snapshot->oldest_suspect_ms) out.sample(part.cluster, seconds(*part.snapshot->oldest_suspect_ms));
}

void snapshot_time(MetricsWriter& out, const Prepared& part) {
  const auto reached = part.snapshot->reached_ms;
  if (reached != 0) out.sample(part.cluster, seconds(reached));
}

void clock_offset(MetricsWriter& out, const Prepared& part) {
  out.sample(part.cluster, static_cast<double>(part.snapshot->clock_offset.count()) / 1000);
}

void suppressed(MetricsWriter& out, const Prepared& part) {
  out.sample(part.cluster, static_cast<std::int64_t>(part.suppressed));
}

void topics_loaded(MetricsWriter& out, const Prepared& part) {
  out.sample(part.cluster, part.snapshot->topics_loaded_by_us);
}

constexpr auto kFamilies = std::to_array<MetricFamily>({
    {"tidemark_subscriptions", MetricKind::kGauge,
     "Subscriptions by state, over all partitions of a topic counted once with the worst; states without any are left "
     "out.",
     subscriptions},
    {"tidemark_subscriptions_silenced", MetricKind::kGauge, "How many of tidemark_subscriptions an exception silences.",
     silenced},
    {"tidemark_subscription_growth_per_day", MetricKind::kGauge,
     "By how many subscriptions without a consumer a namespace grows a day, where they moved by 5 and were watched "
     "long "
     "enough.",
     subscription_growth},
    {"tidemark_topics", MetricKind::kGauge,
     "Topics and partitions that are in a topic list, that a broker has loaded, that are known to store nothing.",
     topics},
    {"tidemark_topics_stale", MetricKind::kGauge,
     "Topics with a cursor that no fresh document describes: its verdict is kept, not made.", topics_stale},
    {"tidemark_findings", MetricKind::kGauge, "Findings by rule and severity.", findings},
    {"tidemark_bookie_findings", MetricKind::kGauge, "Findings about a bookie.", bookie_findings},
    {"tidemark_bookie_dir_usage_ratio", MetricKind::kGauge,
     "Used share of the disk under a bookie's ledger directory, 0 to 1.", bookie_usage},
    {"tidemark_bookie_dir_usage_slope_per_day", MetricKind::kGauge,
     "By how much tidemark_bookie_dir_usage_ratio rises a day at present, where it was watched long enough.",
     bookie_slope},
    {"tidemark_bookie_full_timestamp_seconds", MetricKind::kGauge,
     "When a disk that grows reaches the usage at which the bookie takes no more writes.", bookie_full},
    {"tidemark_disk_growth_bytes_per_day", MetricKind::kGauge,
     "By how much the bookies' disks together grow a day, by cause, all copies; while they grow.", disk_growth},
    {"tidemark_namespace_disk_growth_bytes_per_day", MetricKind::kGauge,
     "Of tidemark_disk_growth_bytes_per_day what a namespace that grew accounts for.", namespace_disk_growth},
    {"tidemark_bookie_state", MetricKind::kGauge, "1 writable, 0 read-only, -1 unregistered.", bookie_state},
    {"tidemark_shards", MetricKind::kGauge,
     "By the number of its shard, into how many this daemon takes the cluster to be split; not beside brokers.",
     shards},
    {"tidemark_suspects_waiting", MetricKind::kGauge, "Topics that wait to be asked for their positions.",
     suspects_waiting},
    {"tidemark_suspect_oldest_timestamp_seconds", MetricKind::kGauge,
     "Since when the longest waiting topic waits to be asked for its positions.", suspect_oldest},
    {"tidemark_snapshot_timestamp_seconds", MetricKind::kGauge, "Start of the newest poll in which a broker answered.",
     snapshot_time},
    {"tidemark_clock_offset_seconds", MetricKind::kGauge,
     "How far the brokers' clocks are ahead of ours, by the Date of their answers; their times are corrected by it.",
     clock_offset},
    {"tidemark_series_suppressed", MetricKind::kGauge,
     "Cursors with a verdict other than ok that have no series of their own because of metrics.max_cursor_series.",
     suppressed},
    {"tidemark_topics_loaded_total", MetricKind::kCounter,
     "Topic loads that our own requests may have caused, since start.", topics_loaded},
});

}  // namespace

std::span<const MetricFamily> cluster_families() { return kFamilies; }

}  // namespace tidemark::report
