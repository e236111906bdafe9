// A replicator's cursor whose cluster is no longer one that the namespace replicates to: it pins storage for nobody. A
// topic may have a list of its own, which is not asked for; a replicator that is connected is taken to be of such a
// list.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

// Empty for a shadow topic's, which no list of clusters knows.
std::string_view cluster_of(std::string_view cursor, std::string_view prefix) {
  const bool to_cluster = cursor.starts_with(prefix) && cursor.size() > prefix.size() && cursor[prefix.size()] == '.';
  return to_cluster ? cursor.substr(prefix.size() + 1) : std::string_view{};
}

}  // namespace

void leftover_replicator(const TopicCase& c, Findings& out) {
  const auto ns = c.snapshot.namespaces.find(c.topic.ns);
  if (c.topic.system || ns == c.snapshot.namespaces.end() || ns->second.replication_clusters.empty()) return;
  const auto& clusters = ns->second.replication_clusters;
  for (const auto& one : c.cases) {
    const auto& cursor = one.cursor;
    if (cursor.kind != model::CursorKind::kReplicator || cursor.connected.value_or(false)) continue;
    // A list that was read before the replicator was there may just not have it yet.
    if (one.history.first_position_ms == 0 || one.history.first_position_ms > ns->second.policies_at_ms) continue;
    const auto cluster = cluster_of(cursor.name, c.snapshot.defaults.cursor_names.replicator_prefix);
    if (cluster.empty() || std::find(clusters.begin(), clusters.end(), cluster) != clusters.end()) continue;
    auto finding = cursor_finding(model::Rule::kLeftoverReplicator, c.topic, cursor);
    finding.summary =
        "a replicator's cursor is left although the namespace does not replicate to that cluster any more";
    finding.evidence = {{"cluster", std::string(cluster)},
                        {"replication_clusters", fmt::format("{}", fmt::join(clusters, ", "))}};
    if (one.pin.bytes) finding.evidence.emplace_back("pinned_bytes", *one.pin.bytes);
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
