#include "history/trail.h"

#include <algorithm>

namespace tidemark::history {

void Trail::add(const Look& look, Duration window) {
  if (count_ > 0 && look.at - looks_[count_ - 1].at < window.count() / 2) return;
  if (count_ == kLooks) {
    std::copy(looks_.begin() + 1, looks_.end(), looks_.begin());
    --count_;
  }
  looks_[count_++] = look;
}

std::optional<Look> Trail::before(TimeMs at) const {
  for (std::size_t i = count_; i > 0; --i) {
    if (looks_[i - 1].at <= at) return looks_[i - 1];
  }
  return std::nullopt;
}

std::optional<Look> Trail::newest() const { return count_ > 0 ? std::optional(looks_[count_ - 1]) : std::nullopt; }

std::optional<Look> Trail::oldest() const { return count_ > 0 ? std::optional(looks_[0]) : std::nullopt; }

}  // namespace tidemark::history
