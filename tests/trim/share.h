#pragma once
// What one cursor of a topic would free, as its verdict says it: nothing unless it is one of the slowest.

#include <algorithm>
#include <optional>
#include <vector>

#include "trim/reclaim.h"

namespace tidemark::testing {

struct Share {
  std::optional<std::int64_t> bytes = 0;
  std::vector<std::size_t> shared_with;
};

inline Share share_of(const trim::Topic& topic, std::size_t index) {
  const auto slowest = trim::slowest(topic);
  if (!std::binary_search(slowest.cursors.begin(), slowest.cursors.end(), index)) return {};
  Share share{slowest.bytes, slowest.cursors};
  std::erase(share.shared_with, index);
  return share;
}

}  // namespace tidemark::testing
