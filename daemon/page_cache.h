#pragma once
// What a scrape or an API call is answered with: texts rendered once per poll on the pool, handed out as they are. A
// scrape asks no broker and evaluates nothing.

#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "daemon/cluster_watch.h"
#include "report/cluster_metrics.h"

namespace tidemark::daemon {

struct ClusterPages {
  std::string name;
  std::string findings_json;
  Outcome outcome;
};

struct Pages {
  TimeMs at_ms = 0;          // start of the newest poll in it
  TimeMs good_until_ms = 0;  // the cluster's series are left out after it
  std::string metrics;
  std::string metrics_gzip;
  std::vector<ClusterPages> clusters;
};

struct RenderPart {
  std::string name;
  Outcome outcome;
  report::SeriesKeeper* keeper = nullptr;
};

// On the pool. `keepers` are touched by nobody else meanwhile.
std::shared_ptr<const Pages> render(const std::vector<RenderPart>& parts, report::MetricLimits limits);

}  // namespace tidemark::daemon
