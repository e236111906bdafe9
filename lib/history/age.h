#pragma once
// When was a cursor last active? Our own observation where it spans the time, otherwise bounds out of the cluster's
// documents, each with its source. Never a guess: what no document bounds stays empty.

#include <optional>
#include <string_view>

#include "base/time.h"
#include "history/cursor_history.h"
#include "model/snapshot.h"

namespace tidemark::history {

inline constexpr std::string_view kObserved = "observed";  // a source: our own history

struct LastActivity {
  std::optional<TimeMs> earliest;    // it was active at this time or later
  std::string_view earliest_source;  // names the document's field, or "observed"
  std::optional<TimeMs> latest;      // it was not active after this
  std::string_view latest_source;
};

// "Nothing happened after this", as the newest documents alone show it for the place they show.
LastActivity bounds_of_documents(const model::TopicView& topic, const model::CursorView& cursor);

// Both together, the tighter bound on each side.
LastActivity last_activity(const CursorHistory& history, const model::TopicView& topic,
                           const model::CursorView& cursor);

// Remembers the documents' bounds across loads, where the broker's own clocks are lost. Call after observe().
void keep_bounds(CursorHistory& history, const model::TopicView& topic, const model::CursorView& cursor);

}  // namespace tidemark::history
