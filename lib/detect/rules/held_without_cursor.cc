// Bytes that stay although no durable cursor pins them. Cause `open_ledger`: every durable cursor is past the last
// ledger, which waits for its rollover and may not be deleted before. A running daemon reports the ordinary causes as
// gauges only.
#include <fmt/format.h>

#include "base/units.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {

void held_without_cursor(const TopicCase& c, Findings& out) {
  if (!c.limits.report_gauges || !c.trim) return;
  const auto& trim = c.trim->topic;
  const auto open = trim::unpinned_open_bytes(trim);
  if (open <= 0 || open < c.limits.held_min_bytes) return;
  auto finding = topic_finding(model::Rule::kHeldWithoutCursor, c.topic);
  finding.summary = fmt::format("{} stay in the open ledger, which no cursor needs; it goes after its next rollover",
                                format_bytes(open));
  finding.evidence = {
      {"cause", std::string("open_ledger")}, {"bytes", open}, {"ledger_id", trim.ledgers->list().back().id}};
  out.push_back(std::move(finding));
}

}  // namespace tidemark::detect::rules
