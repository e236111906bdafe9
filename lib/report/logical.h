#pragma once
// A subscription as people think of it: one name on one topic, over all its partitions. Verdicts are per partition;
// tables and metrics count these, with the worst state and the bytes summed.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/finding.h"

namespace tidemark::report {

// Nobody is connected: a leftover, or too young to be one.
bool is_consumerless(model::State state);

// Worst first: findings by severity, then by the order of model::kStates; then `unknown`, then `ok`.
bool is_worse(model::State a, model::State b);

// The other cursors of its tie, without the last ones of a very large one.
std::vector<std::string_view> tied_with(const model::CursorVerdict& verdict);

// Where a cursor lives; views into the topic's text, empty when it is not a topic name.
struct Place {
  std::string_view tenant;
  std::string_view ns;
  std::string_view parent;  // the topic without "-partition-N"
};
Place place_of(std::string_view topic);

// Points and views into the verdicts it was made from.
struct LogicalSubscription {
  Place place;
  const model::CursorVerdict* worst = nullptr;  // of the worst state; among equals not silenced, then pins most
  std::vector<const model::CursorVerdict*> partitions;
  model::State state = model::State::kUnknown;
  std::optional<std::int64_t> backlog_entries;  // sums over the partitions that tell
  std::optional<std::int64_t> pinned_bytes;
  std::optional<std::int64_t> reclaimable_bytes;
  std::optional<std::int64_t> topic_reclaimable_bytes;
};

// In the order of their first partitions. Readers are left out: they pin nothing.
std::vector<LogicalSubscription> logical_subscriptions(const model::Verdicts& verdicts);

// a + b, where an empty one adds nothing and two empty ones stay empty.
inline std::optional<std::int64_t> plus(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  if (!a || !b) return a ? a : b;
  return *a + *b;
}

}  // namespace tidemark::report
