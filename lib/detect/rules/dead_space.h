#pragma once
// What `reclaim_pending` and `reclaim_stuck` share: a bookie most of whose entry logs is dead is either the one or the
// other. It gets stuck where it is full: that suspends compaction, and with a few live entries in each log nothing
// comes back, although nearly all of it is dead.

#include <optional>
#include <string>

#include "base/time.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect::rules {

// Null where no bookie of the snapshot has that name.
const model::BookieView* bookie_named(const model::Snapshot& snapshot, const std::string& name);

// Whether its compaction is. Empty: it does not tell, and a full disk suspends unless it was told not to.
std::optional<bool> is_suspended(const model::BookieView& bookie);

// Since the garbage is there: two runs of the garbage collection, in each directory, or as long as they take.
bool had_two_runs(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now);

// It does not come back by itself.
bool is_reclaim_stuck(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now);

// A finding about the bookie with what both rules tell of it.
model::Finding garbage_finding(model::Rule rule, const model::BookieView& bookie, const model::Garbage& garbage);

// The start of its summary.
std::string dead_of(const model::Garbage& garbage);

}  // namespace tidemark::detect::rules
