#pragma once
// The disks below: what the topics' ledgers occupy on the bookies that hold them, what was deleted and waits for
// garbage collection, and the state that a bookie takes when its disk is full.

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "sim/managed_ledger.h"

namespace tidemark::sim {

struct BookieOptions {
  std::int64_t capacity_bytes = std::int64_t{100} << 30;
  double weight = 1;  // its share of new data beside the others
  std::string directory = "/pulsar/data/bookkeeper/ledgers";
  bool mixed_logs = false;  // something small and alive lies in each log, so that none is dead as a whole
};

struct BookieSettings {
  double threshold = 0.95;  // diskUsageThreshold
  double low_water = 0.90;  // diskUsageLwmThreshold
  Duration gc_wait{std::chrono::minutes{15}};
  Duration minor_compaction{std::chrono::hours{1}};
  Duration major_compaction{std::chrono::hours{24}};
  double base_share = 0.04;      // index, journal, the log being written
  double dead_logs_share = 0.5;  // of what a trim deletes: logs that are wholly dead at once
  double minor_share = 0.5;      // of the garbage left, what a minor compaction frees
  double copied_a_day = 0.5;     // of a disk, while autorecovery fills a new bookie
};

class SimBookie {
 public:
  SimBookie(std::string address, const BookieOptions& options, const BookieSettings& settings, TimeMs now);

  const std::string& address() const { return address_; }
  void set_address(std::string address) { address_ = std::move(address); }
  const BookieOptions& options() const { return options_; }
  bool writable() const { return writable_ && registered_; }
  // By an operator; false: writable again as soon as its disk allows.
  void set_read_only(bool wanted);
  // Garbage stays where it is, but for logs that are wholly dead.
  void suspend_compaction(bool suspended) { compaction_suspended_ = suspended; }
  // By an operator: whatever is dead goes, also while its disk is full.
  void force_compaction();
  // Not in the list of bookies: it runs, and no client knows it.
  void set_registered(bool registered) { registered_ = registered; }
  // Somebody reads old messages: so many batches a second come from the disk, and of each so many entries are read
  // before they are gone from the cache.
  void serve_catch_up(double fills_per_second, double used_of_each);
  void restart(TimeMs now);
  // Lost with its disks: another one at `address` begins empty and is given copies of what this one held.
  void replace(std::string address, TimeMs now);
  double usage_percent() const;
  TimeMs started_ms() const { return started_ms_; }

  // Physical bytes of one step.
  void add(std::int64_t written, std::int64_t deleted, std::int64_t entries);
  void collect(TimeMs now);

  std::int64_t live_bytes() const { return live_; }
  std::int64_t garbage_bytes() const { return garbage_; }
  std::int64_t used_bytes() const;
  // As its metrics tell them: of the last collection, and since its start.
  std::int64_t active_bytes() const { return active_seen_; }
  std::int64_t recovered_bytes() const { return recovered_total_; }
  std::int64_t reclaimed_bytes() const { return reclaimed_deletion_ + reclaimed_compaction_; }
  std::int64_t collections() const { return gc_runs_; }

  // Its /metrics, as BookKeeper 4.17 prints it.
  std::string metrics(TimeMs now, std::int64_t ledgers, std::int64_t ledgers_deleted) const;
  // Its /api/v1/bookie/info: the admin API is on, as in Pulsar's Helm chart.
  std::string info() const;
  // /api/v1/bookie/gc/suspend_compaction and /api/v1/config/server_config.
  std::string suspension() const;
  std::string configuration() const;

 private:
  bool passed(Duration interval, TimeMs& last, TimeMs now) const;
  void copy(TimeMs now);
  void read_ahead(TimeMs now);
  // It is suspended while the disk is full, as BookKeeper does unless told otherwise.
  bool compacts() const { return writable_ && !compaction_suspended_; }

  std::string address_;
  BookieOptions options_;
  BookieSettings settings_;
  TimeMs started_ms_;
  TimeMs last_gc_ms_;
  TimeMs last_minor_ms_;
  TimeMs last_major_ms_;
  bool writable_ = true;
  bool wanted_read_only_ = false;
  bool compaction_suspended_ = false;
  bool registered_ = true;
  double fills_per_second_ = 0;
  double used_of_fill_ = 0;
  TimeMs read_ms_ = 0;
  double fills_ = 0;
  double cache_hits_ = 0;
  TimeMs copied_ms_ = 0;
  std::int64_t to_copy_ = 0;  // held by others only, yet
  std::int64_t live_ = 0;     // referenced by ledgers that exist
  std::int64_t deleted_ = 0;  // ledger gone, garbage collection has not looked yet
  std::int64_t garbage_ = 0;  // dead, in logs that still hold something live
  std::int64_t written_total_ = 0;
  std::int64_t recovered_total_ = 0;
  std::int64_t entries_total_ = 0;
  std::int64_t reclaimed_deletion_ = 0;
  std::int64_t reclaimed_compaction_ = 0;
  std::int64_t active_seen_ = 0;  // as of the last collection
  std::int64_t gc_runs_ = 0;
  std::int64_t minor_runs_ = 0;
  std::int64_t major_runs_ = 0;
};

class Bookies {
 public:
  Bookies(const std::vector<BookieOptions>& options, const BookieSettings& settings, TimeMs now);

  std::vector<SimBookie>& list() { return list_; }
  const std::vector<SimBookie>& list() const { return list_; }

  // Takes over what the ledgers did since the last call, and tells `storage` who takes writes.
  void step(Storage& storage, TimeMs now);

 private:
  std::vector<SimBookie> list_;
  std::vector<Storage::OnBookie> seen_;
};

}  // namespace tidemark::sim
