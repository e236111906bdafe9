#include "pulsar/internal_stats.h"

#include "pulsar/fields.h"

namespace tidemark::pulsar {
namespace {

using formats::Scalar;
using formats::Shape;

void set_acked(InternalCursor& self, const Scalar& value) {
  self.acked = parse_ack_ranges(value.as_text().value_or(""), kMaxAckRanges);
}

const Shape<InternalCursor>& cursor_shape() {
  static const auto shape = [] {
    using C = InternalCursor;
    Shape<C> made;
    made.set<set_position<&C::mark_delete, C>>("markDeletePosition")
        .set<set_position<&C::read_position, C>>("readPosition")
        .set_in_place<set_acked>("individuallyDeletedMessages")
        .value<&C::acked_ranges>("totalNonContiguousDeletedMessagesRange")
        .value<&C::cursor_ledger>("cursorLedger")
        .value<&C::cursor_ledger_last_entry>("cursorLedgerLastEntry")
        .value<&C::state>("state")
        .set<set_iso<&C::ledger_switched_ms, C>>("lastLedgerSwitchTimestamp");
    return made;
  }();
  return shape;
}

const Shape<InternalStats>& stats_shape() {
  static const auto ledger = ledger_shape().value<&model::Ledger::offloaded>("offloaded");
  static const auto shape = [] {
    using S = InternalStats;
    Shape<S> made;
    made.value<&S::entries_added>("entriesAddedCounter")
        .value<&S::entries>("numberOfEntries")
        .value<&S::total_bytes>("totalSize")
        .value<&S::current_ledger_entries>("currentLedgerEntries")
        .value<&S::current_ledger_bytes>("currentLedgerSize")
        .set<set_position<&S::last_confirmed, S>>("lastConfirmedEntry")
        .value<&S::state>("state")
        .set<set_iso<&S::last_ledger_created_ms, S>>("lastLedgerCreatedTimestamp")
        .set<set_iso<&S::last_ledger_failed_ms, S>>("lastLedgerCreationFailureTimestamp")
        .list<&S::ledgers>("ledgers", ledger)
        .needed()
        .list<&S::schema_ledgers>("schemaLedgers", ledger)
        .object<&S::compacted_ledger>("compactedLedger", ledger)
        .named<&S::cursors, &InternalCursor::name>("cursors", cursor_shape())
        .needed();
    return made;
  }();
  return shape;
}

}  // namespace

Result<InternalStats> decode_internal_stats(std::string_view body) {
  InternalStats stats;
  if (auto done = read_shape("internalStats", body, stats_shape(), stats); done.has_error()) return done.error();
  // Seen on 2.8.2 right after a topic was made. Believed, it would say that every cursor has caught up.
  if (stats.ledgers.empty() && stats.entries > 0) {
    return Error{Errc::kMalformed, "internalStats: " + std::to_string(stats.entries) + " entries and no ledger"};
  }
  decode_names(stats.cursors);
  return stats;
}

}  // namespace tidemark::pulsar
