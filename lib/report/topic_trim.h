#pragma once
// What removals free on their topic, by the broker's own walk over what one snapshot tells of it.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/snapshot.h"

namespace tidemark::report {

// Null when the snapshot has none of that name.
const model::TopicView* topic_named(const model::Snapshot& snapshot, std::string_view name);
const model::CursorView* cursor_named(const model::TopicView* topic, std::string_view name);

// What each of `subscriptions` frees, removed one after the other. All empty when the position of a durable cursor is
// not known.
std::vector<std::optional<std::int64_t>> freed_in_order(const model::Snapshot& snapshot, std::string_view topic,
                                                        const std::vector<std::string_view>& subscriptions);

}  // namespace tidemark::report
