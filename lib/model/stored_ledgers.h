#pragma once
// Ledgers as BookKeeper stores them, apart from who uses them: what one list of all of a cluster's ledgers showed, and
// of which of them nothing that was read since knows.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace tidemark::model {

// By what a ledger says of itself; kUnknown: nothing, or it is not Pulsar's.
enum class LedgerUse : std::uint8_t { kUnknown, kData, kCursor, kSchema, kCompacted, kDelayedIndex };

struct StoredLedger {
  std::int64_t id = -1;
  LedgerUse use = LedgerUse::kUnknown;
  std::string topic;                  // that it was made for, of a schema without "-partition-N"; empty when untold
  std::string cursor;                 // likewise, decoded
  std::optional<std::int64_t> bytes;  // of one copy; an open ledger tells none
  std::int64_t copies = 1;            // of each entry
  std::optional<TimeMs> created_ms;
};

// Why nothing refers to a ledger.
enum class Unreferenced : std::uint8_t {
  kUnproven,   // what would refer to it could not be read
  kUnlisted,   // who made it was read whole and does not list it
  kTopicGone,  // neither lists nor sweeps have its topic, nor does the metadata
  kCursorGone  // its topic was read whole and has no such cursor
};

// Younger ledgers may be on their way into a document, or were made while it was read.
inline bool is_settled(const StoredLedger& ledger, TimeMs at_ms) {
  constexpr TimeMs kDay = 86400000;
  return ledger.created_ms && at_ms - *ledger.created_ms >= kDay;
}

struct LooseLedger {
  StoredLedger ledger;
  Unreferenced why = Unreferenced::kUnproven;
};

// One look through all ledgers.
struct LedgerPass {
  TimeMs at_ms = 0;                // start of the poll that began the list
  std::int64_t ledgers = 0;        // in the list
  std::vector<LooseLedger> loose;  // those that nothing refers to, by id
};

}  // namespace tidemark::model
