#pragma once
// What is known of a cluster at the end of one poll, merged from documents of different kinds and times. Immutable once
// published; everything that judges reads only this and the history. An empty optional means: no document says it.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/ledgers.h"
#include "model/listed_topics.h"
#include "model/names.h"
#include "model/position.h"
#include "model/share.h"
#include "model/stored_ledgers.h"

namespace tidemark::model {

// Acknowledged runs behind the mark-delete, exclusive below and inclusive above as the broker prints them.
struct AckRange {
  Position after;
  Position through;
};

struct Consumer {
  std::string name;
  std::int64_t available_permits = 0;
  std::int64_t unacked_messages = 0;
  bool blocked = false;
};

struct CursorView {
  std::string name;  // decoded, as clients write it
  CursorKind kind = CursorKind::kSubscription;

  // Position, from internalStats or (unloaded, exact only) internal-info.
  std::optional<Position> mark_delete;
  std::optional<Position> read_position;
  TimeMs position_at_ms = 0;            // time of the document that gave it
  bool position_stale_by_rule = false;  // internal-info with a cursor ledger: only a lower bound, never an advance
  bool doubted = false;                 // a newer sweep speaks against the position: its backlog fell
  std::vector<AckRange> acked;          // bounded by the decoder, see acked_ranges for their count
  std::int64_t acked_ranges = 0;
  std::int64_t cursor_ledger = -1;
  std::int64_t cursor_ledger_last_entry = -1;
  std::string cursor_state;  // "Open", "NoLedger", ...
  std::optional<TimeMs> ledger_switched_ms;

  // Consumption, from stats or the sweep, whichever is newer.
  std::optional<int> consumers;  // empty: no document; 0 for a topic that is positively unloaded
  TimeMs consumers_at_ms = 0;
  std::optional<TimeMs> connected_since_ms;  // of that consumer of them who is there for longest; empty when untold
  std::string type;                          // "None" = nobody since the topic was loaded
  std::vector<Consumer> consumer_list;       // stats only, as long as the same ones are there
  std::optional<std::int64_t> backlog_entries;
  TimeMs backlog_at_ms = 0;
  std::optional<std::int64_t> delayed_entries;  // stats only
  std::optional<std::int64_t> messages_out;     // stats only; since load
  std::int64_t unacked_messages = 0;
  bool blocked_on_unacked = false;
  double rate_out = 0;          // messages per second
  std::string active_consumer;  // Exclusive and Failover: whom the broker sends to; empty when untold
  bool replicated = false;

  // In-memory clocks of the broker; empty when 0 or untold. Lost at each epoch.
  std::optional<TimeMs> flow_ms;
  std::optional<TimeMs> mark_delete_advanced_ms;
  std::optional<TimeMs> expired_ms;
  std::optional<std::int64_t> expired_total;  // messages expired since load
  std::optional<TimeMs> earliest_publish_ms;  // of the oldest message that waits; only where it was asked for
  TimeMs stats_at_ms = 0;                     // time of the stats document behind these; 0 = none

  // From internal-info.
  std::optional<TimeMs> created_ms;
  std::optional<TimeMs> modified_ms;

  // Replicators only.
  std::optional<bool> connected;

  std::map<std::string, std::string> properties;  // subscriptionProperties (2.10+)
};

// -1 = unlimited in that dimension, as Pulsar writes it.
struct Retention {
  std::int64_t minutes = 0;
  std::int64_t megabytes = 0;

  bool operator==(const Retention&) const = default;
};

// What the broker does with consumers' backlog at a limit. Empty limits: none, or none that is known.
struct BacklogQuota {
  std::optional<std::int64_t> bytes;
  bool evicts_by_size = false;  // consumer_backlog_eviction: the slowest cursor is moved on
  std::optional<std::int64_t> seconds;
  bool evicts_by_age = false;
  // Whether each kind was given at all: what a namespace does not give falls to the broker, kind by kind.
  bool gives_size = false;
  bool gives_age = false;

  bool operator==(const BacklogQuota&) const = default;
};

// A topic's own policies; empty = it leaves them to its namespace.
struct TopicPolicies {
  std::optional<Retention> retention;
  std::optional<std::int64_t> ttl_seconds;
  std::optional<std::int64_t> compaction_threshold_bytes;
  std::optional<BacklogQuota> quota;
};

enum class Loaded { kUnknown, kYes, kNo };

struct TopicView {
  std::string name;
  std::string ns;
  std::string tenant;
  std::string owner;  // broker that answered last for it
  Loaded loaded = Loaded::kUnknown;
  bool listed = false;  // in the namespace's topic list
  bool system = false;

