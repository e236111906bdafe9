#pragma once
// The ledgers of one topic and the questions about distance that only they can answer. A used-up ledger is deleted
// while mark-deletes keep naming it (normal on Pulsar 3.0+), so every comparison goes through here.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/position.h"

namespace tidemark::model {

struct Ledger {
  std::int64_t id = -1;
  std::optional<std::int64_t> entries;  // empty: not told (the last ledger of an unloaded topic)
  std::optional<std::int64_t> bytes;    // logical bytes, one copy; empty likewise
  std::optional<TimeMs> closed_ms;      // never of the last ledger: there it is the time of the request
  bool offloaded = false;
};

// Ascending by id. The last one is the topic's open (or last) ledger, which the broker never frees. Figures below 0 are
// taken for 0, and enormous ones are cut so that the sum over all ledgers stays below 2^62.
class Ledgers {
 public:
  Ledgers() = default;
  explicit Ledgers(std::vector<Ledger> list);

  const std::vector<Ledger>& list() const { return list_; }
  bool empty() const { return list_.empty(); }
  const Ledger* find(std::int64_t id) const;

  // The first listed ledger with an id above `id`.
  const Ledger* next_after(std::int64_t id) const;

  // The same place in its one spelling: the last entry of a ledger that has a successor is (successor:-1), a ledger
  // that is not listed resolves to the next listed one. With nothing after it the position stays as it is.
  Position normalise(const Position& position) const;

  // Entries after `position` up to the end, as far as every ledger on the way tells its count.
  std::optional<std::int64_t> entries_after(const Position& position) const;

 private:
  std::vector<Ledger> list_;
};

// How many entries lie between two mark-deletes of one cursor, negative when it moved back, 0 when only the spelling
// changed
// ("137:9" -> "244:-1" at a load). `from_was_at_end`: when `from` was seen it was the last entry of its ledger, for
// ledgers deleted since. A distance through deleted ledgers is a lower bound of at least 1.
std::int64_t entries_between(const Ledgers& ledgers, const Position& from, bool from_was_at_end, const Position& to);

// Whether `position` is the last entry its ledger has by this list (or the ledger is gone).
bool at_end_of_ledger(const Ledgers& ledgers, const Position& position);

}  // namespace tidemark::model
