// A seek or reset is somebody's work in progress: nothing else is said until it moves on, or stays for stuck_after.
#include "detect/states/states.h"

namespace tidemark::detect::states {

bool is_rewound(const CursorCase& c) {
  return c.history.rewound_ms && c.now - *c.history.rewound_ms < c.limits.stuck_after.count();
}

}  // namespace tidemark::detect::states
