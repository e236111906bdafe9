#pragma once
// Namespaces that fill their retention: what is acknowledged there stays and grows, and stops growing once the oldest
// of it is as old as retention allows. No forecast may go on with it for ever.

#include <string_view>
#include <vector>

#include "base/time.h"
#include "history/figures.h"
#include "model/snapshot.h"

namespace tidemark::detect {

struct Filling {
  TimeMs ends_ms = 0;
  double share = 0;     // 0..1 of what all namespaces grew by
  std::string_view ns;  // of the snapshot
};

// Of the growth since `from`; by their ends. Empty where nothing grew.
std::vector<Filling> fillings(const model::Snapshot& snapshot, const history::Figures& figures, TimeMs from);

}  // namespace tidemark::detect
