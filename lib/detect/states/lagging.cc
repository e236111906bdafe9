// Consumers, or a replicator, are at work and do not keep up: at the pace of the publishers the backlog is worth more
// than lag_floor, and it did not shrink over a whole lag_window.
#include "detect/states/states.h"

namespace tidemark::detect::states {
namespace {

// A backlog that is as large as before wavers, and so does one at the floor: who lags does so until it is clearly less.
constexpr double kEnoughToStay = 0.8;

bool is_lagging_still(const CursorCase& c) { return c.history.judged && c.history.state == model::State::kLagging; }

bool candidate(const CursorCase& c) {
  if (c.cursor.kind == model::CursorKind::kReplicator) return c.backlog_fresh;
  return c.cursor.kind == model::CursorKind::kSubscription && c.consumers_fresh && c.backlog_fresh;
}

// How much of the backlog is delayed only the topic's own statistics tell, and they are read more rarely than a sweep
// counts the backlog: what came in between would be taken for due.
bool is_one_look(const CursorCase& c) {
  const bool some_delayed = c.history.delayed_entries.value_or(0) > 0 || c.cursor.delayed_entries.value_or(0) > 0;
  return !some_delayed || c.cursor.stats_at_ms == c.cursor.backlog_at_ms;
}

}  // namespace

bool is_lagging(const CursorCase& c) {
  // Between two such looks the last answer stands.
  if (!is_one_look(c)) return candidate(c) && is_lagging_still(c);
  // To the newest document: an old one that is looked at later proves no window.
  const auto start = c.history.backlog.before(c.cursor.backlog_at_ms - c.limits.lag_window.count());
  if (!candidate(c) || !start || !c.cursor.backlog_entries) return false;
  const auto left = static_cast<double>(*c.cursor.backlog_entries - c.history.delayed_entries.value_or(0));
  const double enough = is_lagging_still(c) ? kEnoughToStay : 1;
  if (left <= 0 || left < enough * static_cast<double>(start->value)) return false;
  // The counter is of messages, the backlog of entries.
  const auto published = c.topic.messages_in.value_or(0) - start->counter;
  const auto entries = static_cast<double>(published) * c.topic.entries_per_message.value_or(1);
  if (entries <= 0) return true;
  const auto window_ms = static_cast<double>(c.cursor.backlog_at_ms - start->at);
  return left / entries * window_ms > enough * static_cast<double>(c.limits.lag_floor.count());
}

}  // namespace tidemark::detect::states
