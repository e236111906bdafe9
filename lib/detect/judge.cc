#include "detect/judge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "detect/case.h"
#include "detect/rules/rules.h"
#include "detect/states/states.h"
#include "detect/verdict.h"
#include "model/policies.h"
#include "trim/reclaim.h"

namespace tidemark::detect {
namespace {

using model::State;

constexpr Duration kShowRemoved{24LL * 3600000};
const history::CursorHistory kNoHistory;  // readers have none

constexpr std::array<std::pair<State, bool (*)(const CursorCase&)>, 10> kQuestions{{
    {State::kUnknown, states::is_unknown},
    {State::kRewound, states::is_rewound},
    {State::kDelayed, states::is_delayed},
    {State::kAbandoned, states::is_abandoned},
    {State::kIdle, states::is_idle},
    {State::kUnused, states::is_unused},
    {State::kUnackedBlocked, states::is_unacked_blocked},
    {State::kAckHole, states::is_ack_hole},
    {State::kStalled, states::is_stalled},
    {State::kLagging, states::is_lagging},
}};

State state_of(const CursorCase& c) {
  for (const auto& [state, holds] : kQuestions) {
    if (holds(c)) return state;
  }
  return State::kOk;
}

// An `unknown` cursor keeps its last verdict.
State counted_state(const model::CursorVerdict& verdict) {
  return verdict.state == State::kUnknown ? verdict.last_state.value_or(State::kUnknown) : verdict.state;
}

bool pins_ledgers(const model::CursorView& cursor) { return cursor.kind != model::CursorKind::kReader; }

// The topic's ledgers with the close times that only we know; empty when there are none such.
std::unique_ptr<model::Ledgers> dated_ledgers(const model::TopicView& topic, const history::TopicHistory* past) {
  if (past == nullptr || !past->saw_closings()) return nullptr;
  auto list = topic.ledgers.list();
  bool dated = false;
  for (auto& ledger : list) {
    if (ledger.closed_ms) continue;
    ledger.closed_ms = past->closed_ms(ledger.id);
    dated = dated || ledger.closed_ms;
  }
  return dated ? std::make_unique<model::Ledgers>(std::move(list)) : nullptr;
}

// Empty unless the position of every durable cursor is known.
std::optional<rules::TrimView> trim_view(const model::Snapshot& snapshot, const model::TopicView& topic,
                                         const history::TopicHistory* past) {
  rules::TrimView view;
  view.dated = dated_ledgers(topic, past);
  view.topic.ledgers = view.dated ? view.dated.get() : &topic.ledgers;
  view.topic.retention = model::retention_of(snapshot, topic).value;
  view.topic.now = snapshot.at_ms;
  view.topic.habits = trim::habits_of(snapshot.version);
  for (std::size_t i = 0; i < topic.cursors.size(); ++i) {
    const auto& cursor = topic.cursors[i];
    if (!pins_ledgers(cursor)) continue;
    if (!cursor.mark_delete || cursor.position_stale_by_rule) return std::nullopt;
    view.topic.durable.push_back(*cursor.mark_delete);
    view.cursor_of.push_back(i);
  }
  if (topic.ledgers.empty()) return std::nullopt;
  return view;
}

// The broker's count of what waits beside the one by positions.
void remember_counter(const CursorCase& c, history::CursorHistory& history) {
  const auto& cursor = c.cursor;
  const auto at = cursor.position_at_ms;
  const bool one_poll = at != 0 && cursor.stats_at_ms == at && cursor.backlog_at_ms == at;
  const bool all_ranges = cursor.acked_ranges <= static_cast<std::int64_t>(cursor.acked.size());
  if (!one_poll || !all_ranges || !c.position_fresh) return;
  if (!c.pin.entries || !cursor.backlog_entries) return;
  const auto acked = c.hole ? c.hole->acked_entries_behind : 0;
  history.compare_counter({at, *cursor.backlog_entries - (*c.pin.entries - acked), *c.pin.entries, acked});
}

// How far trimming may go, for those who ask what went free lately.
void remember_bound(const model::Snapshot& snapshot, const rules::TrimView& trim, history::TopicHistory& past) {
  const Duration window{2000 * rules::retention_check_seconds(snapshot)};
  past.bound.add({snapshot.at_ms, trim::slowest_bound(trim.topic)}, window);
}

// The cursors of one topic, judged together because what one frees depends on the others.
class TopicJudge {
 public:
  TopicJudge(const model::Snapshot& snapshot, const model::TopicView& topic, history::History::Topic& past,
             const Patterns& patterns, const Limits& limits)
      : snapshot_(snapshot), topic_(topic), past_(past), patterns_(patterns), limits_(limits) {
    const auto ns = snapshot.namespaces.find(topic.ns);
    if (ns != snapshot.namespaces.end()) ns_properties_ = &ns->second.properties;
  }

