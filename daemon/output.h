#pragma once
// Verdicts on stdout in the format that was asked for, and the exit status they mean.

#include <string>
#include <vector>

#include "daemon/options.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "report/cluster_metrics.h"

namespace tidemark::daemon {

// What one poll came to, for printing.
struct Shown {
  const model::Snapshot& snapshot;
  const model::Verdicts& verdicts;
  std::vector<std::string> problems;  // lines about what could not be had, beside the coverage
  bool partial = false;               // something could not be judged
  bool follows = false;               // another poll was printed before: no second header
  report::MetricLimits limits;
};

void print_verdicts(const Shown& shown, const Printing& printing);

// kUsage when standard output could not be written, else kFindings when a finding is at or above --fail-on, else
// kPartial when --strict and partial, else kClean. With `nagios` the statuses are a check's own, 0 to 3.
int exit_status(const Shown& shown, const Printing& printing);

// No verdicts at all: as fail(), but a check says UNKNOWN on stdout and returns its status.
int fail(const Error& error, const Printing& printing);
// The same for a file that was given.
int fail_input(const Error& error, const Printing& printing);
// The same for what became of a recording: a fault of the file, unless nobody answered while it was made.
int fail_recording(const Error& error, const Printing& printing = {});

}  // namespace tidemark::daemon
