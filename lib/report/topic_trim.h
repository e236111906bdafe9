#pragma once
// What removals free on their topic, by the broker's own walk over what one snapshot tells of it.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/snapshot.h"

namespace tidemark::report {

// What each of `subscriptions` frees, removed one after the other. All empty when the position of a durable cursor is
// not known.
std::vector<std::optional<std::int64_t>> freed_in_order(const model::Snapshot& snapshot, std::string_view topic,
                                                        const std::vector<std::string_view>& subscriptions);

}  // namespace tidemark::report
