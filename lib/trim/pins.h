#pragma once
// What one cursor holds on to, counted as the broker counts `backlogSize`: whole later ledgers, and inside the first
// one size - floor(size / entries) x (entry + 1), an integer division, so that the figures are equal to the byte.

#include <cstdint>
#include <optional>

#include "model/ledgers.h"
#include "model/position.h"

namespace tidemark::trim {

struct Pin {
  std::optional<std::int64_t> entries;  // after the mark-delete, acknowledged runs behind it included
  std::optional<std::int64_t> bytes;    // logical, one copy
};

// Empty figures where a ledger on the way does not tell its size (the last one of an unloaded topic). `ledgers` hold
// the open ledger with its confirmed entries and bytes.
Pin pinned(const model::Ledgers& ledgers, const model::Position& mark_delete);

// Whether anything is pinned at all, which may be certain although its amount is not. Empty: cannot be told.
std::optional<bool> pins_something(const model::Ledgers& ledgers, const model::Position& mark_delete);

}  // namespace tidemark::trim
