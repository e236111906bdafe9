#pragma once
// What the finding of a cursor's state says of it in one line.

#include <map>
#include <string_view>
#include <utility>

#include "model/finding.h"

namespace tidemark::report {

// Whether a rule is a cursor's state and not a rule of its own.
bool is_state(std::string_view rule);

// (topic, cursor) -> summary; views into the verdicts.
using Summaries = std::map<std::pair<std::string_view, std::string_view>, std::string_view>;
Summaries state_summaries(const model::Verdicts& verdicts);

}  // namespace tidemark::report
