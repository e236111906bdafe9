#pragma once
// A check in the form that Nagios, Icinga and their kin read: one status line with performance data in base units, then
// a bounded list of what was found, worst first. Names are escaped: a '|' would begin the performance data.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"

namespace tidemark::report {

// The exit statuses of a check.
enum class CheckStatus : int { kOk = 0, kWarning = 1, kCritical = 2, kUnknown = 3 };

struct CheckOptions {
  // Findings below it raise nothing; empty = none does. From it on `critical` ones are CRITICAL, all others WARNING.
  std::optional<model::Severity> least = model::Severity::kWarning;
  // A part could not be judged and that matters: UNKNOWN where nothing worse is known.
  bool partial_is_unknown = false;
  std::vector<std::string> problems;  // one line each, listed first
};

// UNKNOWN also when there are topics and none of them could be judged.
CheckStatus check_status(const model::Verdicts& verdicts, const CheckOptions& options);

// The whole output: at most 4 KB, newline at the end.
std::string check_text(const model::Verdicts& verdicts, const CheckOptions& options);

// When there are no verdicts: "TIDEMARK UNKNOWN - why".
std::string check_unknown(std::string_view why);

}  // namespace tidemark::report
