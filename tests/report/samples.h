#pragma once
// One small cluster with everything that a report must get right: partitions, ties, groups, kept verdicts, a reader, a
// replicator, and names that somebody chose to break a page, a terminal or a parser.

#include <memory>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::report_samples {

inline constexpr TimeMs kNow = 1736467200000;
inline constexpr std::int64_t kDay = 86'400'000;

// Quotes, newline, tab, escape, markup, backslash, umlaut, right-to-left override and a byte that is no UTF-8.
std::string hostile_name();
std::string hostile_topic();

// A subscription with the fields that most rows share.
model::CursorVerdict cursor(const std::string& topic, const std::string& name, model::State state);

// Their bytes go only together.
std::shared_ptr<const model::Tie> tie(const std::vector<std::string>& names);

model::Verdicts verdicts();
model::Snapshot snapshot();

}  // namespace tidemark::report_samples
