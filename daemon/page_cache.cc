#include "daemon/page_cache.h"

#include <algorithm>

#include "formats/gzip.h"
#include "report/api_json.h"

namespace tidemark::daemon {

std::shared_ptr<const Pages> render(const std::vector<RenderPart>& parts, report::MetricLimits limits) {
  constexpr int kPollsUntilStale = 3;
  auto pages = std::make_shared<Pages>();
  std::vector<report::ClusterPart> clusters;
  for (const auto& part : parts) {
    const auto& snapshot = *part.outcome.snapshot;
    clusters.push_back({&snapshot, part.outcome.verdicts.get(), part.keeper});
    pages->at_ms = std::max(pages->at_ms, snapshot.at_ms);
    pages->good_until_ms =
        std::max(pages->good_until_ms, snapshot.at_ms + kPollsUntilStale * snapshot.interval.count());
    pages->clusters.push_back({part.name, report::findings_json(*part.outcome.verdicts), part.outcome});
  }
  pages->metrics = report::render_cluster_metrics(clusters, limits);
  pages->metrics_gzip = formats::gzip(pages->metrics);
  return pages;
}

}  // namespace tidemark::daemon
