#pragma once
// The cluster's series, rendered once a poll and then served from a cache. Names and labels are a contract
// (metric_families.h); series are limited by what is worth a series, not by what there is.

#include <cstddef>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "report/series_keeper.h"

namespace tidemark::report {

struct MetricLimits {
  std::size_t max_cursor_series = 5000;  // cursors, each with its eight or so series; groups and topics likewise
};

// One cluster's part of the page. `keeper` lives as long as the daemon watches that cluster.
struct ClusterPart {
  const model::Snapshot* snapshot = nullptr;
  const model::Verdicts* verdicts = nullptr;
  SeriesKeeper* keeper = nullptr;
};

// Ages of series are counted on the snapshot's clock.
std::string render_cluster_metrics(const model::Snapshot& snapshot, const model::Verdicts& verdicts,
                                   MetricLimits limits, SeriesKeeper& keeper);

// Several clusters in one text: a family must not appear twice on a page, so their texts cannot be joined.
std::string render_cluster_metrics(const std::vector<ClusterPart>& parts, MetricLimits limits);

}  // namespace tidemark::report
