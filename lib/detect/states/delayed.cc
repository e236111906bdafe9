// Everything outstanding waits for its delivery time. After a load without a consumer the broker says 0 delayed, so the
// figure is the history's, which carries it while the place stands.
#include "detect/states/states.h"

namespace tidemark::detect::states {

bool is_delayed(const CursorCase& c) {
  const auto delayed = c.history.delayed_entries.value_or(0);
  const auto outstanding = c.cursor.backlog_entries.value_or(c.pin.entries.value_or(0));
  const bool attended = c.cursor.consumers.value_or(0) > 0 || !c.silent_for(c.limits.abandoned_after);
  return delayed > 0 && outstanding > 0 && delayed >= outstanding && attended;
}

}  // namespace tidemark::detect::states
