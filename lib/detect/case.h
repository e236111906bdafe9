#pragma once
// Everything known about one cursor at the moment it is judged, gathered once so that each state is a small pure
// question.

#include <optional>

#include "base/time.h"
#include "detect/limits.h"
#include "history/age.h"
#include "history/cursor_history.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "trim/pins.h"

namespace tidemark::detect {

// References live as long as the snapshot and history that it was made from.
struct CursorCase {
  const model::Snapshot& snapshot;
  const model::TopicView& topic;
  const model::CursorView& cursor;
  const history::CursorHistory& history;
  const Limits& limits;

  TimeMs now = 0;
  history::LastActivity activity;
  trim::Pin pin;
  std::optional<model::Hole> hole;
  std::optional<bool> pins;      // whether anything is pinned; empty = cannot be told
  bool consumers_fresh = false;  // the consumer count is good
  bool backlog_fresh = false;    // the count of what waits is good
  bool topic_fresh = false;      // some document of the topic is as new as a sweep should be
  bool details_fresh = false;    // so is what only the topic's own statistics tell of its consumers
  bool position_fresh = false;   // the position is good and nothing newer speaks against it

  bool consumerless() const { return consumers_fresh && cursor.consumers.value_or(0) == 0; }
  // No activity for `length`, proven by a bound.
  bool silent_for(Duration length) const;
  // Its own longest pause has not been exceeded by half yet.
  bool within_rhythm() const;
  // The mark-delete has not moved for `length`: since when it stands at the latest, by our own looks or the broker's
  // clock.
  bool frozen_for(Duration length) const;
  std::optional<TimeMs> frozen_since() const;
  // Something waits to be acknowledged, by position or, before it was asked for, by the sweep's backlog.
  std::optional<bool> has_backlog() const;
};

// Its consumer count is of a document as new as a sweep should be, or it is positively unloaded.
bool consumers_are_fresh(const model::Snapshot& snapshot, const model::TopicView& topic,
                         const model::CursorView& cursor);

CursorCase make_case(const model::Snapshot& snapshot, const model::TopicView& topic, const model::CursorView& cursor,
                     const history::CursorHistory& history, const Limits& limits);

}  // namespace tidemark::detect
