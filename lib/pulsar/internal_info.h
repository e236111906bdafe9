#pragma once
// GET .../{topic}/internal-info: the stored metadata of a topic; loads nothing, any broker answers. The only safe view
// of an unloaded topic. Unknown topics answer 500 (not 404) with an HTML body on every version.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/ledgers.h"
#include "model/position.h"
#include "model/snapshot.h"

namespace tidemark::pulsar {

struct InfoCursor {
  std::string name;  // decoded
  std::optional<model::Position> mark_delete;
  // >= 0: the true position is in a cursor ledger and mark_delete is only a lower bound. -1: closed gracefully, exact.
  std::int64_t cursor_ledger = -1;
  std::vector<model::AckRange> acked;  // the first kMaxAckRanges (internal_stats.h); 5.0 stores up to 200 000
  std::int64_t acked_ranges = 0;       // all of them
  std::optional<TimeMs> created_ms;
  std::optional<TimeMs> modified_ms;
  std::optional<std::int64_t> compacted_ledger;  // a property of __compaction, told of unloaded topics on 3.0+
};

struct InternalInfo {
  std::int64_t version = 0;
  std::optional<TimeMs> created_ms;
  std::optional<TimeMs> modified_ms;
  // The last one has neither entries nor bytes, and its closed_ms is left empty (the document's is the time of the
  // request).
  std::vector<model::Ledger> ledgers;
  std::vector<InfoCursor> cursors;
};

// The parent of a partitioned topic answers with `partitions`; that form is refused as malformed, ask each partition.
Result<InternalInfo> decode_internal_info(std::string_view body);

}  // namespace tidemark::pulsar
