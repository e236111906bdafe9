#pragma once
// What of a name no person chose: pod and template hashes, host addresses, UUIDs, dates, ordinals, run numbers.
// Versions (v2, 1.4), years, regions (eu-west-1) and numbers inside a name (iphone-15-sync) are chosen, not generated.

#include <string>
#include <string_view>

namespace tidemark::detect {

struct Generated {
  std::string group;    // the name with each generated part as '*', neighbouring ones as a single '*'
  bool any = false;     // there is a generated part
  bool run_id = false;  // one may number a run: a UUID, a hash, a number of three digits or more, a Job's pod
  bool dated = false;   // one is a date, a time or the minute that a CronJob puts into its jobs' names
};

// Linear in the length of the name, whatever is in it.
Generated find_generated(std::string_view name);

}  // namespace tidemark::detect
