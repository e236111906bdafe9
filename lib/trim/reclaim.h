#pragma once
// What the broker would delete if cursors were removed, by the broker's own walk: whole closed ledgers below the
// slowest remaining durable cursor, oldest first, as long as retention lets go of them; never the last ledger. Measured
// on 2.8.2 to 5.0.1, see docs/design.md section 2.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/ledgers.h"
#include "model/position.h"
#include "model/snapshot.h"

namespace tidemark::trim {

struct Topic {
  const model::Ledgers* ledgers = nullptr;
  std::vector<model::Position> durable;       // mark-deletes of every durable cursor, system cursors included
  std::optional<model::Retention> retention;  // effective; empty = unknown, then every figure is empty
  TimeMs now = 0;
  // 2.x: a cursor on the last entry of a closed ledger still pins that ledger.
  bool boundary_pins = false;
};

struct Share {
  std::optional<std::int64_t> bytes;     // 0 for a cursor that is not of the slowest group; empty = cannot be told
  std::vector<std::size_t> shared_with;  // indices into Topic::durable of the cursors tied with it
};

// For durable[index]: the bytes freed if it, together with those tied with it, were removed.
Share reclaimable(const Topic& topic, std::size_t index);

// The bytes freed if all of `removed` (indices) went together.
std::optional<std::int64_t> reclaimable_together(const Topic& topic, const std::vector<std::size_t>& removed);

// Closed-ledger bytes that no durable cursor needs any more and that are still there, whatever keeps them.
std::int64_t unpinned_closed_bytes(const Topic& topic);

// Bytes of the last ledger when every durable cursor is past all of it; 0 otherwise or when untold.
std::int64_t unpinned_open_bytes(const Topic& topic);

}  // namespace tidemark::trim
