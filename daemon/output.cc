#include "daemon/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "report/api_json.h"
#include "report/csv.h"
#include "report/nagios.h"
#include "report/tables.h"

namespace tidemark::daemon {
namespace {

report::TableOptions terminal_options() {
  report::TableOptions options;
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0) return options;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) options.width = size.ws_col;
  options.color = std::getenv("NO_COLOR") == nullptr;
  return options;
}

std::string table(const Shown& shown) {
  auto options = terminal_options();
  options.problems = shown.problems;
  return (shown.follows ? "\n" : "") + report::findings_table(shown.verdicts, options);
}

std::string metrics(const Shown& shown) {
  report::SeriesKeeper keeper;
  return report::render_cluster_metrics(shown.snapshot, shown.verdicts, shown.limits, keeper);
}

report::CheckOptions check_options(const Shown& shown, const Printing& printing) {
  return {model::severity_named(printing.fail_on), printing.strict && shown.partial, shown.problems};
}

int unknown(const Error& error) {
  std::cout << report::check_unknown(error.text()) << std::flush;
  return static_cast<int>(report::CheckStatus::kUnknown);
}

}  // namespace

void print_verdicts(const Shown& shown, const Printing& printing) {
  if (printing.format == "json") {
    std::cout << report::findings_json(shown.verdicts) << "\n";
  } else if (printing.format == "csv") {
    std::cout << (shown.follows ? "" : report::csv_header()) << report::csv_rows(shown.verdicts);
  } else if (printing.format == "prometheus") {
    std::cout << metrics(shown);
  } else if (printing.format == "nagios") {
    std::cout << report::check_text(shown.verdicts, check_options(shown, printing));
  } else {
    std::cout << table(shown);
  }
  std::cout << std::flush;
}

int exit_status(const Shown& shown, const Printing& printing) {
  if (!std::cout) return fail(Error{Errc::kIo, "standard output: writing failed, is the disk full?"}, printing);
  if (printing.is_check()) return static_cast<int>(check_status(shown.verdicts, check_options(shown, printing)));
  const auto least = model::severity_named(printing.fail_on);  // empty: never
  const bool found = least && std::any_of(shown.verdicts.findings.begin(), shown.verdicts.findings.end(),
                                          [&](const auto& finding) { return finding.severity >= *least; });
  if (found) return kFindings;
  return printing.strict && shown.partial ? kPartial : kClean;
}

int fail(const Error& error, const Printing& printing) { return printing.is_check() ? unknown(error) : fail(error); }

int fail_input(const Error& error, const Printing& printing) {
  return printing.is_check() ? unknown(error) : fail_input(error);
}

int fail_recording(const Error& error, const Printing& printing) {
  return error.code() == Errc::kNetwork ? fail(error, printing) : fail_input(error, printing);
}

}  // namespace tidemark::daemon
