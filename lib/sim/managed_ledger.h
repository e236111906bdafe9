#pragma once
// One topic's storage as the broker keeps it: ledgers, rollover, and what a trim may delete. Entries are not stored;
// a ledger knows how many it has, their bytes and the span of time in which they came, and everything else is
// interpolated, with the broker's own integer division where the broker divides.
//
// Besides positions there are indexes: the index of a position is the number of entries, since the topic began, that
// lie at or before it. Indexes survive deletion and make every distance a subtraction.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/time.h"
#include "model/position.h"

namespace tidemark::sim {

using model::Position;

// Shared by all ledgers of a cluster: ids come from one counter, and every ledger has its place on some bookies, which
// it keeps until it is deleted.
class Storage {
 public:
  // Bits of a place say which bookies hold the ledger.
  using Place = std::uint32_t;

  Storage() = default;
  Storage(std::vector<double> weights, int write_quorum);

  std::int64_t take_id() {
    ++ledgers_created;
    return next_id_++;
  }
  Place place(std::int64_t ledger_id) const;
  void set_writable(std::size_t bookie, bool writable) { writable_.at(bookie) = writable; }
  void wrote(Place place, std::int64_t entries, std::int64_t bytes);
  void deleted(Place place, std::int64_t bytes);

  std::int64_t written_bytes = 0;  // logical, ever
  std::int64_t deleted_bytes = 0;
  std::int64_t ledgers_created = 0;
  std::int64_t ledgers_deleted = 0;

  // Physical, a bookie, ever.
  struct OnBookie {
    std::int64_t written = 0;
    std::int64_t entries = 0;
    std::int64_t deleted = 0;
  };
  std::vector<OnBookie> on_bookie;

 private:
  std::int64_t next_id_ = 1;
  std::vector<double> weights_;
  std::vector<bool> writable_;
  int write_quorum_ = 0;
};

struct LedgerLimits {
  std::int64_t max_entries = 50'000;
  std::int64_t max_bytes = std::int64_t{2048} << 20;
  Duration min_rollover{std::chrono::minutes{10}};
  Duration max_rollover{std::chrono::minutes{240}};
};

// -1 = unlimited in that dimension.
struct RetentionPolicy {
  std::int64_t minutes = 0;
  std::int64_t megabytes = 0;
};

// When a cursor that acknowledged all of a closed ledger stops pinning it: at once (3.0+), or when its mark-delete
// itself moves on (2.x).
enum class BoundaryRule { kNextLedger, kOwnLedger };

struct SimLedger {
  std::int64_t id = 0;
  Storage::Place place = 0;
  std::int64_t first_index = 0;   // index of the position before its first entry
  std::int64_t bytes_before = 0;  // of all ledgers before it, deleted ones included
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
  TimeMs opened_ms = 0;
  TimeMs first_ms = 0;  // publish time of its first and last entry
  TimeMs last_ms = 0;
  TimeMs closed_ms = 0;    // 0 = open
  bool offloaded = false;  // to the tiered storage; not in BookKeeper any more

  std::int64_t end_index() const { return first_index + entries; }
};

class ManagedLedger {
 public:
  ManagedLedger(Storage& storage, const LedgerLimits& limits, TimeMs now);

  const std::deque<SimLedger>& ledgers() const { return ledgers_; }
  const SimLedger& last() const { return ledgers_.back(); }
  const SimLedger* find(std::int64_t id) const;

  // Since the topic began / still listed.
  std::int64_t end_index() const { return ledgers_.back().end_index(); }
  std::int64_t begin_index() const { return ledgers_.front().first_index; }
  std::int64_t total_bytes() const;
  std::int64_t total_entries() const { return end_index() - begin_index(); }
  std::int64_t added_since_load() const { return added_since_load_; }
  std::int64_t bytes_since_load() const { return bytes_since_load_; }
  Position last_confirmed() const;

  // Positions. A deleted ledger resolves to the next listed one, as everywhere in the broker.
  std::int64_t index_of(const Position& position) const;
  Position position_at(std::int64_t index) const;  // of the entry before `index`, or (first listed:-1)
  Position read_position_at(std::int64_t index) const;
  const SimLedger& ledger_at(std::int64_t index) const;  // that holds the entry after `index`, or the last one
  std::int64_t bytes_after(const Position& position) const;
  TimeMs published_ms(std::int64_t index) const;              // of the entry after `index`
  std::int64_t index_published_until(TimeMs until_ms) const;  // entries published at or before it

  // `count` entries of `bytes_each`, evenly over (from, to]. Rolls over as often as limits say.
  void publish(std::int64_t count, std::int64_t bytes_each, TimeMs from, TimeMs to);

  // The timer: a ledger with entries that is older than max_rollover (jittered) is closed.
  bool roll_if_old(TimeMs now);

  // Deletes what `bound` (empty: no durable cursor) and `retention` allow; true when something went.
  struct Bound {
    std::int64_t index = 0;
    std::int64_t ledger_id = 0;  // of the mark-delete as displayed, for the 2.x rule
  };
  bool trim(const std::optional<Bound>& bound, const RetentionPolicy& retention, BoundaryRule rule, TimeMs now);
  Position last_deleted() const { return last_deleted_; }

  // Closed ledgers that were closed until then go to the tiered storage.
  void offload(TimeMs closed_until);
  std::int64_t offloaded_bytes() const;

  // A load finds the size of the last ledger, closes it as of now, drops it when empty, and opens a new one.
  void load(TimeMs now);

  // The metadata node: each change of the ledger list is a write.
  std::int64_t version() const { return version_; }
  TimeMs created_ms() const { return created_ms_; }
  TimeMs modified_ms() const { return modified_ms_; }

 private:
  void open_ledger(TimeMs now);
  void close_last(TimeMs now);
  void touch(TimeMs now);
  std::int64_t room_in_last(std::int64_t bytes_each, TimeMs now) const;

  Storage& storage_;
  LedgerLimits limits_;
  std::deque<SimLedger> ledgers_;  // never empty, the last one is open while the topic is loaded
  std::int64_t added_since_load_ = 0;
  std::int64_t bytes_since_load_ = 0;
  std::optional<Position> lac_;  // what the load found, until something is published
  Position last_deleted_;
  std::int64_t version_ = 0;
  TimeMs created_ms_ = 0;
  TimeMs modified_ms_ = 0;
};

}  // namespace tidemark::sim
