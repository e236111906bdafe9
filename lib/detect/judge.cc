#include "detect/judge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "detect/bookie_status.h"
#include "detect/calls.h"
#include "detect/case.h"
#include "detect/counts.h"
#include "detect/disk_growth.h"
#include "detect/disks.h"
#include "detect/garbage.h"
#include "detect/quotas.h"
#include "detect/read_caches.h"
#include "detect/removed.h"
#include "detect/rules/rules.h"
#include "detect/share.h"
#include "detect/states/states.h"
#include "detect/stored.h"
#include "detect/traffic.h"
#include "detect/verdict.h"
#include "model/lookup.h"
#include "model/policies.h"
#include "trim/reclaim.h"
#include "trim/view.h"

namespace tidemark::detect {
namespace {

using model::State;

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

// The topic's ledgers with the close times that only we know; empty when there are none such.
std::unique_ptr<model::Ledgers> dated_ledgers(const model::TopicView& topic, const history::TopicHistory& past) {
  if (!past.saw_closings()) return nullptr;
  auto list = topic.ledgers.list();
  bool dated = false;
  for (auto& ledger : list) {
    if (ledger.closed_ms) continue;
    ledger.closed_ms = past.closed_ms(ledger.id);
    dated = dated || ledger.closed_ms;
  }
  return dated ? std::make_unique<model::Ledgers>(std::move(list)) : nullptr;
}

bool see_trim(const model::Snapshot& snapshot, const model::TopicView& topic, const history::TopicHistory& past,
              rules::TrimView& view) {
  if (!trim::see_topic(snapshot, topic, view.topic, view.cursor_of)) return false;
  view.dated = dated_ledgers(topic, past);
  if (view.dated) view.topic.ledgers = view.dated.get();
  return true;
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
void remember_bound(const model::Snapshot& snapshot, std::int64_t bound, history::TopicHistory& past) {
  const Duration window{2000 * rules::retention_check_seconds(snapshot)};
  past.bound.add({snapshot.at_ms, bound}, window);
}

std::shared_ptr<const model::Tie> tie_of(const rules::TrimView& trim, const std::vector<std::size_t>& tied,
                                         std::span<const model::CursorVerdict> verdicts) {
  constexpr std::size_t kMostNames = 100;
  if (tied.size() < 2) return nullptr;
  auto tie = std::make_shared<model::Tie>();
  tie->count = tied.size();
  for (const auto i : tied) {
    if (tie->cursors.size() < kMostNames) tie->cursors.push_back(verdicts[trim.cursor_of[i]].cursor);
  }
  return tie;
}

// What one topic's judgement needs and the next one's can use again.
struct Scratch {
  std::vector<CursorCase> cases;
  rules::TrimView trim;
  std::vector<std::size_t> leftovers;  // but the silenced ones
  std::vector<std::size_t> followed;   // those too
  rules::Findings found;
  std::optional<TimeMs> disk_full_ms;  // of all topics
};

// The cursors of one topic, judged together because what one frees depends on the others.
class TopicJudge {
 public:
  TopicJudge(const model::Snapshot& snapshot, const std::shared_ptr<const model::TopicView>& topic,
             const history::History::Seen& seen, const history::Figures& figures, const Patterns& patterns,
             const Limits& limits, Scratch& scratch)
      : snapshot_(snapshot),
        owner_(topic),
        topic_(*topic),
        past_(seen.topic),
        histories_(seen.cursors),
        figures_(figures),
        patterns_(patterns),
        limits_(limits),
        scratch_(scratch) {
    const auto ns = snapshot.namespaces.find(topic->ns);
    if (ns != snapshot.namespaces.end()) ns_properties_ = &ns->second.properties;
  }

  // Whether all of it is known. `out.cursors` has room for every cursor.
  bool run(model::Verdicts& out) {
    const auto first = out.cursors.size();
    scratch_.cases.clear();
    scratch_.cases.reserve(topic_.cursors.size());
    for (std::size_t i = 0; i < topic_.cursors.size(); ++i) {
      auto* history = histories_[i];
      scratch_.cases.push_back(
          make_case(snapshot_, topic_, topic_.cursors[i], history != nullptr ? *history : kNoHistory, limits_));
      judge_cursor(scratch_.cases.back(), history, out.cursors.emplace_back());
      const auto pause = history != nullptr ? history->rhythm.longest_gap() : std::nullopt;
      if (pause) out.pauses.push_back({out.cursors.back().topic, out.cursors.back().cursor, *pause});
    }
    const auto verdicts = std::span(out.cursors).subspan(first);
    scratch_.leftovers.clear();
    scratch_.followed.clear();
    settle(past_, snapshot_.at_ms);
    const bool trims = see_trim(snapshot_, topic_, past_.whole, scratch_.trim);
    if (trims) {
      const auto slowest = trim::slowest(scratch_.trim.topic);
      fill_reclaimable(scratch_.trim, slowest, verdicts);
      follow_leftovers({topic_, scratch_.trim, scratch_.followed, scratch_.cases, verdicts}, histories_, past_.whole);
      remember_bound(snapshot_, slowest.bound, past_.whole);
    }
    for (auto& verdict : verdicts) add_finding(verdict, out);
    scratch_.found.clear();
    const rules::TopicCase whole{snapshot_,      topic_,   limits_,
                                 scratch_.cases, verdicts, trims ? &scratch_.trim : nullptr,
                                 past_,          figures_, out.held_by_namespace[topic_.ns]};
    for (const auto rule : rules::kTopicRules) rule(whole, scratch_.found);
    for (auto& finding : scratch_.found) {
      apply_contract(finding);
      out.findings.push_back(std::move(finding));
    }
    const bool removed = add_removed(topic_.name, past_, snapshot_.at_ms, out);
    if (trims && !removed && scratch_.followed.empty()) end_receipt(past_);
    return is_known(verdicts);
  }

 private:
  bool is_known(std::span<const model::CursorVerdict> verdicts) const {
    const bool documents =
        topic_.sweep_at_ms != 0 || topic_.stats_at_ms != 0 || topic_.internal_at_ms != 0 || topic_.info_at_ms != 0;
    return documents && std::none_of(verdicts.begin(), verdicts.end(),
                                     [](const auto& verdict) { return verdict.state == State::kUnknown; });
  }

  void judge_cursor(const CursorCase& c, history::CursorHistory* history, model::CursorVerdict& verdict) {
    const auto& cursor = c.cursor;
    const auto state = cursor.kind == model::CursorKind::kReader ? State::kOk : state_of(c);
    verdict.topic = {owner_, topic_.name};
    verdict.cursor = {owner_, cursor.name};
    fill_verdict(c, state, verdict);
    weigh_stall(c, scratch_.disk_full_ms, verdict);
    if (history != nullptr && c.position_fresh && c.pin.bytes) {
      history->pin_bytes = c.pin.bytes;
      history->pinned_bytes.add({snapshot_.at_ms, *c.pin.bytes}, limits_.abandoned_after);
    }
    if (history != nullptr) remember_counter(c, *history);
    if (history != nullptr) remember(*history, cursor, state, verdict);
    const auto contract = contract_of(cursor, history);
    if (history != nullptr)
      history->contract = contract == history::Contract{} ? std::nullopt : std::optional(contract);
    if (!contract.owner.empty()) verdict.owner = contract.owner;
    if (state != State::kOk) match_patterns(cursor, contract, verdict);
  }

  // After a restart nobody has told the properties yet: then those of before stand.
  history::Contract contract_of(const model::CursorView& cursor, const history::CursorHistory* history) const {
    if (cursor.stats_at_ms == 0 && history != nullptr && history->contract) return *history->contract;
    return {Exceptions::kept_by(cursor.properties),
            Owners::by_property(&cursor.properties, ns_properties_).value_or("")};
  }

  void match_patterns(const model::CursorView& cursor, const history::Contract& contract,
                      model::CursorVerdict& verdict) const {
    auto origin = patterns_.origins.of(cursor.name);
    verdict.origin = origin.origin;
    verdict.group = std::move(origin.group);
    if (!model::word_of(counted_state(verdict)).is_finding) return;  // patterns are for findings only
    const Subject subject(topic_.name, cursor.name);
    if (!verdict.owner) verdict.owner = patterns_.owners.by_pattern(subject);
    verdict.exception = patterns_.exceptions.find(contract.kept_by, subject, snapshot_.at_ms);
    if (verdict.exception) verdict.severity = model::Severity::kInfo;
  }

  // The same for a finding about the topic, or of a rule about one of its cursors.
  void apply_contract(model::Finding& finding) const {
    const Subject subject(topic_.name, finding.cursor.value_or(""));
    static const model::CursorView kNobody;
    const auto* cursor = finding.cursor ? model::find_cursor(topic_, *finding.cursor) : nullptr;
    const auto contract =
        cursor != nullptr ? contract_of(*cursor, past_.find(cursor->name)) : contract_of(kNobody, nullptr);
    auto owner = contract.owner.empty() ? patterns_.owners.by_pattern(subject) : contract.owner;
    if (owner) finding.evidence.emplace_back("owner", std::move(*owner));
    if (const auto exception = patterns_.exceptions.find(contract.kept_by, subject, snapshot_.at_ms)) {
      silence(finding, *exception);
    }
  }

  void remember(history::CursorHistory& history, const model::CursorView& cursor, State state,
                model::CursorVerdict& verdict) const {
    if (state == State::kUnknown) {
      if (history.judged) keep_last(history, cursor, verdict);
      return;
    }
    if (!history.judged || history.state != state) history.state_since_ms = snapshot_.at_ms;
    history.judged = true;
    history.state = state;
    history.severity = verdict.severity;
    history.drain = verdict.drain;
    verdict.state_since_ms = history.state_since_ms;
  }

  void keep_last(const history::CursorHistory& history, const model::CursorView& cursor,
                 model::CursorVerdict& verdict) const {
    verdict.last_state = history.state;
    verdict.severity = history.severity;
    verdict.drain = history.drain;
    verdict.state_since_ms = history.state_since_ms;
    // After a restart no document may tell its place exactly yet: then the last one that did stands, old as it is.
    // Of an unloaded topic it may have moved since.
    const bool may_have_moved = topic_.loaded == model::Loaded::kNo && cursor.position_at_ms != 0;
    if (verdict.mark_delete || !history.mark_delete || may_have_moved) return;
    verdict.mark_delete = history.mark_delete;
    verdict.pinned_bytes = history.pin_bytes;
    verdict.stale = true;
    if (!history.leftover) return;
    verdict.reclaimable_bytes = history.leftover->reclaimable_bytes;
    verdict.topic_reclaimable_bytes = history.leftover->topic_reclaimable_bytes;
  }

  void fill_reclaimable(const rules::TrimView& trim, const trim::Slowest& slowest,
                        std::span<model::CursorVerdict> verdicts) const {
    auto& leftovers = scratch_.leftovers;
    for (std::size_t i = 0; i < trim.cursor_of.size(); ++i) {
      auto& verdict = verdicts[trim.cursor_of[i]];
      if (verdict.mark_delete) verdict.reclaimable_bytes = 0;
      if (!is_leftover(counted_state(verdict))) continue;
      scratch_.followed.push_back(i);
      if (!verdict.exception) leftovers.push_back(i);
    }
    const auto tie = tie_of(trim, slowest.cursors, verdicts);
    for (const auto i : slowest.cursors) {
      auto& verdict = verdicts[trim.cursor_of[i]];
      if (verdict.mark_delete) verdict.reclaimable_bytes = slowest.bytes;
      verdict.tie = tie;
    }
    const auto together = trim::reclaimable_together(trim.topic, leftovers);
    for (auto& verdict : verdicts) verdict.topic_reclaimable_bytes = together;
    if (leftovers.empty()) return;
    const auto copies = model::write_quorum_of(snapshot_, topic_).value;
    if (!copies || *copies < 1) return;
    const auto on_disks = trim::reclaimable_together(trim.topic, leftovers, *copies);
    if (!on_disks) return;
    for (const auto i : leftovers) {
      verdicts[trim.cursor_of[i]].evidence.emplace_back("topic_reclaimable_physical_bytes", *on_disks);
    }
  }

  // `unknown` itself is no finding, but what was found before it does not clear by silence.
  void add_finding(model::CursorVerdict& verdict, model::Verdicts& out) const {
    const auto state = counted_state(verdict);
    if (!model::word_of(state).is_finding) return;
    add_figures(verdict);
    auto finding = finding_of(verdict, topic_, state);
    if (verdict.exception) silence(finding, *verdict.exception);
    out.findings.push_back(std::move(finding));
  }

  const model::Snapshot& snapshot_;
  const std::shared_ptr<const model::TopicView>& owner_;  // of the names
  const model::TopicView& topic_;
  history::Topic& past_;
  std::span<history::CursorHistory* const> histories_;
  const history::Figures& figures_;
  const Patterns& patterns_;
  const Limits& limits_;
  Scratch& scratch_;
  const Properties* ns_properties_ = nullptr;
};

std::size_t cursors_in(const model::Snapshot& snapshot) {
  std::size_t count = 0;
  for (const auto& topic : snapshot.topics) count += topic->cursors.size();
  return count;
}

void count(bool known, model::Coverage& coverage) { ++(known ? coverage.evaluated : coverage.unknown); }

void judge_topics(const model::Snapshot& snapshot, history::History& history, const Patterns& patterns,
                  const Limits& limits, model::Verdicts& verdicts) {
  history::History::Walk walk(history, snapshot);
  Scratch scratch;
  scratch.trim.topic.habits = trim::habits_of(snapshot.version);
  scratch.disk_full_ms = first_full_ms(verdicts.disks);
  for (const auto& topic : snapshot.topics) {
    const auto seen = walk.observe(*topic);
    const bool known = TopicJudge(snapshot, topic, seen, history.figures(), patterns, limits, scratch).run(verdicts);
    count(known, verdicts.coverage);
    auto& of_namespace = verdicts.coverage_by_namespace[topic->ns];
    ++of_namespace.listed;
    count(known, of_namespace);
  }
}

void judge_cluster(const rules::ClusterCase& c, model::Verdicts& verdicts) {
  rules::Findings found;
  for (const auto rule : rules::kClusterRules) rule(c, found);
  keep_ours(c.snapshot.share, found);
  std::move(found.begin(), found.end(), std::back_inserter(verdicts.findings));
}

// Within a severity they stay in the order of topics.
void sort_worst_first(std::vector<model::Finding>& findings) {
  std::vector<model::Finding> sorted;
  sorted.reserve(findings.size());
  for (const auto severity : {model::Severity::kCritical, model::Severity::kWarning, model::Severity::kInfo}) {
    for (auto& finding : findings) {
      if (finding.severity == severity) sorted.push_back(std::move(finding));
    }
  }
  findings = std::move(sorted);
}

}  // namespace

model::Verdicts judge(const model::Snapshot& snapshot, history::History& history, const Patterns& patterns,
                      const Limits& limits) {
  model::Verdicts verdicts;
  verdicts.at_ms = snapshot.at_ms;
  verdicts.coverage.listed = static_cast<std::int64_t>(snapshot.topics.size());
  verdicts.cursors.reserve(cursors_in(snapshot));
  observe_quotas(snapshot, limits, history.figures());
  // Before the topics, whose weight depends on it; what they store is then that of the poll before.
  observe_disks(snapshot, limits, history.figures());
  observe_bookie_status(snapshot, history.figures());
  verdicts.disks = disk_outlooks(snapshot, history.figures(), limits);
  judge_topics(snapshot, history, patterns, limits, verdicts);
  history.each_missing(snapshot.at_ms, [&](std::string_view topic, history::Topic& past) {
    if (snapshot.share.knows_gone(topic)) {
      take_leave(topic, past, snapshot.at_ms, verdicts);
    } else {
      add_removed(topic, past, snapshot.at_ms, verdicts);
    }
  });
  observe_counts(snapshot, limits, history.figures());
  observe_bookies(snapshot, limits, history.figures());
  observe_stored(snapshot, verdicts.cursors, limits, history.figures());
  observe_traffic(snapshot, limits, history.figures());
  verdicts.growths = disk_growths(snapshot, verdicts.disks, history.figures(), limits);
  verdicts.counts = count_growths(snapshot, history.figures(), limits);
  verdicts.thrashing = observe_read_caches(snapshot, limits, history.figures());
  verdicts.slow_calls = observe_calls(snapshot, history.figures());
  verdicts.garbage = observe_garbage(snapshot, limits, history.figures());
  verdicts.unattributed_ledgers = rules::unattributed_ledgers(snapshot);
  judge_cluster({snapshot, verdicts, history, limits}, verdicts);
  sort_worst_first(verdicts.findings);
  return verdicts;
}

}  // namespace tidemark::detect
