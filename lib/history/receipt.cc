#include "history/receipt.h"

#include <algorithm>
#include <utility>

namespace tidemark::history {

void Receipt::follow(const model::TopicView& topic, std::int64_t bound, std::optional<std::int64_t> all_bytes) {
  document_ms_ = std::max(document_ms_, topic.internal_at_ms);
  bound_ = bound;
  all_bytes_ = all_bytes;
  settled_bytes_ = std::max(settled_bytes_, freed_bytes_);
  count_kept(topic);
}

void Receipt::observe(const model::TopicView& topic) {
  if (topic.internal_at_ms <= document_ms_) return;
  document_ms_ = topic.internal_at_ms;
  for (const auto& ledger : topic.gone) freed_bytes_ += ledger.id < bound_ ? ledger.bytes.value_or(0) : 0;
  count_kept(topic);
}

void Receipt::owe(std::optional<std::int64_t> bytes) {
  if (!bytes) untold_ = true;
  const auto due = bytes.value_or(0);
  due_bytes_ += due;
  settled_bytes_ += due;
  if (all_bytes_) *all_bytes_ -= due;
}

void Receipt::all_gone() {
  freed_bytes_ += std::exchange(kept_bytes_, 0);
  freed_open_bytes_ += std::exchange(open_bytes_, 0);
}

void Receipt::count_kept(const model::TopicView& topic) {
  kept_bytes_ = open_bytes_ = 0;
  const auto& ledgers = topic.ledgers.list();
  for (const auto& ledger : ledgers) kept_bytes_ += ledger.id < bound_ ? ledger.bytes.value_or(0) : 0;
  // An unloaded topic has none: whatever is done to it begins with a load, which closes its last ledger.
  const bool open = !ledgers.empty() && ledgers.back().id < bound_ && topic.loaded != model::Loaded::kNo;
  if (open) open_bytes_ = ledgers.back().bytes.value_or(0);
}

}  // namespace tidemark::history
