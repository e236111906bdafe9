#pragma once
// Every series about the cluster, listed once: its name (a contract: a rename breaks dashboards and alerts), its help
// and how its samples are made. A new metric is a line in one of these tables. Labels never are `cluster`, `namespace`,
// `type` or `owner`, which scrapers and operators set themselves.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/metrics_writer.h"
#include "report/cluster_metrics.h"
#include "report/logical.h"
#include "report/sums.h"

namespace tidemark::report {

// A group with series of its own.
struct ChosenGroup {
  GroupKey key;
  const GroupSum* sum = nullptr;
  formats::LabelSet labels;
};

// What the families of one cluster are made from, worked out once.
struct Prepared {
  const model::Snapshot* snapshot = nullptr;
  const model::Verdicts* verdicts = nullptr;
  formats::LabelSet cluster;  // pulsar_cluster
  Sums sums;
  std::vector<LogicalSubscription> subscriptions;
  std::map<std::string_view, formats::LabelSet> namespaces;  // pulsar_cluster, tenant, pulsar_namespace
  std::size_t suppressed = 0;
  std::vector<std::pair<const model::CursorVerdict*, formats::LabelSet>> cursors;  // with series of their own
  std::vector<std::pair<const TopicSum*, formats::LabelSet>> topics;               // likewise
  std::vector<ChosenGroup> groups;                                                 // likewise
};

Prepared prepare(const ClusterPart& part, MetricLimits limits);

struct MetricFamily {
  std::string_view name;
  formats::MetricKind kind;
  std::string_view help;
  void (*write)(formats::MetricsWriter& out, const Prepared& part);
};

std::span<const MetricFamily> cursor_families();   // cursors, topics, groups, namespaces
std::span<const MetricFamily> cluster_families();  // counts, bookies, our own view

inline double seconds(TimeMs ms) { return static_cast<double>(ms) / 1000; }

}  // namespace tidemark::report
