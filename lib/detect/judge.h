#pragma once
// (Snapshot, History, Limits) -> Verdicts. Pure but for the history, which learns the snapshot first and remembers the
// state concluded for each cursor. Runs on the pool; whoever calls it owns the history meanwhile.

#include "detect/limits.h"
#include "detect/patterns.h"
#include "history/history.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Observes `snapshot` and judges every cursor in it. Snapshots must come in the order of their times.
model::Verdicts judge(const model::Snapshot& snapshot, history::History& history, const Patterns& patterns,
                      const Limits& limits);

}  // namespace tidemark::detect
