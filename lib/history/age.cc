#include "history/age.h"

#include <algorithm>
#include <cstdlib>

namespace tidemark::history {
namespace {

constexpr std::int64_t kSameMoveMs = 1000;

bool expiry_moved_it(const model::CursorView& cursor) {
  return cursor.expired_ms && cursor.mark_delete_advanced_ms &&
         std::llabs(*cursor.expired_ms - *cursor.mark_delete_advanced_ms) <= kSameMoveMs;
}

void not_after(LastActivity& bounds, TimeMs at, std::string_view source) {
  if (!bounds.latest || at < *bounds.latest) {
    bounds.latest = at;
    bounds.latest_source = source;
  }
}

void not_before(LastActivity& bounds, TimeMs at, std::string_view source) {
  if (!bounds.earliest || at > *bounds.earliest) {
    bounds.earliest = at;
    bounds.earliest_source = source;
  }
}

// The broker's clocks of this load: the later of the two is the last thing that moved either.
void bound_by_clocks(LastActivity& bounds, const model::CursorView& cursor) {
  const auto flow = cursor.flow_ms.value_or(0);
  const auto advanced = cursor.mark_delete_advanced_ms.value_or(0);
  const auto* source = flow > advanced ? "lastConsumedFlowTimestamp" : "lastMarkDeleteAdvancedTimestamp";
  not_after(bounds, std::max(flow, advanced), source);
  if (flow > 0) not_before(bounds, flow, "lastConsumedFlowTimestamp");
  if (advanced > 0 && !expiry_moved_it(cursor)) not_before(bounds, advanced, "lastMarkDeleteAdvancedTimestamp");
}

// Both clocks are zero: nobody came since the cursor was made, by the load or with the subscription, unless an admin
// moved it, and each admin move writes one entry more.
void bound_by_epoch(LastActivity& bounds, const model::TopicView& topic, const model::CursorView& cursor) {
  const bool unmoved = cursor.cursor_state == "NoLedger" || cursor.cursor_ledger_last_entry <= 1;
  const auto made = cursor.ledger_switched_ms ? cursor.ledger_switched_ms : topic.epoch_started_ms;
  if (made && unmoved) not_after(bounds, *made, "lastLedgerSwitchTimestamp");
}

// A graceful close writes every cursor anew. One that was never written since it was made belongs to a topic whose
// broker was killed (seen on 4.0.7), and says nothing of who was there until then.
bool was_written_at_close(const model::CursorView& cursor) {
  return cursor.modified_ms && cursor.modified_ms != cursor.created_ms;
}

// The entry at the mark-delete was written after the ledger before its own was closed, and acknowledged later still.
void bound_by_ledgers(LastActivity& bounds, const model::TopicView& topic, const model::CursorView& cursor) {
  if (!cursor.mark_delete || cursor.mark_delete->entry_id < 0) return;
  const model::Ledger* before = nullptr;
  for (const auto& ledger : topic.ledgers.list()) {
    if (ledger.id >= cursor.mark_delete->ledger_id) break;
    before = &ledger;
  }
  if (before != nullptr && before->closed_ms) not_before(bounds, *before->closed_ms, "ledger close time");
}

}  // namespace

LastActivity bounds_of_documents(const model::TopicView& topic, const model::CursorView& cursor) {
  LastActivity bounds;
  bound_by_ledgers(bounds, topic, cursor);
  if (topic.loaded == model::Loaded::kNo) {
    if (cursor.cursor_ledger == -1 && was_written_at_close(cursor))
      not_after(bounds, *cursor.modified_ms, "modificationDate");
  } else if (cursor.stats_at_ms != 0 && (cursor.flow_ms || cursor.mark_delete_advanced_ms)) {
    bound_by_clocks(bounds, cursor);
  } else if (cursor.stats_at_ms != 0 && cursor.position_at_ms != 0) {
    bound_by_epoch(bounds, topic, cursor);
  }
  // The entry at the mark-delete is younger than the clocks say anybody was there: an admin moved it, which moves no
  // clock.
  if (bounds.earliest && bounds.latest && *bounds.earliest > *bounds.latest) bounds.latest.reset();
  // Its creation was somebody's act.
  if (cursor.created_ms) {
    not_before(bounds, *cursor.created_ms, "creationDate");
    if (bounds.latest) bounds.latest = std::max(*bounds.latest, *cursor.created_ms);
  }
  return bounds;
}

void keep_bounds(CursorHistory& history, const model::TopicView& topic, const model::CursorView& cursor) {
  const auto bounds = bounds_of_documents(topic, cursor);
  if (bounds.latest)
    history.no_activity_since_ms = std::min(*bounds.latest, history.no_activity_since_ms.value_or(*bounds.latest));
  if (bounds.earliest)
    history.activity_at_ms = std::max(*bounds.earliest, history.activity_at_ms.value_or(*bounds.earliest));
}

LastActivity last_activity(const CursorHistory& history, const model::TopicView& topic,
                           const model::CursorView& cursor) {
  auto bounds = bounds_of_documents(topic, cursor);
  const std::string_view earlier = history.from_export ? "an earlier export" : "an earlier document";
  if (history.no_activity_since_ms) not_after(bounds, *history.no_activity_since_ms, earlier);
  if (history.activity_at_ms) not_before(bounds, *history.activity_at_ms, earlier);
  if (history.activity) {
    not_before(bounds, history.activity->earliest, kObserved);
    // The broker's clock may fall into the interval and narrow it; an older one missed the move (admin resets touch
    // none), a newer one is expiry's.
    const bool narrows =
        bounds.latest && *bounds.latest >= history.activity->earliest && *bounds.latest <= history.activity->latest;
    if (!narrows) {
      bounds.latest = history.activity->latest;
      bounds.latest_source = kObserved;
    }
  } else if (history.first_position_ms != 0) {
    not_after(bounds, history.first_position_ms, kObserved);
  }
  // A clock of the cluster ahead of ours must not turn the bounds around.
  if (bounds.earliest && bounds.latest && *bounds.earliest > *bounds.latest) bounds.earliest = bounds.latest;
  return bounds;
}

}  // namespace tidemark::history
