#pragma once
// What was concluded in one poll: a verdict for each cursor, findings, and how much of the cluster they rest on. Times
// are epoch milliseconds, bytes logical (one copy). Field meanings are section 2 of docs/design.md; the JSON uses the
// same names.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/evidence.h"
#include "model/figure.h"
#include "model/names.h"
#include "model/position.h"
#include "model/shared_name.h"
#include "model/shared_optional.h"
#include "model/snapshot.h"
#include "model/vocabulary.h"

namespace tidemark::model {

struct Hole {
  Position first;
  Position last;
  std::int64_t entries = 0;
  std::int64_t holes = 0;
  std::int64_t acked_entries_behind = 0;
  std::optional<std::string> holder;
};

// Why a cursor's finding is silenced, and until when; empty = for good.
struct Exception {
  std::string reason;
  std::optional<TimeMs> until_ms;
};

// The cursors of one topic whose bytes go only together; of very many the first ones.
struct Tie {
  std::vector<SharedName> cursors;
  std::size_t count = 0;
};

struct CursorVerdict {
  SharedName topic;
  SharedName cursor;
  CursorKind kind = CursorKind::kSubscription;
  State state = State::kUnknown;
  std::optional<State> last_state;  // the verdict kept beside `unknown`
  Severity severity = Severity::kInfo;
  Drain drain = Drain::kNone;
  Origin origin = Origin::kNamed;
  EvidenceKind evidence_kind = EvidenceKind::kBounded;
  bool stale = false;
  std::optional<int> consumers;
  std::string group;  // of a finding; empty for an `ok` one, which is a group of its own
  SharedOptional<std::string> owner;
  SharedOptional<Exception> exception;  // its finding is `info`, whatever its state
  Figure since_ms;                      // last activity, or its latest possible time
  Figure state_since_ms;                // when this state was first concluded
  Figure created_ms;
  Figure age_low_ms;
  Figure age_high_ms;
  std::optional<Position> mark_delete;
  std::optional<Position> last_confirmed;
  Figure backlog_entries;
  Figure pinned_entries;
  Figure pinned_bytes;
  Figure reclaimable_bytes;
  Figure topic_reclaimable_bytes;
  std::shared_ptr<const Tie> tie;  // it is one of them; null = none, or it is alone
  SharedOptional<Hole> hole;
  Evidence evidence;  // none for `ok`
};

// The state a cursor is counted under: an unknown one keeps its last verdict, so that a failing broker clears no alert.
inline State counted_state(const CursorVerdict& verdict) {
  return verdict.state == State::kUnknown ? verdict.last_state.value_or(State::kUnknown) : verdict.state;
}

struct Finding {
  std::string rule;
  Level level = Level::kCursor;
  Severity severity = Severity::kInfo;
  std::optional<std::string> topic;
  std::optional<std::string> cursor;
  std::optional<std::string> ns;
  std::string subject;
  std::optional<TimeMs> since_ms;
  std::string summary;  // one line for a person
  Evidence evidence;
};

// A cursor that had a finding and is gone: its topic's documents do not list it any more.
struct RemovedCursor {
  std::string topic;
  std::string cursor;
  State state = State::kUnknown;  // the last one concluded
  TimeMs removed_ms = 0;          // poll in which it was missing first
  std::optional<TimeMs> since_ms;
  std::optional<std::int64_t> pinned_bytes;  // when its position was read last
  // Of a leftover: what its removal was to free, alone and with all leftovers of its topic; what it was to free with
  // those that did go, in the same poll or since; and what went since, as far as leftovers alone kept it. Its own
  // figure holds those tied with it.
  std::optional<std::int64_t> reclaimable_bytes;
  std::optional<std::int64_t> topic_reclaimable_bytes;
  std::optional<std::int64_t> removed_reclaimable_bytes;
  std::optional<std::int64_t> freed_bytes;
  std::optional<std::int64_t> freed_open_bytes;  // of freed_bytes: the open ledger, which went with the whole topic
};

// Bytes that no durable cursor pins and that are still there, by what keeps them; causes are literals.
using HeldBytes = std::map<std::string_view, std::int64_t>;

// The longest of the last pauses after which a subscription came back.
struct Pause {
  SharedName topic;
  SharedName cursor;
  Duration longest{0};
};

// How a bookie's ledger directory fills, from as long a history as a trend takes. Shares of its disk, 0..1.
struct DiskOutlook {
  std::string bookie;
  std::string dir;
  double usage = 0;  // newest
  double limit = 0;  // above it the directory takes no writes
  TimeMs from_ms = 0;
  TimeMs to_ms = 0;
  bool grows = false;
  double per_day_low = 0;
  double per_day = 0;
  double per_day_high = 0;
  // Where it grows: when it is full at those slopes, less what retention will end.
  std::optional<TimeMs> full_earliest_ms;
  std::optional<TimeMs> full_ms;
  std::optional<TimeMs> full_latest_ms;
  double filling_share = 0;  // of the growth, by namespaces whose retention is not full yet
};

// By how much the disks of one bookie, or all of them together, grew over as long a time as was watched, and by what.
// Bytes on disks, all copies.
struct DiskGrowth {
  struct OfNamespace {
    std::string ns;
    std::int64_t bytes = 0;
    GrowthCause cause = GrowthCause::kPinned;  // of most of it
  };

