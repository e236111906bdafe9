#pragma once
// The numbers behind the verdicts: the `detect` section of the configuration, in the rules' own units.

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/finding.h"
#include "model/vocabulary.h"

namespace tidemark::detect {

// RE2 regex searched for in a subscription's name; tried in order before the built-in ones.
struct OriginPattern {
  std::string pattern;
  model::Origin origin = model::Origin::kNamed;
};

// The patterns of the next two: RE2 regex searched for in "persistent://tenant/namespace/topic [subscription]".
struct OwnerPattern {
  std::string pattern;
  std::string owner;
};

struct ExceptionPattern {
  std::string pattern;
  model::Exception exception;
};

struct Limits {
  Duration abandoned_after{8LL * 86400000};  // a weekly job is not a leak
  Duration stuck_after{30LL * 60000};
  Duration internal_stuck_after{24LL * 3600000};  // internal cursors that have no measure of their own
  Duration lag_window{30LL * 60000};
  Duration lag_floor{10LL * 60000};
  Duration growth_window{7LL * 86400000};
  Duration disk_window{14LL * 86400000};
  Duration disk_min_history{3LL * 86400000};  // no word about a disk without it
  std::int64_t held_min_bytes = 1LL << 30;
  // A replay reports what a running daemon only counts (open ledgers that nobody pins).
  bool report_gauges = false;
  std::vector<OriginPattern> origins;
  std::vector<OwnerPattern> owners;
  std::vector<ExceptionPattern> exceptions;
};

}  // namespace tidemark::detect
