#include "report/cluster_metrics.h"

#include <algorithm>
#include <set>

#include "report/metric_families.h"

namespace tidemark::report {
namespace {

using formats::LabelSet;
using formats::MetricsWriter;

void choose_cursors(Prepared& prepared, const SeriesKeeper::Selection& selection) {
  prepared.suppressed = selection.suppressed;
  for (const auto* cursor : selection.cursors) {
    const auto& ns = prepared.namespaces.at(place_of(cursor->topic).ns);
    prepared.cursors.emplace_back(cursor, ns.with("topic", cursor->topic).with("subscription", cursor->cursor));
  }
}

// The topics of the chosen cursors and, as far as `max` allows, those that a finding names.
void choose_topics(Prepared& prepared, std::size_t max) {
  std::set<std::string_view> wanted;
  for (const auto& [cursor, labels] : prepared.cursors) wanted.insert(cursor->topic);
  const auto limit = std::max(max, wanted.size());
  for (const auto& finding : prepared.verdicts->findings) {
    if (wanted.size() >= limit) break;
    if (finding.topic) wanted.insert(*finding.topic);
  }
  for (const auto& topic : prepared.sums.topics) {
    if (!wanted.contains(topic.topic)) continue;
    prepared.topics.emplace_back(&topic, prepared.namespaces.at(topic.place.ns).with("topic", topic.topic));
  }
}

void choose_groups(Prepared& prepared, std::size_t max) {
  using Entry = const std::pair<const GroupKey, GroupSum>*;
  std::vector<Entry> groups;
  groups.reserve(prepared.sums.groups.size());
  for (const auto& entry : prepared.sums.groups) groups.push_back(&entry);
  std::ranges::stable_sort(groups, [](Entry a, Entry b) {
    return a->second.reclaimable_bytes > b->second.reclaimable_bytes;  // an empty optional is below any value
  });
  if (groups.size() > max) groups.resize(max);
  for (const auto* entry : groups) {
    const auto& [ns, group] = entry->first;
    prepared.groups.push_back({entry->first, &entry->second, prepared.namespaces.at(ns).with("group", group)});
  }
}

}  // namespace

Prepared prepare(const ClusterPart& part, MetricLimits limits) {
  Prepared prepared;
  prepared.snapshot = part.snapshot;
  prepared.verdicts = part.verdicts;
  prepared.cluster = LabelSet{{"pulsar_cluster", part.snapshot->cluster}};
  prepared.sums = sum_up(*part.verdicts);
  prepared.subscriptions = logical_subscriptions(*part.verdicts);
  for (const auto& [ns, sum] : prepared.sums.namespaces) {
    prepared.namespaces.emplace(ns, prepared.cluster.with("tenant", sum.tenant).with("pulsar_namespace", ns));
  }
  choose_cursors(prepared, part.keeper->select(*part.verdicts, limits.max_cursor_series, part.snapshot->at_ms));
  choose_topics(prepared, limits.max_cursor_series);
  choose_groups(prepared, limits.max_cursor_series);
  return prepared;
}

std::string render_cluster_metrics(const model::Snapshot& snapshot, const model::Verdicts& verdicts,
                                   MetricLimits limits, SeriesKeeper& keeper) {
  return render_cluster_metrics({{&snapshot, &verdicts, &keeper}}, limits);
}

std::string render_cluster_metrics(const std::vector<ClusterPart>& parts, MetricLimits limits) {
  std::vector<Prepared> prepared;
  prepared.reserve(parts.size());
  for (const auto& part : parts) prepared.push_back(prepare(part, limits));
  std::string text;
  MetricsWriter out{text};
  for (const auto families : {cluster_families(), cursor_families()}) {
    for (const auto& family : families) {
      out.family(family.name, family.kind, family.help);
      for (const auto& part : prepared) family.write(out, part);
    }
  }
  return text;
}

}  // namespace tidemark::report
