// Everything outstanding waits for its delivery time. After a load without a consumer the broker says 0 delayed, so the
// figure is the history's, which carries it while the place stands. Only statistics tell what is delayed: of what came
// or went since nobody knows, and then it goes on as it was.
#include "detect/states/states.h"

namespace tidemark::detect::states {

bool is_delayed(const CursorCase& c) {
  const auto delayed = c.history.delayed_entries.value_or(0);
  const auto outstanding = c.cursor.backlog_entries.value_or(c.pin.entries.value_or(0));
  const bool attended = c.cursor.consumers.value_or(0) > 0 || !c.silent_for(c.limits.abandoned_after);
  const bool stands_still = c.topic.loaded == model::Loaded::kNo;
  const bool compared = stands_still || (c.cursor.stats_at_ms != 0 && c.cursor.stats_at_ms >= c.cursor.backlog_at_ms);
  const bool was = c.history.state == model::State::kDelayed;
  const bool all = compared || !c.history.judged ? delayed >= outstanding : was;
  return delayed > 0 && outstanding > 0 && all && attended;
}

}  // namespace tidemark::detect::states
