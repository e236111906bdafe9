#pragma once
// Two ways of knowing only what one has asked for: a survey's own planning against the recording, in this process, and
// the whole daemon over HTTP. Both print the verdicts of the last poll in the findings' JSON.

#include <cstddef>
#include <string>

#include "base/result.h"
#include "daemon/options.h"
#include "recorded_cluster.h"

namespace tidemark::cases {

struct Asking {
  daemon::Common common;
  std::size_t chunk_bytes = 0;  // of each answer; 0 = whole
  bool audits = true;           // of healthy topics, as many a poll as by default
};

// Budgets that let all be asked that is due, at once.
void spend_freely(Asking& asking);

Result<std::string> ask_directly(RecordedCluster& cluster, Asking asking);
Result<std::string> ask_over_http(RecordedCluster& cluster, Asking asking);

}  // namespace tidemark::cases
