#pragma once
// By name, in what a snapshot holds by name. Null where there is none; lives as long as what was searched.

#include <string_view>

#include "model/snapshot.h"

namespace tidemark::model {

const TopicView* find_topic(const Snapshot& snapshot, std::string_view name);
// Quick where the cursors come by name, as the survey makes them.
const CursorView* find_cursor(const TopicView& topic, std::string_view name);

}  // namespace tidemark::model
