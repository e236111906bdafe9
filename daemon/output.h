#pragma once
// Verdicts on stdout in the format that was asked for, and the exit status they mean.

#include <string>
#include <vector>

#include "daemon/options.h"
#include "model/finding.h"

namespace tidemark::daemon {

// `problems`: lines about what could not be had, shown beside the coverage of a table.
void print_verdicts(const model::Verdicts& verdicts, const Printing& printing, std::vector<std::string> problems);

// kUsage when standard output could not be written, else kFindings when a finding is at or above --fail-on, else
// kPartial when --strict and `partial`, else kClean.
int exit_status(const model::Verdicts& verdicts, const Printing& printing, bool partial);

}  // namespace tidemark::daemon
