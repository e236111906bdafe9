#pragma once
// What bookies' read-ahead caches are worth, from one look to the next.

#include <vector>

#include "detect/limits.h"
#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Takes the counters of the bookies that answered. Those whose cache is worth next to nothing, by name.
std::vector<model::CacheThrash> observe_read_caches(const model::Snapshot& snapshot, const Limits& limits,
                                                    history::Figures& figures);

}  // namespace tidemark::detect
