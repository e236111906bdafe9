#include "trim/view.h"

#include "model/policies.h"

namespace tidemark::trim {

bool see_topic(const model::Snapshot& snapshot, const model::TopicView& view, Topic& topic,
               std::vector<std::size_t>& cursor_of) {
  topic.durable.clear();
  cursor_of.clear();
  for (std::size_t i = 0; i < view.cursors.size(); ++i) {
    const auto& cursor = view.cursors[i];
    if (cursor.kind == model::CursorKind::kReader) continue;
    if (!cursor.mark_delete || cursor.position_stale_by_rule) return false;
    topic.durable.push_back(*cursor.mark_delete);
    cursor_of.push_back(i);
  }
  topic.ledgers = &view.ledgers;
  topic.retention = model::retention_of(snapshot, view).value;
  topic.now = snapshot.at_ms;
  topic.unloaded = view.loaded == model::Loaded::kNo;
  return !view.ledgers.empty();
}

}  // namespace tidemark::trim
