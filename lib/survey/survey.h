#pragma once
// Exchange -> Snapshot, and what to ask next. Pure: no socket, no clock; the same for a live cluster, a recording and
// the simulator. One poll is begin_poll, answers in any order, end_poll. Not thread safe; it lives on the io thread.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/exchange.h"
#include "model/snapshot.h"
#include "survey/ask.h"
#include "survey/assemble.h"
#include "survey/bookies.h"
#include "survey/call_times.h"
#include "survey/clock_offset.h"
#include "survey/ledger_census.h"
#include "survey/ledger_owners.h"
#include "survey/list_check.h"
#include "survey/options.h"
#include "survey/schedule.h"
#include "survey/topic_facts.h"
#include "survey/topology.h"

namespace tidemark::survey {

class Survey {
 public:
  explicit Survey(Options options);

  // Before the first poll. The topic counts as there until a list or the sweeps say otherwise, and so do its cursors
  // until a document that could show them lacks them.
  void remember(FormerTopic topic);
  // Likewise a bookie, by the name that its views have; with its last status, and since when.
  void remember_bookie(const std::string& name, int status, TimeMs since_ms);

  void begin_poll(TimeMs now);

  // Topology questions that follow from what is known; repeat until empty, then sweeps, then suspects.
  std::vector<Ask> topology() { return topology_.due(); }
  std::vector<Ask> sweeps() const;
  // Repeat until empty: what a bookie says may bring up a question.
  std::vector<Ask> bookies() { return bookies_.due(topology_.bookies()); }

  // The next page of the list of all ledgers, one at a time; before the suspects, whom it may add to. Empty when none
  // is due.
  std::optional<Ask> next_ledger_page();

  // The next questions for one topic that `broker` has loaded: internalStats and stats, in this order. Empty when none
  // is due or the broker is to be left alone.
  std::vector<Ask> next_suspect(const std::string& broker);
  // The next question about metadata that any broker answers: internal-info, a schema's, or how many partitions a topic
  // has. Empty when none is due.
  std::optional<Ask> next_info();
  std::size_t suspects_waiting() const;
  std::size_t infos_waiting() const { return infos_.size() + schemas_.size() + partitions_.size(); }

  // A whole answer. Failures (status 0 or not 200) are taken too. An Error means the document was no good; it has been
  // noted where it matters and is returned for the log and a counter.
  Result<void> take(const model::Exchange& exchange);

  // A question about a topic is sent now, by our clock: only a load after that can be of our making.
  void asks(const Ask& ask, TimeMs sent);

  // The Date of an answer, between the times of ours when it was asked for and had.
  void saw_clock(const std::string& broker, TimeMs date, TimeMs sent, TimeMs received) {
    clocks_.saw(broker, date, sent, received);
  }

  // A streamed document got no answer in time. take() notes what the others took.
  void saw_timeout(const std::string& broker);

  // How a question of topology ended: `usable` = with a document that could be read. take() does it by itself.
  void topology_answered(const std::string& path, int status, bool usable);

  // A sweep as it is decoded; `end_sweep` without an error makes it whole; `left_out`: topics that
  // could not be used, of a document that came to its end.
  void begin_sweep(const std::string& broker);
  void sweep_topic(const std::string& broker, pulsar::SweepTopic topic);
  void end_sweep(const std::string& broker, std::optional<Error> problem, std::int64_t left_out = 0);

  // A topic list as it arrives, name by name; `whole` = it came to its end.
  void list_topic(const std::string& topic);
  void end_list(const std::string& ns, bool whole);

  // After all sweeps of this poll: decides what is due. Called by end_poll too if it was not.
  void end_sweeps();

  std::shared_ptr<const model::Snapshot> end_poll();

  // Topics with subscriptions that nobody is connected to, which came to us since the last call: somebody else may know
  // their past.
  std::size_t take_newcomers() { return std::exchange(newcomers_, 0); }

  const Topology& known() const { return topology_; }
  const Options& options() const { return options_; }

 private:
  static constexpr int kQuietPolls = 2;
  static constexpr int kMostFailures = 2;

