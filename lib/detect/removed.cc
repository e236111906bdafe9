#include "detect/removed.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace tidemark::detect {
namespace {

// Those that somebody uses again are no leftovers.
void forget_returned(const Leftovers& c, std::span<history::CursorHistory* const> cursors) {
  auto leftover = c.leftovers.begin();
  for (std::size_t i = 0; i < c.trim.cursor_of.size(); ++i) {
    if (leftover != c.leftovers.end() && *leftover == i) {
      ++leftover;
    } else {
      cursors[c.trim.cursor_of[i]]->leftover.reset();
    }
  }
}

void add_receipt(const history::Leftover& leftover, const history::Receipt& receipt, model::RemovedCursor& removed) {
  removed.reclaimable_bytes = leftover.reclaimable_bytes;
  removed.topic_reclaimable_bytes = leftover.topic_reclaimable_bytes;
  if (const auto due = receipt.due_bytes()) removed.removed_reclaimable_bytes = *due - leftover.due_before;
  // What removals before it were still to free comes first.
  removed.freed_bytes = std::max<std::int64_t>(0, receipt.freed_bytes() - leftover.settled_before);
  removed.freed_open_bytes = receipt.freed_open_bytes();
}

}  // namespace

void follow_leftovers(const Leftovers& c, std::span<history::CursorHistory* const> cursors,
                      history::TopicHistory& past) {
  forget_returned(c, cursors);
  if (c.leftovers.empty()) return;
  if (!past.receipt) past.receipt.emplace();
  auto& receipt = *past.receipt;
  const auto& trim = c.trim.topic;
  receipt.follow(c.topic, trim::bound_without(trim, c.leftovers), trim::reclaimable_together(trim, c.leftovers));
  const auto behind = trim::freed_behind(trim, c.leftovers);
  for (std::size_t i = 0; i < c.leftovers.size(); ++i) {
    const auto at = c.trim.cursor_of[c.leftovers[i]];
    if (!c.cases[at].position_fresh) continue;
    const auto& verdict = c.verdicts[at];
    cursors[at]->leftover = {verdict.reclaimable_bytes, verdict.topic_reclaimable_bytes, behind[i],
                             receipt.due_bytes().value_or(0), receipt.settled_bytes()};
  }
}

void settle(history::Topic& past, TimeMs now) {
  if (!past.whole.receipt) return;
  auto& receipt = *past.whole.receipt;
  bool any = false;
  auto due = receipt.all_bytes();
  for (const auto& [name, history] : past.cursors) {
    if (!history.leftover) continue;
    if (history.removed_ms) {
      any = any || history.removed_ms == now;
    } else if (const auto& behind = history.leftover->ahead_bytes) {
      due = std::min(due.value_or(*behind), *behind);  // where only the larger one is not told, it is the larger
    }
  }
  if (!any) return;
  receipt.owe(due);
  for (auto& [name, history] : past.cursors) {
    if (!history.leftover || history.removed_ms) continue;
    auto& stays = *history.leftover;
    if (stays.ahead_bytes) *stays.ahead_bytes -= due.value_or(0);
    stays.due_before = receipt.due_bytes().value_or(0);
    stays.settled_before = receipt.settled_bytes();
  }
}

void end_receipt(history::Topic& past) {
  if (!past.whole.receipt) return;
  past.whole.receipt.reset();
  for (auto& [name, history] : past.cursors) history.leftover.reset();
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
    if (history.leftover && past.whole.receipt) add_receipt(*history.leftover, *past.whole.receipt, removed);
    out.removed.push_back(std::move(removed));
  }
  return any;
}

void take_leave(std::string_view topic, history::Topic& past, TimeMs now, model::Verdicts& out) {
  for (auto& [name, history] : past.cursors) {
    if (!history.removed_ms) history.removed_ms = now;
  }
  settle(past, now);
  if (past.whole.receipt) past.whole.receipt->all_gone();
  add_removed(topic, past, now, out);
}

}  // namespace tidemark::detect
