// No fresh document, or an unloaded cursor whose place or whose only ledger no document describes.
#include "detect/states/states.h"

namespace tidemark::detect::states {

bool is_unknown(const CursorCase& c) {
  if (c.topic.loaded == model::Loaded::kNo) {
    // Behind it lies only the last ledger, whose size is in no document.
    return !c.consumers_fresh || !c.position_fresh || c.cursor.position_stale_by_rule || !c.pins;
  }
  const bool internal_cursor =
      c.cursor.kind != model::CursorKind::kSubscription && c.cursor.kind != model::CursorKind::kReader;
  if (internal_cursor)
    return c.cursor.position_at_ms != 0 && !c.position_fresh && !c.cursor.doubted && c.topic.sweep_at_ms == 0;
  if (!c.consumers_fresh) return true;
  // What was concluded from a position stands as long as nothing speaks against it, but is not concluded again from an
  // old one.
  const bool concluded =
      c.history.judged && (c.history.state == model::State::kAbandoned || c.history.state == model::State::kUnused);
  const bool outdated = c.cursor.mark_delete && !c.position_fresh;
  return concluded && outdated && c.cursor.consumers == 0;
}

}  // namespace tidemark::detect::states
