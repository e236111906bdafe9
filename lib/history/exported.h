#pragma once
// What a former self or a sibling exported of a cursor before this daemon knew it, as Prometheus kept it. Its age
// counts only while the cursor stands where it stood then, and nothing in the cluster's documents says otherwise.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "history/cursor_history.h"
#include "model/position.h"
#include "model/snapshot.h"

namespace tidemark::history {

// The last words of one exporter on one cursor.
struct Exported {
  TimeMs at = 0;  // of its last sample, or a little earlier
  model::Position mark_delete;
  std::optional<TimeMs> earliest;  // the last activity was not before this
  TimeMs latest = 0;               // and from here to `at` there was none

  bool operator==(const Exported&) const = default;
};

// Of one cluster, by topic and cursor; the newest first.
struct ExportedCursors {
  using OfTopic = std::map<std::string, std::vector<Exported>, std::less<>>;

  TimeMs asked_ms = 0;
  std::map<std::string, OfTopic, std::less<>> topics;

  std::size_t cursors() const;
};

// Between an exporter's last sample and what is known from then on: a restart, a scrape, a topic on its way.
inline constexpr Duration kExportGap{15LL * 60000};

// Takes what `newest_first` proves of the time before we looked. Call with the views that `history` has just observed,
// once it has a position. Activity that was seen by ourselves is never overruled.
void take_exported(CursorHistory& history, const model::TopicView& topic, const model::CursorView& cursor,
                   std::span<const Exported> newest_first, TimeMs asked_ms);

}  // namespace tidemark::history
