#pragma once
// Bytes summed so that nothing counts twice, and leftovers without those that an exception silences: cursors on one
// topic hold on to the same messages, so a topic counts by its slowest cursor, and cursors that free bytes only
// together count once.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/finding.h"
#include "report/logical.h"

namespace tidemark::report {

struct TopicSum {
  std::string_view topic;
  Place place;
  std::size_t subscriptions = 0;                  // of kind subscription
  std::optional<std::int64_t> pinned_bytes;       // of the cursor that pins most
  std::optional<std::int64_t> reclaimable_bytes;  // with all its leftovers removed
  bool has_leftovers = false;
  bool pinned_whole = true;  // of every cursor with a finding it is known
  bool stale = false;        // a verdict on it was kept, not made
};

struct NamespaceSum {
  std::string_view tenant;
  std::optional<std::int64_t> pinned_bytes;
  std::optional<std::int64_t> reclaimable_bytes;
  std::optional<TimeMs> oldest_abandoned_ms;  // the earliest last activity of an abandoned subscription
};

// Subscriptions without a consumer whose names differ only in the generated part.
struct GroupSum {
  std::string_view tenant;
  std::optional<std::int64_t> pinned_bytes;
  // Removing the group's abandoned and unused ones frees at least this: a topic that also has leftovers of another
  // group counts only where its slowest cursors are all of this one. Empty without any.
  std::optional<std::int64_t> reclaimable_bytes;
};

using GroupKey = std::pair<std::string_view, std::string_view>;  // namespace, group

// Views into the verdicts it was made from.
struct Sums {
  std::vector<TopicSum> topics;  // by name; only those with cursors
  std::map<std::string_view, NamespaceSum> namespaces;
  std::map<GroupKey, GroupSum> groups;
  std::optional<std::int64_t> pinned_bytes;
  std::optional<std::int64_t> reclaimable_bytes;
  bool pinned_whole = true;       // TopicSum's of all topics
  std::size_t untold_topics = 0;  // with leftovers and without a reclaimable figure, so in no sum
};

Sums sum_up(const model::Verdicts& verdicts);

}  // namespace tidemark::report
