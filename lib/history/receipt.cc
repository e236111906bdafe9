#include "history/receipt.h"

namespace tidemark::history {

void Receipt::follow(const model::Ledgers& ledgers, std::int64_t bound) {
  bound_ = bound;
  if (listed_.empty()) observe(ledgers);
}

void Receipt::observe(const model::Ledgers& ledgers) {
  for (const auto& [id, bytes] : listed_) {
    if (id < bound_ && ledgers.find(id) == nullptr) freed_bytes_ += bytes;
  }
  listed_.clear();
  for (const auto& ledger : ledgers.list()) listed_.emplace_back(ledger.id, ledger.bytes.value_or(0));
}

}  // namespace tidemark::history
