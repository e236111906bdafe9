#include "history/receipt.h"

#include <algorithm>
#include <utility>

namespace tidemark::history {

void Receipt::follow(const model::Ledgers& ledgers, std::int64_t bound) {
  bound_ = bound;
  kept_bytes_ = 0;
  for (const auto& ledger : ledgers.list()) kept_bytes_ += ledger.id < bound ? ledger.bytes.value_or(0) : 0;
}

void Receipt::observe(const std::vector<model::Ledger>& gone) {
  for (const auto& ledger : gone) {
    if (ledger.id >= bound_) continue;
    freed_bytes_ += ledger.bytes.value_or(0);
    kept_bytes_ = std::max<std::int64_t>(0, kept_bytes_ - ledger.bytes.value_or(0));
  }
}

void Receipt::all_gone() { freed_bytes_ += std::exchange(kept_bytes_, 0); }

}  // namespace tidemark::history
