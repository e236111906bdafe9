#include "history/cursor_history.h"

#include <algorithm>
#include <cstdlib>

namespace tidemark::history {
namespace {

constexpr std::int64_t kSameMoveMs = 1000;  // the two clocks of one TTL move lie within about 100 ms

// The broker's expiry moved the mark-delete by `entries`, not a client: nobody was there, and the expired counter rose
// by as much, or at least at the same moment. Counters and clocks start anew at each load.
bool moved_by_expiry(const CursorHistory& before, const model::TopicView& topic, const model::CursorView& cursor,
                     std::int64_t entries, bool expires) {
  const bool same_load = topic.epoch == before.stats_epoch;
  const auto expired = cursor.expired_total.value_or(0) - (same_load ? before.expired_total : 0);
  const bool nobody_came = cursor.consumers.value_or(0) == 0 && (!cursor.flow_ms || cursor.flow_ms == before.flow_ms);
  const bool same_moment = cursor.expired_ms && cursor.mark_delete_advanced_ms &&
                           std::llabs(*cursor.expired_ms - *cursor.mark_delete_advanced_ms) <= kSameMoveMs;
  // Between the last look and a load the counter may have risen, and is lost: where expiry is at work, it was that. A
  // job that commits from outside shows itself at its next reset within one load.
  const bool draining =
      before.expiry_moved_ms && (!before.activity || before.activity->latest <= *before.expiry_moved_ms);
  const bool explained = expired > 0 && (same_moment || expired >= entries);
  return nobody_came && (explained || (!same_load && (draining || expires)));
}

// When a move between two looks happened: at the broker's own clock if that lies between them.
Interval when_moved(TimeMs before, const model::CursorView& cursor) {
  const auto advanced = cursor.mark_delete_advanced_ms;
  if (advanced && *advanced > before && *advanced <= cursor.position_at_ms) return {*advanced, *advanced};
  return {before, cursor.position_at_ms};
}

}  // namespace

void Rhythm::add(TimeMs at, Duration merge) {
  if (count_ > 0 && at - times_[count_ - 1] <= merge.count()) {
    times_[count_ - 1] = std::max(times_[count_ - 1], at);
    return;
  }
  if (count_ == kTimes) {
    std::copy(times_.begin() + 1, times_.end(), times_.begin());
    --count_;
  }
  times_[count_++] = at;
}

std::optional<Duration> Rhythm::longest_gap() const {
  if (count_ < 3) return std::nullopt;
  TimeMs longest = 0;
  for (std::size_t i = 1; i < count_; ++i) longest = std::max(longest, times_[i] - times_[i - 1]);
  return Duration{longest};
}

void CursorHistory::forget_bounds() {
  no_activity_since_ms.reset();
  activity_at_ms.reset();
}

void CursorHistory::active(Interval when, const Tuning& tuning) {
  if (!activity || when.latest > activity->latest) activity = when;
  forget_bounds();
  rhythm.add(when.latest, tuning.rhythm_merge);
}

void CursorHistory::observe(const model::TopicView& topic, const model::CursorView& cursor, const Tuning& tuning,
                            TimeMs now, bool expires) {
  seen_ms = now;
  observe_position(topic, cursor, tuning, expires);
  observe_consumers(cursor, tuning);
  observe_clocks(topic, cursor, tuning);
}

void CursorHistory::observe_position(const model::TopicView& topic, const model::CursorView& cursor,
                                     const Tuning& tuning, bool expires) {
  if (!cursor.mark_delete || cursor.position_stale_by_rule || cursor.position_at_ms <= position_ms) return;
  // Who moved it, client or expiry, only statistics of the same time tell; where those failed, the next pair of
  // documents does.
  const bool half = cursor.stats_at_ms != 0 && cursor.stats_at_ms < cursor.position_at_ms;
  if (expires && half && topic.loaded == model::Loaded::kYes) return;
  const auto before_ms = position_ms;
  position_ms = cursor.position_at_ms;
  if (!mark_delete) {
    first_position_ms = frozen_since_ms = position_ms;
  } else {
    const auto moved = model::entries_between(topic.ledgers, *mark_delete, at_end, *cursor.mark_delete);
    if (moved != 0) {
      frozen_since_ms = position_ms;
      delayed_entries.reset();
    }
    if (moved > 0 && moved_by_expiry(*this, topic, cursor, moved, expires)) {
      expiry_moved_ms = position_ms;
    } else if (moved > 0) {
      active(when_moved(before_ms, cursor), tuning);
    }
    if (moved > 0) rewound_ms.reset();
    // Back within one load is a seek or reset; back across a load is an unsaved position that was lost.
    if (moved < 0 && topic.epoch == position_epoch) {
      rewound_ms = position_ms;
      rewound_from = mark_delete;
      active({before_ms, position_ms}, tuning);
    }
  }
  mark_delete = cursor.mark_delete;
  position_epoch = topic.epoch;
  at_end = model::at_end_of_ledger(topic.ledgers, *mark_delete);
}

void CursorHistory::observe_consumers(const model::CursorView& cursor, const Tuning& tuning) {
  if (!cursor.consumers || cursor.consumers_at_ms <= consumers_ms) return;
  consumers_ms = cursor.consumers_at_ms;
  if (*cursor.consumers == 0) return;
  consumer_seen_ms = consumers_ms;
  active({consumers_ms, consumers_ms}, tuning);
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
  expired_total = cursor.expired_total.value_or(0);
  // A load without a consumer says 0 delayed, whatever is waiting: then the last answer stands as long as the place
  // does.
  const bool dispatcher_lives = cursor.type != "None";
  if (cursor.delayed_entries && (dispatcher_lives || topic.epoch == stats_epoch))
    delayed_entries = cursor.delayed_entries;
  stats_epoch = topic.epoch;
}

}  // namespace tidemark::history
