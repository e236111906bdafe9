#pragma once
// Holds verdicts against what the clients will do. What is true is decided by the simulator and by design section 4
// alone:
//   - who is connected, will come back within its plan, or is no subscription at all, must not be `abandoned`. A job
//   that
//     comes less often than detect.abandoned_after may be, until its rhythm is known, which takes two gaps, thus three
//     visits;
//   - who will never come back must be, one poll after all of this holds: no act for abandoned_after (or 1.5 times its
//     longest pause, where it had a rhythm), counted from when documents could first tell of its last act; something is
//     pinned; a good sweep and good documents of the topic are there. Without good documents it must be after a day;
//   - what warns must not come and go from poll to poll, whoever is right: no alert would ever fire.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "sim/clients/client.h"
#include "sim/world.h"

namespace tidemark::weeks {

struct Wrong {
  std::uint64_t seed = 0;
  TimeMs at = 0;
  std::string reason;
  sim::GroundTruth truth;
  std::string verdict;  // state and evidence
};

// State, kind of evidence, place and every fact, in one line.
std::string text_of(const model::CursorVerdict& verdict);

class Referee {
 public:
  Referee(const sim::World& world, Duration interval, Duration abandoned_after);

  void look(const model::Snapshot& snapshot, const model::Verdicts& verdicts);

  struct Archetype {
    std::int64_t cursors = 0;
    std::int64_t accused = 0;   // of them, ever
    std::int64_t returned = 0;  // of those, by a client that comes back: reported before its rhythm was known
  };
  const std::map<std::string, Archetype>& archetypes() const { return archetypes_; }
  const std::array<std::int64_t, model::kStates.size()>& states() const { return states_; }  // cursors times polls
  const std::vector<Wrong>& wrong() const { return wrong_; }
  std::int64_t cursors_judged() const { return cursors_judged_; }
  std::size_t cursors_at_most() const { return cursors_at_most_; }
  std::size_t topics_at_most() const { return topics_at_most_; }
  Duration slowest_detection() const { return slowest_; }
  // Durable cursors that existed within `keep`.
  std::size_t durable_within(Duration keep) const;

 private:
  struct Memo {
    std::string story;              // a pod's changes when it is replaced
    TimeMs first_documents_ms = 0;  // good ones after its last act
    TimeMs last_documents_ms = 0;
    TimeMs last_act_ms = 0;
    TimeMs seen_ms = 0;
    int polls_attended = 0;  // good sweeps since its client is connected
    int polls_due = 0;       // good polls since `abandoned` is due
    TimeMs unconfirmed_since_ms = 0;
    bool accused = false;
    bool returned = false;
    bool reported = false;  // as wrong
  };
  struct Case {
    const sim::GroundTruth& truth;
    const model::TopicView& view;
    const model::CursorVerdict* verdict;
    Memo& memo;
    bool swept = false;  // its topic's place is known as of this poll
  };

  // Of a finding that warns.
  struct Comings {
    TimeMs seen_ms = 0;  // the newest poll that has it
    std::deque<TimeMs> at = {};
  };

  void watch_comings(const model::Finding& finding);
  void look_at(Case& c);
  void accused(Case& c);
  void expected(Case& c);
  bool pins(const sim::GroundTruth& truth) const;
  void note(Case& c, const std::string& reason);

  const sim::World& world_;
  Duration interval_;
  Duration abandoned_after_;
  TimeMs now_ = 0;  // the cluster's
  TimeMs poll_ms_ = 0;
  TimeMs poll_before_ms_ = 0;
  std::map<std::string, std::map<std::string, Memo>> memos_;
  std::map<std::pair<std::string, std::string>, Comings> comings_;  // by rule and subject
  std::map<std::string, Archetype> archetypes_;
  std::array<std::int64_t, model::kStates.size()> states_{};
  std::vector<Wrong> wrong_;
  std::int64_t cursors_judged_ = 0;
  std::size_t cursors_at_most_ = 0;
  std::size_t topics_at_most_ = 0;
  Duration slowest_{0};
};

}  // namespace tidemark::weeks