  void run(model::Verdicts& out) {
    std::vector<CursorCase> cases;
    std::vector<model::CursorVerdict> verdicts;
    cases.reserve(topic_.cursors.size());
    verdicts.reserve(topic_.cursors.size());
    for (const auto& cursor : topic_.cursors) {
      auto* history = history_of(cursor);
      cases.push_back(make_case(snapshot_, topic_, cursor, history != nullptr ? *history : kNoHistory, limits_));
      verdicts.push_back(judge_cursor(cases.back(), history));
    }
    const auto trim = trim_view(snapshot_, topic_, &past_.whole);
    if (trim) {
      fill_reclaimable(*trim, verdicts);
      remember_bound(snapshot_, *trim, past_.whole);
    }
    rules::Findings found;
    const rules::TopicCase whole{snapshot_, topic_, limits_, cases, verdicts, trim, past_};
    for (const auto rule : rules::kTopicRules) rule(whole, found);
    bool all_known =
        topic_.sweep_at_ms != 0 || topic_.stats_at_ms != 0 || topic_.internal_at_ms != 0 || topic_.info_at_ms != 0;
    for (auto& verdict : verdicts) {
      if (verdict.state == State::kUnknown) all_known = false;
      add_finding(verdict, out);
      out.cursors.push_back(std::move(verdict));
    }
    for (auto& finding : found) {
      apply_contract(finding);
      out.findings.push_back(std::move(finding));
    }
    add_removed(out);
    auto& coverage = out.coverage_by_namespace[topic_.ns];
    ++(all_known ? coverage.evaluated : coverage.unknown);
    ++(all_known ? out.coverage.evaluated : out.coverage.unknown);
  }

 private:
  history::CursorHistory* history_of(const model::CursorView& cursor) const {
    if (cursor.kind == model::CursorKind::kReader) return nullptr;
    const auto at = past_.cursors.find(cursor.name);
    return at == past_.cursors.end() ? nullptr : &at->second;
  }

  model::CursorVerdict judge_cursor(const CursorCase& c, history::CursorHistory* history) {
    const auto& cursor = c.cursor;
    const auto state = cursor.kind == model::CursorKind::kReader ? State::kOk : state_of(c);
    auto verdict = verdict_of(c, state);
    if (history != nullptr && c.position_fresh && c.pin.bytes) {
      history->pin_bytes = c.pin.bytes;
      history->pinned_bytes.add({snapshot_.at_ms, *c.pin.bytes}, limits_.abandoned_after);
    }
    if (history != nullptr) remember_counter(c, *history);
    if (history != nullptr) remember(*history, state, verdict);
    verdict.owner = Owners::by_property(&cursor.properties, ns_properties_);
    if (state != State::kOk) match_patterns(cursor, verdict);
    return verdict;
  }

  void match_patterns(const model::CursorView& cursor, model::CursorVerdict& verdict) const {
    auto origin = patterns_.origins.of(cursor.name);
    verdict.origin = origin.origin;
    verdict.group = std::move(origin.group);
    if (!model::word_of(counted_state(verdict)).is_finding) return;  // an operator's patterns are slow
    const Subject subject(topic_.name, cursor.name);
    if (!verdict.owner) verdict.owner = patterns_.owners.by_pattern(subject);
    verdict.exception = patterns_.exceptions.find(cursor.properties, subject, snapshot_.at_ms);
    if (verdict.exception) verdict.severity = model::Severity::kInfo;
  }

  // The same for a finding about the topic, or of a rule about one of its cursors.
  void apply_contract(model::Finding& finding) const {
    static const Properties kNone;
    const Subject subject(topic_.name, finding.cursor.value_or(""));
    const auto* properties = &kNone;
    for (const auto& cursor : topic_.cursors) {
      if (finding.cursor == cursor.name) properties = &cursor.properties;
    }
    auto owner = Owners::by_property(properties, ns_properties_);
    if (!owner) owner = patterns_.owners.by_pattern(subject);
    if (owner) finding.evidence.emplace_back("owner", std::move(*owner));
    if (const auto exception = patterns_.exceptions.find(*properties, subject, snapshot_.at_ms)) {
      silence(finding, *exception);
    }
  }

