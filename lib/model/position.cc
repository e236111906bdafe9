#include "model/position.h"

#include <algorithm>
#include <charconv>

namespace tidemark::model {

std::optional<Position> parse_position(std::string_view text) {
  Position position;
  const auto* end = text.data() + text.size();
  const auto ledger = std::from_chars(text.data(), end, position.ledger_id);
  if (ledger.ec != std::errc{} || ledger.ptr == end || *ledger.ptr != ':') return std::nullopt;
  const auto entry = std::from_chars(ledger.ptr + 1, end, position.entry_id);
  if (entry.ec != std::errc{} || entry.ptr != end) return std::nullopt;
  return with_bounded_entry(position);
}

Position with_bounded_entry(Position position) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  position.entry_id = std::clamp(position.entry_id, -kMost, kMost);
  return position;
}

std::string to_string(const Position& position) {
  return std::to_string(position.ledger_id) + ":" + std::to_string(position.entry_id);
}

}  // namespace tidemark::model
