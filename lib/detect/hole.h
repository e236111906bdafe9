#pragma once
// Acknowledged runs behind the mark-delete leave holes in front of them, and each holds everything behind it. Brokers
// cut their ranges at ledger borders, so the number of ranges says nothing: runs are joined here by counting entries
// across ledgers.

#include <optional>
#include <vector>

#include "model/finding.h"
#include "model/ledgers.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Empty without an acknowledged entry behind the mark-delete. `first` and `last` bound the first hole, `entries` sums
// all holes that have acknowledged entries behind them. Ranges before the mark-delete are left out.
std::optional<model::Hole> find_hole(const model::Ledgers& ledgers, const model::Position& mark_delete,
                                     const std::vector<model::AckRange>& acked);

}  // namespace tidemark::detect
