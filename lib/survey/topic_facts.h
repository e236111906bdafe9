#pragma once
// The newest documents of one topic and what they reveal about its loads. Documents of one kind are compared with the
// last one of the same kind only: a sweep is up to one statistics period older than it looks, so across kinds a counter
// may seem to fall.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/snapshot.h"
#include "pulsar/internal_info.h"
#include "pulsar/internal_stats.h"
#include "pulsar/topic_stats.h"
#include "pulsar/topic_sweep.h"

namespace tidemark::survey {

// A document and the poll it came in; at_ms 0 = none yet.
template <class T>
struct Dated {
  std::shared_ptr<const T> document;
  TimeMs at_ms = 0;
};

// Whether the newest sweep gives a reason to look closer; the worse, the larger.
enum class Suspicion {
  kNone,      // healthy
  kOnce,      // consumerless without backlog: look once, then daily
  kFrozen,    // consumerless with backlog: look ever more rarely
  kDeviating  // holes, negative or unexplained backlog, replication behind, storage nobody explains
};

// When to ask for a topic's own documents.
struct Schedule {
  TimeMs due_ms = 0;  // 0 = never
  TimeMs waiting_since_ms = 0;
  TimeMs asked_ms = 0;
  Duration reask{0};  // current interval, doubling while nothing changes
  Suspicion suspicion = Suspicion::kNone;
  int failures = 0;   // answers in a row that were no good
  bool owed = false;  // something happened that is worth a question, and it was not put yet
};

struct Standing {
  TimeMs since_ms = 0;
  std::int64_t backlog = 0;
};

// What an earlier run of this daemon knew of a topic when it was seen last; then the loads are counted on.
struct FormerTopic {
  std::string name;
  TimeMs seen_ms = 0;  // 0 = it did not know it
  std::uint64_t epoch = 0;
  std::int64_t messages_in = 0;                   // of that load
  std::vector<std::string> cursors = {};          // those that were there
  std::optional<model::Ledger> last_ledger = {};  // with the size that its last load told
  bool delays = false;                            // some messages waited for their time
};

struct TopicFacts {
  std::string name;
  std::string ns;
  std::string tenant;
  bool system = false;

  TimeMs listed_ms = 0;  // newest topic list that has it
  std::string owner;     // broker whose sweep listed it last
  std::string former;    // the one before it
  Dated<pulsar::SweepTopic> sweep;
  Dated<pulsar::TopicStats> stats;
  Dated<pulsar::InternalStats> internal;
  Dated<pulsar::InternalInfo> info;
  std::vector<model::Ledger> gone;         // listed before the newest internalStats and not by them
  TimeMs lost_ms = 0;                      // a subscription without consumer went: newest sweep without it
  TimeMs missing_ms = 0;                   // the newest such poll
  std::optional<TimeMs> missing_since_ms;  // first conclusive poll in which no sweep had it
  TimeMs unknown_since_ms = 0;             // no metadata has it, by internal-info asked since then and ...
  TimeMs unknown_ms = 0;                   // ... by the newest one; 0 = some has it, or a sweep
  bool ours = true;                        // to judge. Beside sidecars only what no broker has loaded is, at two polls
  TimeMs elsewhere_ms = 0;                 // newest poll in which a broker had it loaded that a sidecar watches
  TimeMs elsewhere_since_ms = 0;           // and since when all of them; 0 = since before we looked
  std::set<std::string> doubted;           // cursors whose backlog fell since the positions were read
  bool rewound = false;  // a mark-delete stepped back when they were read last: how it goes on is worth a question

  std::uint64_t epoch = 0;
  TimeMs former_ms = 0;  // FormerTopic
  bool former_delays = false;
  std::int64_t former_messages_in = 0;
  std::optional<model::Ledger> former_ledger;
  std::vector<std::string> former_cursors;  // until documents came that show all there are
  TimeMs asked_ms = 0;                      // when the first question of the poll that loads was sent
  std::optional<TimeMs> loaded_by_us_ms;    // the newest load within a call of ours, by the broker's clock
  // Of those with consumers: since when the backlog has not been below what it was then.
  std::map<std::string, Standing> standing;
  Schedule schedule;
  Schedule info_schedule;
  TimeMs earliest_ms = 0;  // newest statistics that were asked for the oldest message that waits

  std::shared_ptr<const model::TopicView> view;  // last assembled; empty when something changed since

  // A broker that lost the topic, or slept through that, lists it for up to one statistics period more: whoever began
  // later is right, as long as it lists the topic (it did in the poll that began at `before`, and may do so in this
  // one).
  bool is_leftover_listing(const std::string& broker, TimeMs before) const {
    return !former.empty() && broker == former && sweep.at_ms >= before;
  }

  // Some of what waits is not due yet, by the newest statistics.
  bool delays() const;
  // What changed between two sweeps that makes the positions worth asking for at once.
  // `age`: how old a sweep may be.
  bool take_sweep(pulsar::SweepTopic document, const std::string& broker, TimeMs at, Duration age = Duration{60000});
  // A broker has it loaded, and that is all we ask there.
  void take_name(const std::string& broker, TimeMs at);
  void take_stats(pulsar::TopicStats document, TimeMs at);
  void take_internal(pulsar::InternalStats document, TimeMs at);
  void take_info(pulsar::InternalInfo document, TimeMs at);

 private:
  // A load was seen between this kind's last document and the one of `at`. One that was counted in that time is it.
  void count_load(TimeMs before, TimeMs at);

  TimeMs load_counted_ms_ = 0;
};

}  // namespace tidemark::survey
