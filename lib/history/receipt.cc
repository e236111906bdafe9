#include "history/receipt.h"

#include <algorithm>
#include <utility>

namespace tidemark::history {

void Receipt::follow(const model::TopicView& topic, std::int64_t bound) {
  document_ms_ = std::max(document_ms_, topic.internal_at_ms);
  bound_ = bound;
  kept_bytes_ = 0;
  for (const auto& ledger : topic.ledgers.list()) kept_bytes_ += ledger.id < bound ? ledger.bytes.value_or(0) : 0;
}

void Receipt::observe(const model::TopicView& topic) {
  if (topic.internal_at_ms <= document_ms_) return;
  document_ms_ = topic.internal_at_ms;
  for (const auto& ledger : topic.gone) {
    if (ledger.id >= bound_) continue;
    freed_bytes_ += ledger.bytes.value_or(0);
    kept_bytes_ = std::max<std::int64_t>(0, kept_bytes_ - ledger.bytes.value_or(0));
  }
}

void Receipt::all_gone() { freed_bytes_ += std::exchange(kept_bytes_, 0); }

}  // namespace tidemark::history
