#pragma once
// What one cursor did, kept as change points: a frozen cursor costs the same however long it is frozen. Fed with the
// views of successive polls; decides what was activity, what was TTL, a rewind or a recovery (docs/design.md section 2,
// "activity").

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/time.h"
#include "history/expiry.h"
#include "history/mover.h"
#include "history/trail.h"
#include "model/position.h"
#include "model/snapshot.h"
#include "model/vocabulary.h"

namespace tidemark::history {

// Something happened not before `earliest` and not after `latest`.
struct Interval {
  TimeMs earliest = 0;
  TimeMs latest = 0;

  bool operator==(const Interval&) const = default;

  template <class Archive>
  void fields(Archive& archive) {
    archive.next_time(latest);
    archive.next_time(earliest);
  }
};

// The last pauses of a cursor: from one activity to the next, where they are further apart than `merge`. Of somebody
// who is there for days, the days are no pause.
class Rhythm {
 public:
  void add(TimeMs at, Duration merge);
  // Somebody is there since `from`, and was until `until` at least.
  void stay(TimeMs from, TimeMs until, Duration merge);

  // The largest of the last 8 gaps; empty until there are 2.
  std::optional<Duration> longest_gap() const;

  bool operator==(const Rhythm& other) const {
    return last_ms_ == other.last_ms_ && count_ == other.count_ &&
           std::equal(gaps_.begin(), gaps_.begin() + count_, other.gaps_.begin());
  }

  template <class Archive>
  void fields(Archive& archive) {
    archive.time(last_ms_);
    archive.list(gaps_, count_,
                 [](Archive& each, Duration& gap, const Duration& before) { each.next_to(gap, before); });
  }

 private:
  static constexpr std::size_t kGaps = 8;
  std::array<Duration, kGaps> gaps_{};
  std::size_t count_ = 0;  // filled places, oldest first
  TimeMs last_ms_ = 0;
};

struct Tuning {
  Duration rhythm_merge{3600000};
  Duration lag_window{30LL * 60000};
  Duration keep_removed{30LL * 24 * 3600000};

  // Whoever comes when so much is remembered of cursors and topics has no place, until those that are gone gave way.
  std::size_t max_bytes = std::size_t{1} << 30;
  std::size_t max_removed = 100000;  // of those that are gone; see Gone
  std::size_t max_figures = 20000;   // see Figures
};

struct CounterCheck {
  TimeMs at = 0;            // 0 = none at the present place
  std::int64_t excess = 0;  // reported less counted
  std::int64_t behind = 0;  // entries after the mark-delete
  std::int64_t acked = 0;   // of them

  bool operator==(const CounterCheck&) const = default;

  template <class Archive>
  void fields(Archive& archive) {
    if (!archive.take(at != 0)) return;
    archive.next_time(at);
    archive.next_to(excess, 0);
    archive.next_to(behind, 0);
    archive.next_to(acked, 0);
  }
};

// What the removal of a leftover is to free, as of its last verdict.
struct Leftover {
  std::optional<std::int64_t> reclaimable_bytes;        // alone
  std::optional<std::int64_t> topic_reclaimable_bytes;  // with the topic's other leftovers
  std::optional<std::int64_t> ahead_bytes;              // what goes with all that are behind it, while it stays
  std::int64_t due_before = 0;                          // Receipt::due_bytes() then
  std::int64_t settled_before = 0;                      // and settled_bytes()

  bool operator==(const Leftover&) const = default;

  template <class Archive>
  void fields(Archive& archive) {
    archive.number(reclaimable_bytes);
    archive.number(topic_reclaimable_bytes);
    archive.number(ahead_bytes);
    archive.next_to(due_before, 0);
    archive.next_to(settled_before, 0);
  }
};

// What its properties said of whoever it belongs to, which only its topic's own statistics tell.
struct Contract {
  std::string kept_by;  // why it is to be kept; empty = it is not
  std::string owner;    // its own or its namespace's; empty = none

