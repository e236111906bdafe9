#pragma once
// What is dead on a bookie's disks and not reclaimed. No metric tells the size of entry logs before BookKeeper 4.18, so
// it is kept as a lower bound: what was alive once is stored until the counters of what was reclaimed, or the disk's
// usage, say that it went.

#include <vector>

#include "detect/limits.h"
#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Takes what the bookies say of their entry logs, or said last. Those of which at least half is dead, by name.
std::vector<model::Garbage> observe_garbage(const model::Snapshot& snapshot, const Limits& limits,
                                            history::Figures& figures);

}  // namespace tidemark::detect
