#include "report/summaries.h"

#include <algorithm>

namespace tidemark::report {

bool is_state(std::string_view rule) {
  return std::ranges::any_of(model::kStates, [rule](const model::StateWord& word) { return word.name == rule; });
}

Summaries state_summaries(const model::Verdicts& verdicts) {
  Summaries summaries;
  for (const auto& finding : verdicts.findings) {
    if (!is_state(finding.rule) || !finding.topic || !finding.cursor) continue;
    summaries.emplace(std::pair{std::string_view{*finding.topic}, std::string_view{*finding.cursor}}, finding.summary);
  }
  return summaries;
}

}  // namespace tidemark::report
