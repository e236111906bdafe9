#pragma once
// What a person wants to see first, in order, for the table and the page alike: groups of leftovers as one line each,
// then the worst single subscriptions, then everything else that was found.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/finding.h"
#include "report/logical.h"
#include "report/sums.h"

namespace tidemark::report {

// Two or more subscriptions without a consumer, of one namespace, whose names differ only in the generated part.
struct GroupRow {
  std::string_view ns;
  std::string_view group;
  model::State state = model::State::kUnknown;  // the worst
  model::Severity severity = model::Severity::kInfo;
  model::Origin origin = model::Origin::kNamed;
  std::map<model::State, std::size_t> counts;
  std::size_t members = 0;
  std::size_t topics = 0;
  std::size_t silenced = 0;               // members, by an exception
  std::optional<std::string_view> owner;  // when all have the same
  bool bounded = false;                   // some age is a lower bound
  std::optional<Duration> age_least;      // of the member that was active last
  std::optional<Duration> age_longest;    // of the one that was active first
  std::optional<std::int64_t> pinned_bytes;
  std::optional<std::int64_t> reclaimable_bytes;
};

struct SubscriptionRow {
  LogicalSubscription subscription;
  std::string why;  // in plain words; holds names, not escaped
};

// Points and views into the verdicts it was made from.
struct Overview {
  std::vector<std::pair<model::State, std::size_t>> counts;  // subscriptions, the worst state first
  std::size_t subscriptions = 0;
  std::optional<std::int64_t> pinned_bytes;
  std::optional<std::int64_t> reclaimable_bytes;
  bool pinned_whole = true;                      // of Sums
  std::size_t untold_topics = 0;                 // of Sums
  std::map<model::State, std::size_t> internal;  // cursors of other kinds with a finding
  std::vector<GroupRow> groups;
  std::vector<SubscriptionRow> rows;            // with a finding and in no group
  std::vector<const model::Finding*> findings;  // those that are not a cursor's state
};

Overview overview_of(const model::Verdicts& verdicts);

}  // namespace tidemark::report
