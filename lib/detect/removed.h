#pragma once
// How a clean-up ends: who is gone, what its removal was to free, and what went free since.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "detect/case.h"
#include "detect/rules/rules.h"
#include "history/gone.h"
#include "history/topic_memory.h"
#include "model/finding.h"

namespace tidemark::detect {

using history::kShowRemoved;

// What is known of a topic's leftovers once it was judged, silenced ones too; `leftovers` are indices into the trim's
// durable cursors.
struct Leftovers {
  const model::TopicView& topic;
  const rules::TrimView& trim;
  const std::vector<std::size_t>& leftovers;
  std::span<const CursorCase> cases;
  std::span<const model::CursorVerdict> verdicts;
};

// What those that went in this poll were to free falls due: what the slowest leftover that stayed, or else somebody
// else, did not need. Before follow_leftovers().
void settle(history::Topic& past, TimeMs now);

// Remembers what their removal is to free, and counts from now on what does go. `cursors`: in the order of the topic's.
void follow_leftovers(const Leftovers& c, std::span<history::CursorHistory* const> cursors,
                      history::TopicHistory& past);

// Where there are no leftovers and none went lately.
void end_receipt(history::Topic& past);

// Those that had a finding and went within kShowRemoved; false if there are none.
bool add_removed(std::string_view topic, const history::Topic& past, TimeMs now, model::Verdicts& out);

// For a topic that is there no more: where nobody publishes, the broker deletes it with its last subscription.
void take_leave(std::string_view topic, history::Topic& past, TimeMs now, model::Verdicts& out);

}  // namespace tidemark::detect