  void remember(history::CursorHistory& history, State state, model::CursorVerdict& verdict) const {
    if (state == State::kUnknown) {
      if (history.judged) {
        verdict.last_state = history.state;
        verdict.severity = history.severity;
        verdict.drain = history.drain;
        verdict.state_since_ms = history.state_since_ms;
      }
      return;
    }
    if (!history.judged || history.state != state) history.state_since_ms = snapshot_.at_ms;
    history.judged = true;
    history.state = state;
    history.severity = verdict.severity;
    history.drain = verdict.drain;
    verdict.state_since_ms = history.state_since_ms;
  }

  void fill_reclaimable(const rules::TrimView& trim, std::vector<model::CursorVerdict>& verdicts) const {
    std::vector<std::size_t> leftovers;
    for (std::size_t i = 0; i < trim.cursor_of.size(); ++i) {
      auto& verdict = verdicts[trim.cursor_of[i]];
      const auto share = trim::reclaimable(trim.topic, i);
      if (verdict.mark_delete) verdict.reclaimable_bytes = share.bytes;
      for (const auto other : share.shared_with)
        verdict.reclaimable_shared_with.push_back(verdicts[trim.cursor_of[other]].cursor);
      const auto counted = counted_state(verdict);
      const bool leftover = counted == State::kAbandoned || counted == State::kUnused;
      if (leftover && !verdict.exception) leftovers.push_back(i);
    }
    const auto together = trim::reclaimable_together(trim.topic, leftovers);
    for (auto& verdict : verdicts) verdict.topic_reclaimable_bytes = together;
    const auto copies = model::write_quorum_of(snapshot_, topic_).value;
    if (!copies || *copies < 1) return;
    const auto on_disks = trim::reclaimable_together(trim.topic, leftovers, *copies);
    if (!on_disks) return;
    for (const auto i : leftovers) {
      verdicts[trim.cursor_of[i]].evidence.emplace_back("topic_reclaimable_physical_bytes", *on_disks);
    }
  }

  // `unknown` itself is no finding, but what was found before it does not clear by silence.
  void add_finding(const model::CursorVerdict& verdict, model::Verdicts& out) const {
    const auto state = counted_state(verdict);
    if (!model::word_of(state).is_finding) return;
    auto finding = finding_of(verdict, topic_, state);
    if (verdict.owner) finding.evidence.emplace_back("owner", *verdict.owner);
    if (verdict.exception) silence(finding, *verdict.exception);
    out.findings.push_back(std::move(finding));
  }

  // A finding does not just fall silent when its cursor goes.
  void add_removed(model::Verdicts& out) const {
    for (const auto& [name, history] : past_.cursors) {
      const bool shown = history.removed_ms && snapshot_.at_ms - *history.removed_ms < kShowRemoved.count();
      if (!shown || !history.judged || !model::word_of(history.state).is_finding) continue;
      const auto since = history.activity ? std::optional(history.activity->latest) : history.no_activity_since_ms;
      out.removed.push_back({topic_.name, name, history.state, *history.removed_ms, since, history.pin_bytes});
    }
  }

  const model::Snapshot& snapshot_;
  const model::TopicView& topic_;
  history::History::Topic& past_;
  const Patterns& patterns_;
  const Limits& limits_;
  const Properties* ns_properties_ = nullptr;
};

void sort_worst_first(model::Verdicts& verdicts) {
  std::stable_sort(verdicts.findings.begin(), verdicts.findings.end(),
                   [](const model::Finding& a, const model::Finding& b) { return a.severity > b.severity; });
}

}  // namespace

model::Verdicts judge(const model::Snapshot& snapshot, history::History& history, const Patterns& patterns,
                      const Limits& limits) {
  history::History::Walk walk(history, snapshot);
  model::Verdicts verdicts;
  verdicts.at_ms = snapshot.at_ms;
  verdicts.coverage.listed = static_cast<std::int64_t>(snapshot.topics.size());
  std::size_t cursors = 0;
  for (const auto& topic : snapshot.topics) cursors += topic->cursors.size();
  verdicts.cursors.reserve(cursors);
  for (const auto& topic : snapshot.topics) {
    ++verdicts.coverage_by_namespace[topic->ns].listed;
    TopicJudge(snapshot, *topic, walk.observe(*topic), patterns, limits).run(verdicts);
  }
  rules::Findings found;
  for (const auto rule : rules::kClusterRules) rule({snapshot, verdicts, history, limits}, found);
  std::move(found.begin(), found.end(), std::back_inserter(verdicts.findings));
  sort_worst_first(verdicts);
  return verdicts;
}

}  // namespace tidemark::detect
