#include "detect/case.h"

#include <algorithm>

#include "detect/hole.h"

namespace tidemark::detect {
namespace {

bool fresh(TimeMs document_ms, TimeMs now, Duration allowed) {
  return document_ms != 0 && now - document_ms <= allowed.count();
}

bool topic_is_fresh(const model::Snapshot& snapshot, const model::TopicView& topic) {
  const auto newest = std::max({topic.sweep_at_ms, topic.stats_at_ms, topic.internal_at_ms});
  return fresh(newest, snapshot.at_ms, 2 * snapshot.interval);
}

// Something waits that was published after the ledgers were read which the place is held against.
bool waits_since(const model::Snapshot& snapshot, const model::TopicView& topic, const model::CursorView& cursor) {
  const auto ledgers_ms = topic.internal_at_ms != 0 ? topic.internal_at_ms : topic.info_at_ms;
  const auto counted_ms = cursor.backlog_at_ms - 1000 * snapshot.defaults.stats_period_seconds.value_or(60);
  return cursor.backlog_entries.value_or(0) > 0 && counted_ms > ledgers_ms;
}

bool position_is_fresh(const model::Snapshot& snapshot, const model::TopicView& topic,
                       const model::CursorView& cursor) {
  if (!cursor.mark_delete || cursor.position_stale_by_rule || cursor.doubted) return false;
  // What is unloaded stands still: its stored position is as good as the knowledge that it is unloaded.
  if (topic.loaded == model::Loaded::kNo && topic.read_since_absent) {
    return fresh(topic.absent_at_ms, snapshot.at_ms, 2 * snapshot.interval);
  }
  return fresh(cursor.position_at_ms, snapshot.at_ms, topic.reask + 2 * snapshot.interval);
}

}  // namespace

bool consumers_are_fresh(const model::Snapshot& snapshot, const model::TopicView& topic,
                         const model::CursorView& cursor) {
  // Positively unloaded, and that recently: nobody can be connected.
  if (topic.loaded == model::Loaded::kNo) return fresh(topic.absent_at_ms, snapshot.at_ms, 2 * snapshot.interval);
  return cursor.consumers && fresh(cursor.consumers_at_ms, snapshot.at_ms, 2 * snapshot.interval);
}

bool CursorCase::silent_for(Duration length) const {
  return activity.latest && now - *activity.latest >= length.count();
}

std::optional<TimeMs> CursorCase::frozen_since() const {
  std::optional<TimeMs> since;
  if (history.frozen_since_ms != 0) since = history.frozen_since_ms;
  // A cursor without a ledger has written no move since its load.
  const auto unmoved = cursor.cursor_state == "NoLedger" ? cursor.ledger_switched_ms : std::nullopt;
  const auto moved = cursor.mark_delete_advanced_ms ? cursor.mark_delete_advanced_ms : unmoved;
  if (moved && (!since || *moved < *since)) since = moved;
  return since;
}

bool CursorCase::frozen_for(Duration length) const {
  const auto since = frozen_since();
  return since && now - *since >= length.count();
}

bool CursorCase::within_rhythm() const {
  const auto gap = history.rhythm.longest_gap();
  return gap && activity.latest && now - *activity.latest <= gap->count() * 3 / 2;
}

std::optional<bool> CursorCase::has_backlog() const {
  if (position_fresh && pins) return pins;
  if (cursor.backlog_entries) return *cursor.backlog_entries > 0;
  return std::nullopt;
}

CursorCase make_case(const model::Snapshot& snapshot, const model::TopicView& topic, const model::CursorView& cursor,
                     const history::CursorHistory& history, const Limits& limits) {
  CursorCase made{snapshot, topic, cursor, history, limits, snapshot.at_ms, {}, {}, {}, {}};
  made.activity = history::last_activity(history, topic, cursor);
  if (cursor.mark_delete && !cursor.position_stale_by_rule) {
    made.pin = trim::pinned(topic.ledgers, *cursor.mark_delete);
    made.hole = find_hole(topic.ledgers, *cursor.mark_delete, cursor.acked);
    made.pins = trim::pins_something(topic.ledgers, *cursor.mark_delete);
    if (made.pins == false && waits_since(snapshot, topic, cursor)) {
      made.pin = {};
      made.pins.reset();
    }
  }
  made.consumers_fresh = consumers_are_fresh(snapshot, topic, cursor);
  made.backlog_fresh = cursor.backlog_entries && fresh(cursor.backlog_at_ms, snapshot.at_ms, 2 * snapshot.interval);
  made.topic_fresh = topic_is_fresh(snapshot, topic);
  made.details_fresh = fresh(cursor.stats_at_ms, snapshot.at_ms, topic.reask + 2 * snapshot.interval);
  made.position_fresh = position_is_fresh(snapshot, topic, cursor);
  return made;
}

}  // namespace tidemark::detect
