#include "model/lookup.h"

#include <algorithm>

namespace tidemark::model {

const TopicView* find_topic(const Snapshot& snapshot, std::string_view name) {
  const auto& topics = snapshot.topics;
  const auto at = std::lower_bound(topics.begin(), topics.end(), name,
                                   [](const auto& topic, std::string_view wanted) { return topic->name < wanted; });
  return at != topics.end() && (*at)->name == name ? at->get() : nullptr;
}

const CursorView* find_cursor(const TopicView& topic, std::string_view name) {
  const auto& cursors = topic.cursors;
  const auto at = std::lower_bound(cursors.begin(), cursors.end(), name,
                                   [](const auto& cursor, std::string_view wanted) { return cursor.name < wanted; });
  if (at != cursors.end() && at->name == name) return &*at;
  const auto any =
      std::find_if(cursors.begin(), cursors.end(), [&](const auto& cursor) { return cursor.name == name; });
  return any != cursors.end() ? &*any : nullptr;
}

}  // namespace tidemark::model
