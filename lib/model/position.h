#pragma once
// A place in a managed ledger. Pulsar writes it "ledgerId:entryId"; entry -1 stands before the ledger's first entry.
// Plain ordering compares ids only: whether two positions mean the same place needs the ledger list (model/ledgers.h).

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidemark::model {

struct Position {
  std::int64_t ledger_id = -1;
  std::int64_t entry_id = -1;

  auto operator<=>(const Position&) const = default;
};

// "101:19", "101:-1", "-1:-2". Empty when the text is not a position.
std::optional<Position> parse_position(std::string_view text);

// Entry ids are counted with, so one of 64 bits (Pulsar's "latest" is Long.MAX_VALUE twice) is cut to 2^53, which is
// still behind every entry there can be.
Position with_bounded_entry(Position position);
std::string to_string(const Position& position);

}  // namespace tidemark::model
