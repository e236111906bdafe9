#include "detect/rules/held_without_cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace tidemark::detect::rules {

std::optional<model::Finding> held_without_cursor(const model::TopicView& topic, const trim::Topic& trim,
                                                  const Limits& limits) {
  if (!limits.report_gauges || trim.durable.empty()) return std::nullopt;
  const auto open = trim::unpinned_open_bytes(trim);
  if (open <= 0 || open < limits.held_min_bytes) return std::nullopt;
  const auto& word = model::word_of(model::Rule::kHeldWithoutCursor);
  model::Finding finding;
  finding.rule = word.name;
  finding.level = word.level;
  finding.severity = word.severity;
  finding.topic = topic.name;
  finding.ns = topic.ns;
  finding.subject = topic.name;
  finding.summary = fmt::format("{} stay in the open ledger, which no cursor needs; it goes after its next rollover",
                                format_bytes(open));
  finding.evidence = {
      {"cause", std::string("open_ledger")}, {"bytes", open}, {"ledger_id", trim.ledgers->list().back().id}};
  return finding;
}

}  // namespace tidemark::detect::rules
