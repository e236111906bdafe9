#pragma once
// The last status of each bookie in the history, so that a restart of ours clears nothing: a bookie that takes no
// writes is a page, and nobody may be there to tell of it when we start.

#include <string>
#include <vector>

#include "history/figures.h"
#include "model/snapshot.h"

namespace tidemark::detect {

void observe_bookie_status(const model::Snapshot& snapshot, history::Figures& figures);

struct KnownBookie {
  std::string name;
  int status = 0;       // bookie_SERVER_STATUS
  TimeMs since_ms = 0;  // since when
};

// Those of the last poll.
std::vector<KnownBookie> known_bookies(const history::Figures& figures);

}  // namespace tidemark::detect
