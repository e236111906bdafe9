#pragma once
// What the broker would delete if cursors were removed, by the broker's own walk: whole closed ledgers below the
// slowest remaining durable cursor, oldest first, as long as retention lets go of them; never the last ledger. Measured
// on 2.8.2 to 5.0.1, see docs/truth.md.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/ledgers.h"
#include "model/position.h"
#include "model/snapshot.h"
#include "trim/broker_habits.h"

namespace tidemark::trim {

struct Topic {
  const model::Ledgers* ledgers = nullptr;
  std::vector<model::Position> durable;       // mark-deletes of every durable cursor, system cursors included
  std::optional<model::Retention> retention;  // effective; empty = unknown, then every figure is empty
  TimeMs now = 0;
  BrokerHabits habits;
  // Whatever is done to it begins with a load. That closes the last ledger, whose age counts anew then, and no position
  // on a border holds the ledger before it. Where the last one's size is untold, figures leave it out.
  bool unloaded = false;
};

// The cursors that hold the first ledger, and the bytes freed if all of them were removed together; removing any other
// cursor frees nothing.
struct Slowest {
  std::vector<std::size_t> cursors;   // indices into Topic::durable, ascending
  std::optional<std::int64_t> bytes;  // empty = cannot be told
  std::int64_t bound = 0;             // slowest_bound()
};
Slowest slowest(const Topic& topic);

// The bytes freed if all of `removed` (indices, ascending) went together: logical ones, or with `copies` (the write
// quorum) those on disks, where an offloaded ledger counts once.
std::optional<std::int64_t> reclaimable_together(const Topic& topic, const std::vector<std::size_t>& removed,
                                                 std::int64_t copies = 1);

// What each of `order` (indices, each once) frees when they are removed one after the other; their sum is what they
// free together. Empty where it cannot be told.
std::vector<std::optional<std::int64_t>> freed_in_order(const Topic& topic, const std::vector<std::size_t>& order);

// What goes when all go that are slower than one of `cursors` (indices), for each; empty where it cannot be told.
std::vector<std::optional<std::int64_t>> freed_behind(const Topic& topic, const std::vector<std::size_t>& cursors);

// The first ledger that those need who are left without `removed` (ascending); with nobody, one behind every ledger.
std::int64_t bound_without(const Topic& topic, const std::vector<std::size_t>& removed);

// The first ledger that some durable cursor needs; with none, one behind every ledger.
std::int64_t slowest_bound(const Topic& topic);

// The first ledger that a cursor needs which stands at `mark_delete`.
std::int64_t bound_of(const Topic& topic, const model::Position& mark_delete);

// Bytes that no durable cursor needs any more and that are still there, by what keeps them.
struct Unpinned {
  std::int64_t retained = 0;          // closed ledgers below the bound that retention keeps
  std::int64_t let_go = 0;            // the others below it: they go at the next trim
  std::vector<std::int64_t> waiting;  // their ids
  std::int64_t boundary = 0;          // 2.x: used-up closed ledgers that a position on their last entry keeps
  std::int64_t last = 0;              // the last ledger of a loaded topic, when every durable cursor is past all of it
};

// Where a size, a close time or the retention is untold, what depends on it counts nowhere.
Unpinned unpinned(const Topic& topic);

}  // namespace tidemark::trim