  // Times of the newest document of each kind; 0 = never.
  TimeMs sweep_at_ms = 0;
  TimeMs stats_at_ms = 0;
  TimeMs internal_at_ms = 0;
  TimeMs info_at_ms = 0;

  Ledgers ledgers;           // of the newest document that lists them; the open one with its confirmed size
  std::vector<Ledger> gone;  // the document before listed them, with their sizes, and this one does not
  bool from_internal_info = false;
  bool ledger_open = false;  // the last ledger takes writes
  std::optional<Position> last_confirmed;
  std::optional<std::int64_t> total_bytes;    // logical, storageSize
  std::optional<std::int64_t> backlog_bytes;  // behind the slowest durable cursor, as the broker counts it
  std::optional<std::int64_t> messages_in;    // since load
  std::optional<std::int64_t> bytes_in;
  std::optional<double> entries_per_message;  // of this load: a batch of messages is one entry
  std::optional<std::int64_t> publishers;
  double rate_in = 0;
  std::int64_t open_transactions = 0;
  std::optional<TimeMs> last_ledger_created_ms;  // when the open ledger was begun
  bool last_ledger_failed = false;  // lastLedgerCreationFailureTimestamp is set and the state is ClosedLedger

  // Unloaded topics: the newest poll in which every broker's sweep was whole and none had it; and whether its stored
  // positions were read since it went missing, after which they cannot have moved.
  TimeMs absent_at_ms = 0;
  bool read_since_absent = false;

  // How long per-topic documents of this topic stay good: its current re-ask interval. 0 in a recording without a
  // schedule.
  Duration reask{0};

  std::uint64_t epoch = 0;  // counts the loads this daemon saw; equal numbers = the same load
  std::optional<TimeMs> epoch_started_ms;
  std::optional<TimeMs> modified_ms;  // of its stored ledger list: the newest ledger was made or the oldest deleted

  std::vector<CursorView> cursors;
};

struct NamespaceView {
  std::string name;  // "tenant/namespace"
  bool policies_known = false;
  TimeMs policies_at_ms = 0;  // start of the poll that read them
  bool deleted = false;
  std::int64_t judged_elsewhere = 0;   // topics in its list that are others' to judge (Snapshot::share)
  std::optional<Retention> retention;  // the namespace's own
  std::optional<std::int64_t> ttl_seconds;
  std::optional<std::int64_t> expiration_minutes;
  std::optional<std::int64_t> compaction_threshold_bytes;
  std::optional<BacklogQuota> quota;
  std::optional<std::int64_t> ensemble;  // bookies that a ledger is spread over
  std::optional<std::int64_t> write_quorum;
  std::vector<std::string> replication_clusters;  // empty: not told
  std::map<std::string, std::string> properties;
  std::shared_ptr<const ListPass> lists;         // the newest comparison of its lists; null: none yet
  std::shared_ptr<const ListPass> lists_before;  // the one before it
};

// What the broker applies where a namespace says nothing. Empty = configuration not readable.
struct BrokerDefaults {
  std::string cluster;  // clusterName; empty when unknown
  std::optional<Retention> retention;
  std::optional<std::int64_t> ttl_seconds;
  std::optional<std::int64_t> expiration_minutes;
  std::optional<std::int64_t> expiration_check_minutes;
  std::optional<std::int64_t> expiry_check_minutes;  // between two looks for messages beyond their TTL
  std::optional<std::int64_t> stats_period_seconds;  // how old a sweep may be
  std::optional<std::int64_t> compaction_threshold_bytes;
  std::optional<std::int64_t> dedup_interval_entries;  // between two snapshots of `pulsar.dedup`
  std::optional<BacklogQuota> quota;                   // without limits: known to have none
  std::optional<bool> precise_age_quota;
  std::optional<std::int64_t> ensemble;
  std::optional<std::int64_t> write_quorum;
  std::optional<std::int64_t> retention_check_seconds;
  std::optional<std::int64_t> min_rollover_minutes;
  std::optional<std::int64_t> max_rollover_minutes;
  std::optional<std::int64_t> max_ledger_entries;
  std::optional<std::int64_t> max_ledger_megabytes;
  CursorNames cursor_names;

