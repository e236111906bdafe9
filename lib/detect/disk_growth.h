#pragma once
// What the growth of the bookies' disks is made of: what the namespaces store and what holds it there, garbage, copies
// of other bookies, and what none of these explains.

#include <vector>

#include "detect/limits.h"
#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Takes what bookies that answered hold, and how full all disks together are.
void observe_bookies(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures);

// Those that grow at present: all disks together, then the bookies of `disks` that do. Nothing where it is not known
// how much is published, or how a namespace that grows keeps what it stores, nor of a part of a cluster.
std::vector<model::DiskGrowth> disk_growths(const model::Snapshot& snapshot,
                                            const std::vector<model::DiskOutlook>& disks,
                                            const history::Figures& figures, const Limits& limits);

}  // namespace tidemark::detect
