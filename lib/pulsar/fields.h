#pragma once
// Private to this folder: how Pulsar writes times and positions, as setters for formats::Shape.

#include <optional>

#include "base/time.h"
#include "formats/shape.h"
#include "model/ledgers.h"
#include "model/names.h"
#include "model/position.h"
#include "pulsar/replicator.h"

namespace tidemark::pulsar {

// Epoch milliseconds, 0 or negative for "never".
template <auto Member, class T>
void set_ms(T& self, const formats::Scalar& value) {
  const auto at = value.as_integer();
  self.*Member = at && *at > 0 ? at : std::nullopt;
}

// ISO 8601 with an offset.
template <auto Member, class T>
void set_iso(T& self, const formats::Scalar& value) {
  const auto text = value.as_text();
  self.*Member = text ? parse_iso8601(*text) : std::nullopt;
}

// "ledger:entry".
template <auto Member, class T>
void set_position(T& self, const formats::Scalar& value) {
  const auto text = value.as_text();
  self.*Member = text ? model::parse_position(*text) : std::nullopt;
}

// What internalStats and internal-info both write of a ledger.
inline formats::Shape<model::Ledger> ledger_shape() {
  using L = model::Ledger;
  formats::Shape<L> made;
  made.value<&L::id>("ledgerId").value<&L::entries>("entries").value<&L::bytes>("size");
  return made;
}

inline const formats::Shape<Replicator>& replicator_shape() {
  static const auto shape = [] {
    using R = Replicator;
    formats::Shape<R> made;
    made.value<&R::connected>("connected").value<&R::backlog_entries>("replicationBacklog");
    return made;
  }();
  return shape;
}

// Cursors that are keyed by URLEncoder output.
template <class Cursors>
void decode_names(Cursors& cursors) {
  for (auto& cursor : cursors) cursor.name = model::decode_cursor_name(cursor.name);
}

}  // namespace tidemark::pulsar
