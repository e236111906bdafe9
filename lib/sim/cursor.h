#pragma once
// One position on one topic and how it is kept: the mark-delete with the ranges acknowledged behind it, the cursor
// ledger that persists it while the topic is loaded, and the metadata node that internal-info shows, which is only
// exact after a graceful unload.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/managed_ledger.h"

namespace tidemark::sim {

// Entries with indexes in [from, to) are acknowledged; always behind the mark-delete, sorted, apart from each other.
struct AckedRun {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

// As the broker prints them: cut at ledger borders, exclusive below, inclusive above.
struct PrintedRange {
  Position after;
  Position through;
};

struct CursorLimits {
  std::int64_t max_entries_per_ledger = 50'000;
  Duration rollover{std::chrono::hours{4}};
  std::int64_t max_ranges_in_metadata = 1000;
};

// The node that internal-info shows.
struct StoredCursor {
  std::int64_t version = 0;
  TimeMs created_ms = 0;
  TimeMs modified_ms = 0;
  std::int64_t cursors_ledger_id = -1;
  Position mark_delete;
  std::vector<PrintedRange> acked;
};

class Cursor {
 public:
  Cursor(std::string name, bool durable, Position mark_delete, std::int64_t index, TimeMs now);

  const std::string& name() const { return name_; }
  bool durable() const { return durable_; }
  const Position& mark_delete() const { return mark_delete_; }
  std::int64_t index() const { return index_; }  // of the mark-delete
  std::int64_t read_index() const { return read_index_; }
  const std::vector<AckedRun>& acked() const { return acked_; }
  std::int64_t acked_entries() const;  // behind the mark-delete
  std::int64_t backlog(const ManagedLedger& ledger) const;
  std::vector<PrintedRange> printed(const ManagedLedger& ledger) const;

  // Acknowledges the entries with indexes in [from, to); true when the mark-delete moved. Entries that are
  // acknowledged already do not count again.
  bool ack(const ManagedLedger& ledger, std::int64_t from, std::int64_t to);

  // The first `count` entries that are not acknowledged, from the mark-delete on, as runs.
  std::vector<AckedRun> next_unacked(const ManagedLedger& ledger, std::int64_t count) const;

  // Reset, seek or skip: forgets all ranges.
  void move(Position mark_delete, std::int64_t index);
  void read_up_to(std::int64_t index) { read_index_ = index > read_index_ ? index : read_index_; }
  void rewind_read() { read_index_ = index_; }

  // Writes `writes` positions to the cursor ledger, which is made if there is none and rolls over when full or old.
  void persist(Storage& storage, const CursorLimits& limits, std::int64_t writes, TimeMs now);

  // A graceful unload writes the position to the metadata; a crash leaves what is there.
  void close(const ManagedLedger& ledger, const CursorLimits& limits, TimeMs now);
  void load(TimeMs now);

  bool open() const { return open_; }  // state "Open", else "NoLedger"
  std::int64_t cursor_ledger() const { return cursor_ledger_; }
  std::int64_t cursor_ledger_last_entry() const { return last_entry_; }
  TimeMs ledger_switched_ms() const { return switched_ms_; }
  const StoredCursor& stored() const { return stored_; }

 private:
  void join(std::int64_t from, std::int64_t to);
  void store(std::int64_t cursors_ledger_id, TimeMs now);

  std::string name_;
  bool durable_;
  Position mark_delete_;
  std::int64_t index_;
  std::int64_t read_index_;
  std::vector<AckedRun> acked_;

  bool open_ = false;
  std::int64_t cursor_ledger_ = -1;
  std::int64_t last_entry_ = -1;
  TimeMs switched_ms_;           // creation of the object, then each rollover
  TimeMs ledger_opened_ms_ = 0;  // of the present cursor ledger
  StoredCursor stored_;
};

}  // namespace tidemark::sim
