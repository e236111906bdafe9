#pragma once
// How long brokers take to answer us, against what they took over the last day, or, while less than half of that was
// watched, over the last one that was.

#include <vector>

#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Takes how long each broker took. Those that are slow now, by name.
std::vector<model::SlowCalls> observe_calls(const model::Snapshot& snapshot, history::Figures& figures);

}  // namespace tidemark::detect
