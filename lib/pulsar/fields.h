#pragma once
// Private to this folder: how Pulsar writes times and positions, as setters for formats::Shape.

#include <optional>

#include "base/time.h"
#include "formats/shape.h"
#include "model/names.h"
#include "model/position.h"

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

// {"ledgerId":1,"entryId":2}
inline const formats::Shape<model::Position>& position_shape() {
  static const auto shape = [] {
    formats::Shape<model::Position> made;
    made.value<&model::Position::ledger_id>("ledgerId").value<&model::Position::entry_id>("entryId");
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
