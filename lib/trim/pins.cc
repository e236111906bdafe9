#include "trim/pins.h"

#include <algorithm>

namespace tidemark::trim {

Pin pinned(const model::Ledgers& ledgers, const model::Position& mark_delete) {
  const auto from = ledgers.normalise(mark_delete);
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
  for (const auto& ledger : ledgers.list()) {
    if (ledger.id < from.ledger_id) continue;
    if (!ledger.entries || !ledger.bytes) return {};
    const auto passed =
        ledger.id == from.ledger_id ? std::clamp<std::int64_t>(from.entry_id + 1, 0, *ledger.entries) : 0;
    entries += *ledger.entries - passed;
    if (passed < *ledger.entries) bytes += *ledger.bytes - *ledger.bytes / *ledger.entries * passed;
  }
  return {entries, bytes};
}

std::optional<bool> pins_something(const model::Ledgers& ledgers, const model::Position& mark_delete) {
  const auto from = ledgers.normalise(mark_delete);
  bool untold = false;
  for (const auto& ledger : ledgers.list()) {
    if (ledger.id < from.ledger_id) continue;
    const auto passed = ledger.id == from.ledger_id ? from.entry_id + 1 : 0;
    if (!ledger.entries) {
      untold = true;
    } else if (*ledger.entries > passed) {
      return true;
    }
  }
  if (untold) return std::nullopt;
  return false;
}

}  // namespace tidemark::trim
