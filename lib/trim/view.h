#pragma once
// A topic of a snapshot as its trimming sees it.

#include <cstddef>
#include <vector>

#include "model/snapshot.h"
#include "trim/reclaim.h"

namespace tidemark::trim {

// False unless the position of every durable cursor is known: whom the broker waits for is not known then. `cursor_of`:
// index into view.cursors of each durable position. The ledgers are those of `view`, and live as long; version and
// broker habits are of the whole cluster.
bool see_topic(const model::Snapshot& snapshot, const model::TopicView& view, Topic& topic,
               std::vector<std::size_t>& cursor_of);

}  // namespace tidemark::trim
