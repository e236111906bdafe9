#pragma once
// GET .../{topic}/internalStats: positions and ledgers of a loaded topic. Loads an unloaded one, like stats.
// Cursor names are decoded here (the document has URLEncoder output); non-durable cursors are in it too, without a
// mark.

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

struct InternalCursor {
  std::string name;
  std::optional<model::Position> mark_delete;
  std::optional<model::Position> read_position;
  std::vector<model::AckRange> acked;         // the first kMaxAckRanges of individuallyDeletedMessages
  std::int64_t acked_ranges = 0;              // totalNonContiguousDeletedMessagesRange
  std::optional<std::int64_t> cursor_ledger;  // -1 without one
  std::int64_t cursor_ledger_last_entry = -1;
  std::string state;
  std::optional<TimeMs> ledger_switched_ms;
};

// The text of the ranges can be megabytes; a verdict needs the front of it.
inline constexpr std::size_t kMaxAckRanges = 4096;

struct InternalStats {
  std::int64_t entries_added = 0;  // since load
  std::int64_t entries = 0;
  std::int64_t total_bytes = 0;
  std::int64_t current_ledger_entries = 0;
  std::int64_t current_ledger_bytes = 0;
  std::optional<model::Position> last_confirmed;
  std::string state;  // "LedgerOpened", "ClosedLedger", ...
  std::optional<TimeMs> last_ledger_created_ms;
  std::optional<TimeMs> last_ledger_failed_ms;
  std::vector<model::Ledger> ledgers;  // as printed: the open one with 0 entries and 0 bytes
  std::vector<InternalCursor> cursors;
  std::vector<model::Ledger> schema_ledgers;      // of its schema's versions; only ids
  std::optional<model::Ledger> compacted_ledger;  // id -1: it has none
};

// Also kMalformed when it counts entries and lists no ledger: half an answer.
Result<InternalStats> decode_internal_stats(std::string_view body);

// "(100:19..100:60],[...)": every spelling of the bounds that brokers print ('..' and the one-character ellipsis).
// Reads at most `most` ranges and never copies the text.
std::vector<model::AckRange> parse_ack_ranges(std::string_view text, std::size_t most);

}  // namespace tidemark::pulsar
