// One pass over a cluster: what can be told without a history, with bounds out of the cluster's own documents.
#include <iostream>
#include <memory>

#include "base/log.h"
#include "daemon/commands/commands.h"
#include "daemon/one_pass.h"
#include "daemon/options.h"
#include "daemon/output.h"

namespace tidemark::daemon {
namespace {

struct Scan {
  Common common;
  FilterText filter;
  Printing printing;
};

int run(const Scan& scan) {
  auto settings = load_settings(scan.common);
  if (!settings) return fail(settings.error(), scan.printing);
  auto cluster = chosen_cluster(*settings, scan.common);
  if (!cluster) return fail(cluster.error(), scan.printing);
  auto filter = parse_filter(scan.filter);
  if (!filter) return fail(filter.error(), scan.printing);
  log::set_level(settings->log.level);
  const auto outcome = one_pass(*settings, *cluster, *filter);
  if (!outcome) return fail(outcome.error(), scan.printing);
  const auto problems = outcome->problem_lines();
  if (!scan.printing.shows_problems()) {
    for (const auto& line : problems) std::cerr << "tidemark: " << line << "\n";
  }
  const Shown shown{
      *outcome->snapshot,         *outcome->verdicts, problems, outcome->partial() || !problems.empty(), false,
      metric_limits_of(*settings)};
  print_verdicts(shown, scan.printing);
  return exit_status(shown, scan.printing);
}

}  // namespace

void add_scan(CLI::App& app, int& status) {
  auto scan = std::make_shared<Scan>();
  auto* command = app.add_subcommand("scan", "look at a cluster once and print what is found");
  add_url(*command, scan->common);
  add_common(*command, scan->common);
  add_cluster(*command, scan->common);
  add_filter(*command, scan->filter);
  add_printing(*command, scan->printing);
  command->callback([scan, &status] { status = run(*scan); });
}

}  // namespace tidemark::daemon
