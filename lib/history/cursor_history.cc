#include "history/cursor_history.h"

#include <algorithm>
#include <cstdlib>

namespace tidemark::history {
namespace {

// When a move between two looks happened: at the broker's own clock if that lies between them.
Interval when_moved(TimeMs before, const model::CursorView& cursor) {
  const auto advanced = cursor.mark_delete_advanced_ms;
  if (advanced && *advanced > before && *advanced <= cursor.position_at_ms) return {*advanced, *advanced};
  return {before, cursor.position_at_ms};
}

}  // namespace

void Rhythm::add(TimeMs at, Duration merge) {
  if (last_ms_ != 0 && at - last_ms_ > merge.count()) {
    if (count_ == kGaps) {
      std::copy(gaps_.begin() + 1, gaps_.end(), gaps_.begin());
      --count_;
    }
    gaps_[count_++] = Duration{at - last_ms_};
  }
  last_ms_ = std::max(last_ms_, at);
}

void Rhythm::stay(TimeMs from, TimeMs until, Duration merge) {
  add(std::min(from, until), merge);
  last_ms_ = std::max(last_ms_, until);
}

std::optional<Duration> Rhythm::longest_gap() const {
  if (count_ < 2) return std::nullopt;
  return *std::max_element(gaps_.begin(), gaps_.begin() + static_cast<std::ptrdiff_t>(count_));
}

void CursorHistory::forget_bounds() {
  no_activity_since_ms.reset();
  activity_at_ms.reset();
  from_export = false;
}

void CursorHistory::active(Interval when, const Tuning& tuning) {
  if (!activity || when.latest > activity->latest) activity = when;
  forget_bounds();
  rhythm.add(when.latest, tuning.rhythm_merge);
}

void CursorHistory::observe(const model::TopicView& topic, const model::CursorView& cursor, const Tuning& tuning,
                            TimeMs now, const Drains& drains) {
  const bool first = seen_ms == 0;
  const auto active_before = activity;
  seen_ms = now;
  observe_presence(cursor, tuning);
  observe_dispatch(topic, cursor);
  observe_saving(topic, cursor);
  observe_position(topic, cursor, tuning, drains);
  observe_consumers(cursor, tuning);
  observe_clocks(topic, cursor, tuning);
  observe_backlog(topic, cursor, tuning);
  if (first || activity != active_before) active_epoch = topic.epoch;
  if (drains.ttl_seconds <= 0) {
    expiry.reset();
  } else {
    if (!expiry) expiry.emplace();
    expiry->observe(topic, cursor);
  }
}

// Before any activity is taken: a pause ends when a consumer connects, not when we look and see it.
void CursorHistory::observe_presence(const model::CursorView& cursor, const Tuning& tuning) {
  if (cursor.consumers.value_or(0) == 0 || cursor.consumers_at_ms <= consumers_ms || !cursor.connected_since_ms) return;
  rhythm.stay(*cursor.connected_since_ms, cursor.consumers_at_ms, tuning.rhythm_merge);
}

// Reads one load only: at each the broker starts to read anew and its counters begin at 0.
void CursorHistory::observe_dispatch(const model::TopicView& topic, const model::CursorView& cursor) {
  const auto at = cursor.position_at_ms;
  if (!cursor.read_position || at <= dispatch_ms || cursor.stats_at_ms != at) return;
  const bool same =
      topic.epoch == stats_epoch && cursor.read_position == read_position && cursor.messages_out == messages_out;
  if (!same) dispatch_stands_since_ms = at;
  dispatch_ms = at;
  read_position = cursor.read_position;
  messages_out = cursor.messages_out;
}

void CursorHistory::moved_forward(const model::TopicView& topic, const model::CursorView& cursor, std::int64_t entries,
                                  TimeMs before_ms, const Tuning& tuning, const Drains& drains) {
  const bool draining = expiry_moved_ms && (!activity || activity->latest <= *expiry_moved_ms);
  switch (mover_of({position_epoch, expired_total, flow_ms, draining}, topic, cursor, entries, drains)) {
    case Mover::kExpiry:
      expiry_moved_ms = position_ms;
      break;
    case Mover::kEviction:
      eviction_moved_ms = position_ms;
      break;
    case Mover::kSomebody:
      active(when_moved(before_ms, cursor), tuning);
      break;
  }
  rewound_ms.reset();
  rewound_from.reset();
  recovered_from.reset();
  back_ms.reset();
}

// Before the position is taken. While its state is Open every move is written, if only once a second; in another state
// a move without an entry in its own ledger is in memory only.
void CursorHistory::observe_saving(const model::TopicView& topic, const model::CursorView& cursor) {
  const bool told = !cursor.cursor_state.empty() && cursor.mark_delete && !cursor.position_stale_by_rule;
  if (!told || topic.loaded == model::Loaded::kNo || cursor.position_at_ms <= saving_ms_) return;
  const bool first = saving_ms_ == 0 || topic.epoch != saving_epoch_ || !mark_delete;
  const bool open = cursor.cursor_state == "Open";
  const bool written =
      cursor.cursor_ledger != cursor_ledger_ || cursor.cursor_ledger_last_entry != cursor_ledger_last_entry_;
  if (first || open || saving_ || written) {
    unsaved_from.reset();
  } else if (!unsaved_from && model::entries_between(topic.ledgers, *mark_delete, at_end, *cursor.mark_delete) > 0) {
    unsaved_from = mark_delete;
  }
  saving_ms_ = cursor.position_at_ms;
  saving_epoch_ = topic.epoch;
  saving_ = open;
  cursor_ledger_ = cursor.cursor_ledger;
  cursor_ledger_last_entry_ = cursor.cursor_ledger_last_entry;
}

void CursorHistory::compare_counter(const CounterCheck& check) {
  if (check.at <= counter.at) return;
  counter_off_by = 0;
  const bool comparable = counter.at != 0 && counter.at >= frozen_since_ms && check.acked == counter.acked;
  if (comparable && (check.excess > 0) == (counter.excess > 0)) {
    const auto least = std::min(std::llabs(check.excess), std::llabs(counter.excess));
    const auto published = std::llabs(check.behind - counter.behind);
    if (least > published) counter_off_by = check.excess;
  }
  counter = check;
}

void CursorHistory::observe_position(const model::TopicView& topic, const model::CursorView& cursor,
                                     const Tuning& tuning, const Drains& drains) {
  if (!cursor.mark_delete || cursor.position_stale_by_rule || cursor.position_at_ms <= position_ms) return;
  // Who moved it, client or broker, only statistics of the same time tell; where those failed, the next pair of
  // documents does.
  const bool half = cursor.stats_at_ms != 0 && cursor.stats_at_ms < cursor.position_at_ms;
  const bool drained = drains.ttl_seconds > 0 || (drains.quota && drains.quota->evicts_by_size && drains.quota->bytes);
  if (drained && half && topic.loaded != model::Loaded::kNo) return;
  const auto before_ms = position_ms;
  position_ms = cursor.position_at_ms;
  if (!mark_delete) {
    first_position_ms = frozen_since_ms = position_ms;
  } else {
    const auto moved = model::entries_between(topic.ledgers, *mark_delete, at_end, *cursor.mark_delete);
    if (moved != 0) {
      frozen_since_ms = position_ms;
      delayed_entries.reset();
      backlog_at_stop.reset();
    }
    if (moved < 0) back_ms = position_ms;
    if (moved > 0) moved_forward(topic, cursor, moved, before_ms, tuning, drains);
    // Back within one load is a seek or reset; back across a load is an unsaved position that was lost.
    if (moved < 0 && topic.epoch == position_epoch) {
      rewound_ms = position_ms;
      rewound_from = mark_delete;
      active({before_ms, position_ms}, tuning);
    } else if (moved < 0) {
      recovered_from = mark_delete;
    }
  }
  mark_delete = cursor.mark_delete;
  position_epoch = topic.epoch;
  // With the position, not with any statistics: what expired in between belongs to the move that is read next.
  expired_total = cursor.expired_total.value_or(0);
  at_end = model::at_end_of_ledger(topic.ledgers, *mark_delete);
}

// A backlog that nobody is there to take says nothing of those who take it: then the window starts anew.
void CursorHistory::observe_backlog(const model::TopicView& topic, const model::CursorView& cursor,
                                    const Tuning& tuning) {
  if (!cursor.backlog_entries || cursor.backlog_at_ms <= backlog_ms) return;
  backlog_ms = cursor.backlog_at_ms;
  if (!backlog_at_stop) backlog_at_stop = cursor.backlog_entries;
  if (cursor.connected) {
    if (*cursor.connected)
      disconnected_since_ms.reset();
    else if (!disconnected_since_ms)
      disconnected_since_ms = backlog_ms;
  }
  const bool attended = cursor.kind == model::CursorKind::kReplicator || cursor.consumers.value_or(0) > 0;
  if (!attended) return backlog.clear();
  // How many of them are delayed is known of the time of the statistics only.
  const bool some_delayed = delayed_entries.value_or(0) > 0 || cursor.delayed_entries.value_or(0) > 0;
  if (some_delayed && cursor.stats_at_ms != cursor.backlog_at_ms) return;
  const auto left = *cursor.backlog_entries - delayed_entries.value_or(0);
  const auto published = topic.messages_in.value_or(0);
  const auto last = backlog.newest();
  if (left <= 0 || (last && published < last->counter)) backlog.clear();
  if (left > 0) backlog.add({backlog_ms, left, published}, tuning.lag_window);
}

void CursorHistory::observe_consumers(const model::CursorView& cursor, const Tuning& tuning) {
  if (!cursor.consumers || cursor.consumers_at_ms <= consumers_ms) return;
  const auto before_ms = consumers_ms;
  const bool was_there = consumer_seen_ms && *consumer_seen_ms == before_ms;
  consumers_ms = cursor.consumers_at_ms;
  if (*cursor.consumers > 0) {
    consumer_seen_ms = consumers_ms;
    active({consumers_ms, consumers_ms}, tuning);
  } else if (was_there) {
    // It left some time between the two looks, which may be far apart. The pause that begins is no shorter for it.
    activity = Interval{before_ms, consumers_ms};
    forget_bounds();
  }
}

void CursorHistory::observe_clocks(const model::TopicView& topic, const model::CursorView& cursor,
                                   const Tuning& tuning) {
  if (cursor.stats_at_ms <= stats_ms) return;
  const auto before_ms = stats_ms;
  stats_ms = cursor.stats_at_ms;
  // A flow timestamp seen for the first time is no activity of which we know; one from after our last look is.
  if (before_ms != 0 && cursor.flow_ms && cursor.flow_ms != flow_ms && *cursor.flow_ms > before_ms) {
    active({*cursor.flow_ms, *cursor.flow_ms}, tuning);
  }
  flow_ms = cursor.flow_ms;
  // While it is unloaded, and once it is loaded until a consumer comes, a topic says 0 delayed, whatever is waiting.
  // None becomes due with nobody there: then the last answer stands as long as the place does.
  const bool attended = cursor.consumers.value_or(0) > 0;
  if (cursor.delayed_entries && (attended || *cursor.delayed_entries >= delayed_entries.value_or(0)))
    delayed_entries = cursor.delayed_entries;
  stats_epoch = topic.epoch;
}

}  // namespace tidemark::history
