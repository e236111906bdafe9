#pragma once
// Which cursors have series of their own. Only the worst do, but a cursor that changes places at the edge of the list
// would make its series flap and its alerts with them, so one that entered stays for 24 h.

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "model/finding.h"

namespace tidemark::report {

class SeriesKeeper {
 public:
  struct Selection {
    std::vector<const model::CursorVerdict*> cursors;  // in the order of `verdicts`
    std::size_t suppressed = 0;                        // have a verdict other than ok and no series
  };

  // The `max` worst by what their topic would give back, whatever was kept; beside them those that were among the worst
  // within 24 h, at most `max` more. The result points into `verdicts`.
  Selection select(const model::Verdicts& verdicts, std::size_t max, TimeMs now);

 private:
  std::unordered_map<std::string, TimeMs> last_chosen_;  // topic \0 cursor -> when it last was one of the worst
};

}  // namespace tidemark::report