  bool operator==(const Contract&) const = default;

  template <class Archive>
  void fields(Archive& archive) {
    archive.next_text(kept_by);
    archive.next_text(owner);
  }
};

struct CursorHistory {
  TimeMs first_position_ms = 0;  // document time of the first exact position; 0 = none yet
  TimeMs position_ms = 0;        // document time of the newest one
  std::optional<model::Position> mark_delete;
  bool at_end = false;         // it was the last entry of its ledger when seen
  TimeMs frozen_since_ms = 0;  // first document that shows the present place

  std::optional<Interval> activity;  // the last one seen by us
  std::optional<TimeMs> consumer_seen_ms;
  TimeMs consumers_ms = 0;  // document time of the newest consumer count

  // Documents' own bounds on the last activity before we looked, kept while the place stands. They outlive an epoch,
  // which the documents do not.
  std::optional<TimeMs> no_activity_since_ms;  // smallest "nothing after this" seen
  std::optional<TimeMs> activity_at_ms;        // largest "was active at this" seen
  bool from_export = false;                    // they come from what was exported earlier

  TimeMs stats_ms = 0;  // time of the newest stats document
  std::optional<TimeMs> flow_ms;
  std::int64_t expired_total = 0;               // when the newest position was taken, of that load
  std::optional<TimeMs> expiry_moved_ms;        // TTL last moved the mark-delete
  std::optional<TimeMs> eviction_moved_ms;      // the backlog quota did
  std::optional<std::int64_t> delayed_entries;  // with the present place
  Trail pinned_bytes;                           // over detect.abandoned_after

  std::optional<Expiry> expiry;  // under a TTL

  // What is sent on from the cursor: since when neither its read position nor its counter moved.
  std::optional<model::Position> read_position;
  std::optional<std::int64_t> messages_out;
  TimeMs dispatch_ms = 0;  // time of the newest documents that show both
  TimeMs dispatch_stands_since_ms = 0;

  // Its backlog while somebody is there to take it, and what it was when the present place was first seen.
  TimeMs backlog_ms = 0;  // document time of the newest
  Trail backlog;          // less the delayed; with the topic's messages_in
  std::optional<std::int64_t> backlog_at_stop;
  std::optional<TimeMs> disconnected_since_ms;  // replicators only

  // The loads that the newest position and the newest statistics belong to: a load is often known before they are read
  // again.
  std::uint64_t position_epoch = 0;
  std::uint64_t stats_epoch = 0;
  std::uint64_t active_epoch = 0;  // of its last activity, or when it was first seen
  std::optional<TimeMs> rewound_ms;
  std::optional<model::Position> rewound_from;    // with it
  std::optional<model::Position> recovered_from;  // it went back across a load, which had lost this place
  std::optional<TimeMs> back_ms;  // it went back, by a seek or across a load, and has not moved forward since

  // Where it stood when its own ledger was last seen written; empty while what moves is stored.
  std::optional<model::Position> unsaved_from;

  // The reported backlog beside the positions, in documents of one poll, and what of their
  // difference two such polls in a row agree on.
  CounterCheck counter;
  std::int64_t counter_off_by = 0;
  Rhythm rhythm;

  model::State state = model::State::kUnknown;  // last concluded, never kUnknown once something was
  TimeMs state_since_ms = 0;
  model::Severity severity = model::Severity::kInfo;  // with that state
  model::Drain drain = model::Drain::kNone;
  bool judged = false;
  TimeMs seen_ms = 0;                     // last poll that listed it
  bool passing = false;                   // there is no place: this poll judges it as just seen, then it is forgotten
  std::optional<TimeMs> removed_ms;       // first poll with its topic and without it
  std::optional<std::int64_t> pin_bytes;  // newest known

  std::optional<Leftover> leftover;  // while it is one, and as it was when it went
  std::optional<Contract> contract;