  bool operator==(const BrokerDefaults&) const = default;
};

struct BrokerView {
  std::string name;  // "host:port"
  bool reachable = false;
  bool partial = false;     // its sweep failed, ended early, or lost most of its topics
  std::string problem;      // one line, empty when all is well
  std::int64_t topics = 0;  // in its last whole sweep
  // Our calls for single documents: how long nine in ten of the last five minutes took. Empty: none, or too few, or
  // they come from a recording that does not tell.
  std::optional<std::int64_t> calls_p90_ms = {};
  std::int64_t calls_timed_out = 0;  // of this poll, those for lists and sweeps included
};

// What a bookie's disks hold by its own garbage collection, over all of its ledger directories. Logs that are written
// to are not in it.
struct EntryLogs {
  std::optional<std::int64_t> total_bytes;      // dead or alive; BookKeeper 4.18+
  std::optional<std::int64_t> reclaimed_bytes;  // since its start
  std::optional<std::int64_t> collections;      // runs since its start
};

// Its read-ahead cache, since its start. Up to BookKeeper 4.14 hits of the write cache are hits, too.
struct ReadCache {
  std::optional<std::int64_t> hits;
  std::optional<std::int64_t> misses;
  std::optional<std::int64_t> fills;    // reads from disk that brought more than was asked for ...
  std::optional<std::int64_t> entries;  // ... and how many entries in all
};

// What keeps a bookie from compacting, where its admin API tells.
struct Compaction {
  std::optional<bool> major_suspended;
  std::optional<bool> minor_suspended;
  std::optional<bool> forced_when_full;  // isForceGCAllowWhenNoSpace, where it is set
  std::optional<double> suspends_at;     // 0..1, of the disk: major compaction above it; where it is set
};

struct BookieView {
  std::string name;
  bool reachable = false;
  std::string problem;
  std::optional<int> status;   // bookie_SERVER_STATUS: 1 writable, 0 read-only, -1 unregistered
  TimeMs status_since_ms = 0;  // first poll in a row that showed it
  std::map<std::string, double>
      dir_usage_ratio;  // ledger directory (as the metric spells it) -> 0..1; 0 = unknown, left out
  std::optional<int> writable_dirs;
  std::optional<double> usage_threshold;       // 0..1, where its configuration can be read and sets one
  std::optional<std::int64_t> capacity_bytes;  // of its ledger directories' disks, where its admin API tells
  // Of its last garbage collection: what ledgers that exist occupy in its entry logs; empty before the first one.
  std::optional<std::int64_t> live_bytes;
  // Since its start, by its share of the entries written: copies of what another bookie held or holds.
  std::optional<std::int64_t> recovered_bytes;
  EntryLogs logs;
  ReadCache read_cache;
  Compaction compaction;
};

struct Coverage {
  std::int64_t listed = 0;
  std::int64_t evaluated = 0;
  std::int64_t unknown = 0;
};

struct Snapshot {
  TimeMs at_ms = 0;          // start of the poll
  TimeMs reached_ms = 0;     // start of the newest poll in which a broker answered; 0 = none ever did
  Duration interval{60000};  // configured, or in a replay the distance of the last two polls when that is larger
  std::string cluster;
  Share share;                                           // of the cluster; others have the rest
  std::string version;                                   // as the brokers say it, e.g. "4.0.7"; empty when unknown
  std::vector<std::shared_ptr<const TopicView>> topics;  // by name, ascending
  std::map<std::string, NamespaceView> namespaces;
  std::map<std::string, TopicPolicies, std::less<>>
      topic_policies;  // of the topics that have some, partitions together
  BrokerDefaults defaults;
  std::vector<BrokerView> brokers;
  std::vector<BookieView> bookies;
  std::shared_ptr<const LedgerPass> ledgers;         // the newest look through all ledgers; null: none yet
  std::shared_ptr<const LedgerPass> ledgers_before;  // the one before it
  Coverage coverage;
  std::map<std::string, Coverage> coverage_by_namespace;

  Duration clock_offset{0};  // of the brokers' clocks to ours; their times in here are on ours

  // For the metrics about our own work.
  std::int64_t topics_loaded_by_us = 0;  // since start
  std::int64_t suspects_waiting = 0;
  std::optional<TimeMs> oldest_suspect_ms;
};

}  // namespace tidemark::model
