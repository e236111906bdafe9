#pragma once
// The JSON that `replay`, `scan --format json` and /api/v1/ share: section 5 of docs/design.md. Others parse it, so a
// field is never renamed or left out; what nobody knows is null.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/finding.h"

namespace tidemark::report {

// {at_ms, cursors, findings, coverage}, every cursor.
std::string findings_json(const model::Verdicts& verdicts);

// Which cursors /api/v1/cursors lists; an empty member lets all pass.
struct CursorFilter {
  std::optional<std::string> tenant;
  std::optional<std::string> ns;     // "tenant/namespace"
  std::optional<std::string> topic;  // one partition, or a partitioned topic for all of its partitions
  std::optional<std::string> cursor;
  std::optional<model::State> state;  // as it is counted: an unknown cursor by the verdict it kept
  std::size_t limit = 1000;
  std::size_t offset = 0;
};

// From the decoded query: tenant, namespace, topic, cursor, state, limit, offset. The error is one line for a 400.
Result<CursorFilter> parse_cursor_filter(const std::vector<std::pair<std::string, std::string>>& query);

bool matches(const CursorFilter& filter, const model::CursorVerdict& verdict);

// {at_ms, total, offset, limit, cursors, coverage}; `total` counts what matches.
std::string cursors_json(const model::Verdicts& verdicts, const CursorFilter& filter);

}  // namespace tidemark::report
