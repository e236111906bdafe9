#include "daemon/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "report/api_json.h"
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

}  // namespace

void print_verdicts(const model::Verdicts& verdicts, const Printing& printing, std::vector<std::string> problems) {
  if (printing.format == "json") {
    std::cout << report::findings_json(verdicts) << std::endl;
    return;
  }
  auto options = terminal_options();
  options.problems = std::move(problems);
  std::cout << report::findings_table(verdicts, options) << std::flush;
}

int exit_status(const model::Verdicts& verdicts, const Printing& printing, bool partial) {
  if (!std::cout) return fail(Error{Errc::kIo, "standard output: writing failed, is the disk full?"});
  const auto least = model::severity_named(printing.fail_on);  // empty: never
  const bool found = least && std::any_of(verdicts.findings.begin(), verdicts.findings.end(),
                                          [&](const auto& finding) { return finding.severity >= *least; });
  if (found) return kFindings;
  return printing.strict && partial ? kPartial : kClean;
}

}  // namespace tidemark::daemon