  // Takes a comparison of the present place; what was published between two of them excuses as much.
  void compare_counter(const CounterCheck& check);

  // Takes what `cursor` newly says. Older or repeated documents change nothing. `drains`: what applies to the topic.
  void observe(const model::TopicView& topic, const model::CursorView& cursor, const Tuning& tuning, TimeMs now,
               const Drains& drains = {});

  bool operator==(const CursorHistory&) const = default;

  // Every member, for history/packing.h; the times of documents together, since they are mostly one. `poll_ms`: of the
  // topic's last poll.
  template <class Archive>
  void fields(Archive& archive, TimeMs poll_ms) {
    archive.near(seen_ms, poll_ms);
    archive.time(position_ms);
    archive.time(consumers_ms);
    archive.time(stats_ms);
    archive.time(backlog_ms);
    archive.time(dispatch_ms);
    archive.time(saving_ms_);
    counter.fields(archive);
    archive.time(consumer_seen_ms);
    archive.part(activity);
    archive.time(frozen_since_ms);
    archive.time(first_position_ms);
    archive.time(dispatch_stands_since_ms);
    archive.time(state_since_ms);
    archive.time(flow_ms);
    archive.time(no_activity_since_ms);
    archive.time(activity_at_ms);
    archive.flag(from_export);
    archive.position(mark_delete);
    archive.position(read_position);
    archive.flag(at_end);
    archive.flag(judged);
    archive.word(state, model::State::kOk);
    archive.word(severity, model::Severity::kCritical);
    archive.word(drain, model::Drain::kEviction);
    archive.flag(saving_);
    archive.number(cursor_ledger_, -1);
    archive.number(cursor_ledger_last_entry_, -1);
    archive.count(position_epoch);
    archive.near_count(stats_epoch, position_epoch);
    archive.near_count(active_epoch, position_epoch);
    archive.near_count(saving_epoch_, position_epoch);
    pinned_bytes.fields(archive);
    archive.near(pin_bytes, pinned_bytes.newest().value_or(Look{}).value);
    archive.number(messages_out);
    archive.number(backlog_at_stop);
    backlog.fields(archive);
    rhythm.fields(archive);
    archive.number(delayed_entries);
    archive.number(expired_total);
    archive.time(expiry_moved_ms);
    archive.time(eviction_moved_ms);
    archive.time(disconnected_since_ms);
    archive.time(rewound_ms);
    archive.position(rewound_from);
    archive.position(recovered_from);
    archive.time(back_ms);
    archive.position(unsaved_from);
    archive.number(counter_off_by);
    archive.time(removed_ms);
    archive.part(leftover);
    archive.part(expiry);
    archive.part(contract);
  }

 private:
  void observe_presence(const model::CursorView& cursor, const Tuning& tuning);
  void observe_dispatch(const model::TopicView& topic, const model::CursorView& cursor);
  void observe_backlog(const model::TopicView& topic, const model::CursorView& cursor, const Tuning& tuning);
  void observe_position(const model::TopicView& topic, const model::CursorView& cursor, const Tuning& tuning,
                        const Drains& drains);
  void moved_forward(const model::TopicView& topic, const model::CursorView& cursor, std::int64_t entries,
                     TimeMs before_ms, const Tuning& tuning, const Drains& drains);
  void observe_saving(const model::TopicView& topic, const model::CursorView& cursor);
  void observe_consumers(const model::CursorView& cursor, const Tuning& tuning);
  void observe_clocks(const model::TopicView& topic, const model::CursorView& cursor, const Tuning& tuning);

  TimeMs saving_ms_ = 0;
  std::uint64_t saving_epoch_ = 0;
  std::int64_t cursor_ledger_ = -1;
  std::int64_t cursor_ledger_last_entry_ = -1;
  bool saving_ = false;  // its state was Open

  void forget_bounds();
  void active(Interval when, const Tuning& tuning);
};

}  // namespace tidemark::history
