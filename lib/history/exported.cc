#include "history/exported.h"

#include <algorithm>

#include "history/age.h"

namespace tidemark::history {
namespace {

bool stands_at(const CursorHistory& history, const model::TopicView& topic, const model::Position& exported) {
  return exported == *history.mark_delete ||
         topic.ledgers.normalise(exported) == topic.ledgers.normalise(*history.mark_delete);
}

}  // namespace

std::size_t ExportedCursors::cursors() const {
  std::size_t count = 0;
  for (const auto& [topic, cursors] : topics) count += cursors.size();
  return count;
}

void take_exported(CursorHistory& history, const model::TopicView& topic, const model::CursorView& cursor,
                   std::span<const Exported> newest_first, TimeMs asked_ms) {
  if (history.activity || !history.mark_delete) return;
  const auto known = last_activity(history, topic, cursor);
  // From here on nothing happened: by the documents, or because we watch.
  auto silent_since = std::min(known.latest.value_or(asked_ms), asked_ms);
  auto earliest = known.earliest;
  auto frozen_since = history.frozen_since_ms;
  // Backwards in time, each exporter from where the one after it ends. One that saw it elsewhere ends the chain.
  for (const auto& exported : newest_first) {
    if (!stands_at(history, topic, exported.mark_delete)) break;
    if (known.earliest && exported.latest < *known.earliest) break;
    if (exported.earliest) earliest = std::max(*exported.earliest, earliest.value_or(*exported.earliest));
    if (exported.at + kExportGap.count() < silent_since) break;
    silent_since = std::min(silent_since, exported.latest);
    frozen_since = std::min(frozen_since, exported.at);
  }
  if (silent_since >= known.latest.value_or(asked_ms)) return;
  history.frozen_since_ms = frozen_since;
  history.no_activity_since_ms = silent_since;
  if (earliest) history.activity_at_ms = std::min(*earliest, silent_since);
  history.from_export = true;
}

}  // namespace tidemark::history
