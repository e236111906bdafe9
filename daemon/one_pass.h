#pragma once
// One look at a live cluster, for the commands that print and end.

#include "base/result.h"
#include "daemon/cluster_watch.h"
#include "settings/settings.h"
#include "survey/options.h"

namespace tidemark::daemon {

// Runs until every suspect was asked, with a line of progress where stderr is a terminal. The error says why there are
// no verdicts: nobody answered, nothing that lists topics could be read, an interrupt, or a filter that nothing in the
// cluster bears.
Result<Outcome> one_pass(const settings::Settings& settings, const settings::Cluster& cluster,
                         const survey::Filter& filter);

}  // namespace tidemark::daemon
