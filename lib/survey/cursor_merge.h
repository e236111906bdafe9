#pragma once
// The cursors of one topic out of every document that shows them: which exist, where they stand, who consumes.

#include <vector>

#include "model/snapshot.h"
#include "survey/assemble.h"
#include "survey/topic_facts.h"

namespace tidemark::survey {

// By name, ascending. A cursor is there when the newest document able to show it does; a sweep counts as one
// `context.stats_period` older than its poll when it lacks a cursor.
std::vector<model::CursorView> merge_cursors(const TopicFacts& facts, model::Loaded loaded,
                                             const AssembleContext& context);

}  // namespace tidemark::survey
