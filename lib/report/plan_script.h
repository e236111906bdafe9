#pragma once
// A plan as a bash script for a person to read and then to run. Without --yes it only looks. Each removal looks again
// at run time: a subscription that has a consumer, or whose position is not the one that was judged, stays. Nothing
// here runs anything.

#include <string>

#include "base/time.h"
#include "report/plan.h"

namespace tidemark::report {

struct ScriptOptions {
  bool by_curl = false;                 // else by pulsar-admin
  std::string url;                      // of the cluster's web service, a default that can be overridden; may be empty
  std::string version;                  // ours
  Duration abandoned_after{691200000};  // no advice below it
};

std::string plan_script(const Plan& plan, const ScriptOptions& options);

}  // namespace tidemark::report