  std::string bookie;  // empty: all of them
  TimeMs from_ms = 0;
  TimeMs to_ms = 0;
  double usage = 0;  // newest, 0..1
  double rise = 0;   // likewise
  double per_day = 0;
  std::int64_t bytes = 0;
  bool estimated = false;  // the size of the disks is not known: by the stored bytes' share of what they hold
  std::array<std::int64_t, kGrowthCauses> by_cause{};
  GrowthCause cause = GrowthCause::kUnexplained;  // of most of it
  double idle_share = 0;                          // of what is pinned: behind cursors that somebody may come back to
  std::vector<OfNamespace> namespaces;            // of all bookies; those that grew, most first

  // Per second, at the start and the end of the line through what was seen.
  double published_start = 0;
  double published_end = 0;
  std::optional<double> dispatched_start;
  std::optional<double> dispatched_end;
  bool flat_traffic = false;  // publishing does not explain the growth
};

// A bookie of whose complete entry logs at least half is dead.
struct Garbage {
  std::string bookie;
  std::int64_t live_bytes = 0;
  std::int64_t stored_bytes = 0;            // dead or alive; at least
  TimeMs since_ms = 0;                      // since when it is so and nothing of it was reclaimed
  std::optional<std::int64_t> collections;  // runs of the garbage collection since then
};

// A bookie whose read-ahead cache was worth next to nothing since the look before, and since when that is so.
struct CacheThrash {
  std::string bookie;
  TimeMs since_ms = 0;
  double seconds = 0;  // since the look before
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t fills = 0;
  std::int64_t entries = 0;
};

// A broker that answers our calls late, or not in time.
struct SlowCalls {
  std::string broker;
  TimeMs since_ms = 0;
  std::int64_t polls = 0;                // in a row
  std::optional<std::int64_t> p90_ms;    // of five minutes
  std::optional<std::int64_t> usual_ms;  // the median of that over a day; empty while too little was watched
  std::int64_t timeouts = 0;             // in this poll
};

// How the subscriptions without a consumer grew in number: of a topic, a namespace or a tenant.
struct CountGrowth {
  Level level = Level::kTopic;
  std::string name;
  TimeMs from_ms = 0;
  std::int64_t count = 0;  // newest
  double start = 0;
  double rise = 0;
  double per_day_low = 0;
  double per_day = 0;
  double per_day_high = 0;
  double connected_rise = 0;  // of those with one
  bool grows = false;         // and what is connected does not explain it
};

// Ledgers of which it can be told neither who needs them nor that nobody does.
struct UnattributedLedgers {
  std::int64_t count = 0;
  std::int64_t bytes = 0;  // one copy, of those that tell
  std::optional<TimeMs> oldest_ms;

  bool operator==(const UnattributedLedgers&) const = default;
};

struct Verdicts {
  TimeMs at_ms = 0;
  std::vector<CursorVerdict> cursors;  // one for each of the snapshot, in its order: by topic, then cursor
  std::vector<Finding> findings;       // worst first
  std::vector<RemovedCursor> removed;  // within the last day
  std::vector<Pause> pauses;           // by topic, then cursor; of those seen to come back twice or more
  Coverage coverage;
  std::map<std::string, Coverage> coverage_by_namespace;
  std::optional<UnattributedLedgers> unattributed_ledgers;  // empty: no list of ledgers was read
  std::map<std::string, HeldBytes> held_by_namespace;       // where a finding would be too much, too
  std::vector<DiskOutlook> disks;                           // by bookie, then directory
  std::vector<DiskGrowth> growths;                          // those that grow: of all bookies first, then by bookie
  std::vector<Garbage> garbage;                             // by bookie
  std::vector<CacheThrash> thrashing;                       // by bookie
  std::vector<SlowCalls> slow_calls;                        // by broker
  std::vector<CountGrowth> counts;                          // those watched long enough
};

}  // namespace tidemark::model