  struct Broker {
    bool swept = false;  // whole in this poll
    bool reachable = false;
    std::string problem;
    std::int64_t topics = 0;  // in the sweep of this poll so far
    std::int64_t topics_before = 0;
    std::int64_t reloaded = 0;             // topics of this sweep that were loaded anew
    int failed = 0;                        // topics that answered 5xx in this poll and not when asked before, ...
    int answered = 0;                      // ... and those that answered
    bool shrunk = false;                   // it lost many since the sweep before
    std::optional<TimeMs> blank_since_ms;  // lost most of its topics at once
    bool conclusive = false;               // whole and plausible: absence from it means something
    int quiet_polls = 0;                   // no suspect calls in so many polls, this one included
    std::deque<std::string> suspects;
    CallTimes calls;
  };

  // A listing by a broker that lost the topic, as far as was known: of this poll, until all its sweeps came.
  struct Held {
    TopicFacts* facts;
    std::string broker;
    pulsar::SweepTopic topic;
  };

  void take_held();
  void believe(TopicFacts& facts, const std::string& broker, pulsar::SweepTopic topic);
  void note_call(const model::Exchange& exchange, pulsar::Endpoint endpoint);
  TopicFacts* facts_for(const std::string& topic);
  Result<void> take_sweep_body(const model::Exchange& exchange);
  Result<void> take_list_body(const model::Exchange& exchange, const pulsar::Route& route);
  Result<void> take_cluster_document(const model::Exchange& exchange, const pulsar::Route& route);
  Result<void> take_topic_policy(const model::Exchange& exchange, const pulsar::Route& route);
  bool note_for_census(const model::Exchange& exchange, const pulsar::Route& route);
  Result<void> take_topic_document(const model::Exchange& exchange, const pulsar::Route& route);
  Result<void> take_stats(TopicFacts& facts, const model::Exchange& exchange);
  Result<void> take_internal(TopicFacts& facts, const model::Exchange& exchange);
  Result<void> take_info(TopicFacts& facts, const model::Exchange& exchange);
  Result<void> take_ledger_page(const model::Exchange& exchange);
  void refused(TopicFacts& facts, const model::Exchange& exchange, pulsar::Endpoint endpoint);
  static void failed(TopicFacts& facts, Broker& broker);
  void judge_sweep(Broker& broker);
  void mark_missing();
  bool has_list(const TopicFacts& facts) const;
  bool left_for_good(const TopicFacts& facts) const;
  void drop_gone();
  Duration hand_over_time() const;
  void hand_over();
  void queue_suspects();
  void queue_audits();
  void queue_infos();
  std::vector<const TopicFacts*> facts_of(const std::string& topic) const;
  bool is_gone(const std::string& topic, const std::vector<const TopicFacts*>& facts) const;
  TopicPapers papers_of(const std::string& topic) const;
  bool asks_about(const std::string& topic) const;
  void want_references();
  void queue_references();
  void queue_partitions();
  bool is_unknown(const TopicFacts& facts) const;
  void compare_lists();
  Result<void> take_partitions(const model::Exchange& exchange, const pulsar::Route& route);
  void conclude_ledgers();
  bool wants_earliest(const TopicFacts& facts) const;
  void take_clock_offset();
  AssembleContext context() const;
  Duration stats_period() const;

  Options options_;
  ReaskTimes times_;
  Topology topology_;
  TimeMs now_ = 0;
  TimeMs reached_ms_ = 0;        // newest poll with an answer
  TimeMs metadata_read_ms_ = 0;  // newest poll in which the metadata store could be read
  TimeMs before_ = 0;            // start of the previous poll
  bool sweeps_exist_ = false;    // a sweep was ever seen
  bool sweeps_ended_ = false;
  std::map<std::string, Broker> brokers_;
  std::map<std::string, TopicFacts> topics_;
  std::vector<Held> held_;
  std::map<std::string, TimeMs> listed_ms_;  // newest whole topic list of each namespace
  std::map<std::string, model::TopicPolicies, std::less<>> topic_policies_;
  Bookies bookies_;
  std::deque<std::string> infos_;
  std::deque<std::string> schemas_;
  std::deque<std::string> partitions_;
  ListCheck lists_;
  LedgerCensus census_;
  std::shared_ptr<const model::LedgerPass> ledgers_;
  std::shared_ptr<const model::LedgerPass> ledgers_before_;
  std::string audit_after_;  // the rotating audit goes on behind this topic
  std::int64_t loaded_by_us_ = 0;
  std::size_t newcomers_ = 0;
  ClockOffset clocks_;
  Duration clock_offset_{0};  // that the topics' views were made with
};

}  // namespace tidemark::survey
