// Nobody is connected: abandoned, idle or unused. Subscriptions only; internal cursors have no consumers to lose.
#include "detect/states/states.h"

namespace tidemark::detect::states {
namespace {

bool candidate(const CursorCase& c) { return c.cursor.kind == model::CursorKind::kSubscription && c.consumerless(); }

}  // namespace

bool is_abandoned(const CursorCase& c) {
  return candidate(c) && c.position_fresh && c.pins == true && c.silent_for(c.limits.abandoned_after) &&
         !c.within_rhythm();
}

bool is_idle(const CursorCase& c) { return candidate(c) && c.has_backlog() == true; }

bool is_unused(const CursorCase& c) {
  return candidate(c) && c.position_fresh && c.pins == false && c.silent_for(c.limits.abandoned_after) &&
         !c.within_rhythm();
}

}  // namespace tidemark::detect::states
