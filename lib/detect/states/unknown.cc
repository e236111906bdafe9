// No fresh document, or an unloaded cursor whose place or whose only ledger no document describes.
#include "detect/states/states.h"

namespace tidemark::detect::states {
namespace {

using model::State;

// What was concluded from a position stands as long as nothing newer speaks against it, but is not concluded again from
// an old one, nor from one that an earlier run of the daemon read.
bool outlived_its_documents(const CursorCase& c) {
  if (!c.history.judged) return false;
  // How much a replicator has to send is in statistics and sweeps, not where its place is.
  const bool by_count = c.cursor.kind == model::CursorKind::kReplicator &&
                        (c.history.state == State::kStalled || c.history.state == State::kLagging);
  if (by_count && !c.backlog_fresh) return true;
  if (!(c.cursor.mark_delete || c.history.mark_delete)) return false;
  const bool by_consumers = c.cursor.kind == model::CursorKind::kSubscription &&
                            (c.history.state == State::kUnackedBlocked || c.history.state == State::kStalled);
  if (c.position_fresh && (c.details_fresh || !by_consumers)) return false;
  switch (c.history.state) {
    case State::kAbandoned:
    case State::kUnused:
      return c.cursor.consumers == 0;
    case State::kUnackedBlocked:
    case State::kAckHole:
    case State::kStalled:
    case State::kDelayed:
      return c.has_backlog() != false;
    default:
      return false;
  }
}

}  // namespace

bool is_unknown(const CursorCase& c) {
  if (c.topic.loaded == model::Loaded::kNo) {
    // Behind it lies only the last ledger, whose size is in no document.
    return !c.consumers_fresh || !c.position_fresh || c.cursor.position_stale_by_rule || !c.pins;
  }
  const bool has_consumers =
      c.cursor.kind == model::CursorKind::kSubscription || c.cursor.kind == model::CursorKind::kReader;
  const bool fresh = has_consumers ? c.consumers_fresh : c.topic_fresh || c.position_fresh;
  return !fresh || outlived_its_documents(c);
}

}  // namespace tidemark::detect::states
