#include "detect/removed.h"

#include <optional>
#include <utility>

namespace tidemark::detect {

void follow_leftovers(const Leftovers& c, std::span<history::CursorHistory* const> cursors,
                      history::TopicHistory& past) {
  if (c.leftovers.empty()) return;
  if (!past.receipt) past.receipt.emplace();
  past.receipt->follow(c.topic, trim::bound_without(c.trim.topic, c.leftovers));
  for (const auto i : c.leftovers) {
    const auto at = c.trim.cursor_of[i];
    if (!c.cases[at].position_fresh) continue;
    auto& history = *cursors[at];
    history.reclaimable_bytes = c.verdicts[at].reclaimable_bytes;
    history.topic_reclaimable_bytes = c.verdicts[at].topic_reclaimable_bytes;
    history.freed_before = past.receipt->freed_bytes();
  }
}

void end_receipt(history::Topic& past) {
  if (!past.whole.receipt) return;
  past.whole.receipt.reset();
  for (auto& [name, history] : past.cursors) history.freed_before.reset();
}

bool add_removed(std::string_view topic, const history::Topic& past, TimeMs now, model::Verdicts& out) {
  bool any = false;
  for (const auto& [name, history] : past.cursors) {
    const bool shown = history.removed_ms && now - *history.removed_ms < kShowRemoved.count();
    if (!shown || !history.judged || !model::word_of(history.state).is_finding) continue;
    any = true;
    model::RemovedCursor removed;
    removed.topic = topic;
    removed.cursor = name;
    removed.state = history.state;
    removed.removed_ms = *history.removed_ms;
    removed.since_ms = history.activity ? std::optional(history.activity->latest) : history.no_activity_since_ms;
    removed.pinned_bytes = history.pin_bytes;
    if (history.freed_before && past.whole.receipt) {
      removed.reclaimable_bytes = history.reclaimable_bytes;
      removed.topic_reclaimable_bytes = history.topic_reclaimable_bytes;
      removed.freed_bytes = past.whole.receipt->freed_bytes() - *history.freed_before;
    }
    out.removed.push_back(std::move(removed));
  }
  return any;
}

void take_leave(std::string_view topic, history::Topic& past, TimeMs now, model::Verdicts& out) {
  for (auto& [name, history] : past.cursors) {
    if (!history.removed_ms) history.removed_ms = now;
  }
  if (past.whole.receipt) past.whole.receipt->all_gone();
  add_removed(topic, past, now, out);
}

}  // namespace tidemark::detect
