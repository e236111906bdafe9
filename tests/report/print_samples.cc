// Prints what the room makes of the sample cluster, for the checks that other programs do better than we: promtool on
// metrics, Python's parsers on JSON and HTML.
#include <iostream>
#include <string>

#include "report/api_json.h"
#include "report/cluster_metrics.h"
#include "report/csv.h"
#include "report/landing_page.h"
#include "report/samples.h"
#include "report/self_metrics.h"
#include "report/tables.h"

using namespace tidemark;

namespace {

std::string self_metrics() {
  report::SelfMetrics metrics("0.1.0", "abc");
  metrics.poll_done("prod \"eu\"", Duration{1500}, true, report_samples::kNow);
  metrics.request_done("prod \"eu\"", "stats", 200, Duration{30});
  metrics.document_rejected("prod \"eu\"", "stats", Errc::kMalformed);
  metrics.set_brokers_partial("prod \"eu\"", 1);
  metrics.history_used("prod \"eu\"", {4096, 1, 2, 3, 4});
  metrics.config_loaded(true, report_samples::kNow);
  return metrics.serialize();
}

std::string made(const std::string& what) {
  const auto verdicts = report_samples::verdicts();
  const auto snapshot = report_samples::snapshot();
  report::SeriesKeeper keeper;
  if (what == "findings") return report::findings_json(verdicts);
  if (what == "cursors") return report::cursors_json(verdicts, {});
  if (what == "csv") return report::csv_header() + report::csv_rows(verdicts);
  if (what == "empty") return report::findings_json({});
  // One page, as it is served.
  if (what == "metrics") return report::render_cluster_metrics(snapshot, verdicts, {}, keeper) + self_metrics();
  if (what == "page") return report::landing_page({{"prod", &verdicts, report::problems_of(snapshot)}}, "0.1.0");
  if (what == "table") return report::findings_table(verdicts, {100, true, 20, report::problems_of(snapshot)});
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  const auto text = made(count > 1 ? arguments[1] : "");
  std::cout << text;
  return text.empty() ? 2 : 0;
}
