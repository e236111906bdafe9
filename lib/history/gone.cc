#include "history/gone.h"

#include <algorithm>

namespace tidemark::history {

Gone::Rank Gone::rank_of(const CursorHistory& removed, TimeMs now) {
  const auto at = removed.removed_ms.value_or(now);
  if (now - at >= kShowRemoved.count()) return {Rank::Worth::kNothing, at};
  if (removed.leftover) return {Rank::Worth::kReceipt, at};
  const bool finding = removed.judged && model::word_of(removed.state).is_finding;
  return {finding ? Rank::Worth::kFinding : Rank::Worth::kNothing, at};
}

bool Gone::stays(Rank rank, std::size_t weight) {
  const bool goes = cut_ && (rank < cut_->rank || (rank == cut_->rank && cut_->weight > 0));
  if (goes) {
    if (rank == cut_->rank) cut_->weight -= std::min(cut_->weight, weight);
    ++forgotten_;
    return false;
  }
  stayed_.emplace_back(rank, weight);
  weight_ += weight;
  return true;
}

void Gone::end_poll(std::size_t most, bool crowded) {
  cut_.reset();
  if (crowded) {
    std::size_t receipts = 0;
    for (const auto& [rank, weight] : stayed_) receipts += rank.worth == Rank::Worth::kReceipt ? weight : 0;
    most = std::min(most, receipts + (weight_ - receipts) / 2);
  }
  if (weight_ > most) {
    std::sort(stayed_.begin(), stayed_.end());
    auto over = weight_ - most;
    for (auto first = stayed_.begin(); over > 0; ++first) {
      if (!cut_ || cut_->rank != first->first) cut_ = Cut{first->first, 0};
      const auto part = std::min(over, first->second);
      cut_->weight += part;
      over -= part;
    }
  }
  stayed_.clear();
  weight_ = 0;
}

}  // namespace tidemark::history
