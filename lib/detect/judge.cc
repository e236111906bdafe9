#include "detect/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/units.h"
#include "detect/case.h"
#include "detect/rules/held_without_cursor.h"
#include "detect/states/states.h"
#include "trim/reclaim.h"

namespace tidemark::detect {
namespace {

using model::State;

constexpr std::array<std::pair<State, bool (*)(const CursorCase&)>, 6> kQuestions{{
    {State::kUnknown, states::is_unknown},
    {State::kRewound, states::is_rewound},
    {State::kDelayed, states::is_delayed},
    {State::kAbandoned, states::is_abandoned},
    {State::kIdle, states::is_idle},
    {State::kUnused, states::is_unused},
}};

State state_of(const CursorCase& c) {
  for (const auto& [state, holds] : kQuestions) {
    if (holds(c)) return state;
  }
  return State::kOk;
}

bool pins_ledgers(const model::CursorView& cursor) { return cursor.kind != model::CursorKind::kReader; }

std::optional<model::Retention> effective_retention(const model::Snapshot& snapshot, const model::TopicView& topic) {
  const auto at = snapshot.namespaces.find(topic.ns);
  if (at != snapshot.namespaces.end() && at->second.policies_known) {
    if (at->second.retention) return at->second.retention;
    return snapshot.defaults.retention;
  }
  return std::nullopt;
}

// The topic as the trim sees it; empty unless the position of every durable cursor is known.
struct TrimView {
  trim::Topic topic;
  std::vector<std::size_t> cursor_of;  // index into TopicView::cursors of each durable position
};

std::optional<TrimView> trim_view(const model::Snapshot& snapshot, const model::TopicView& topic) {
  TrimView view;
  view.topic.ledgers = &topic.ledgers;
  view.topic.retention = effective_retention(snapshot, topic);
  view.topic.now = snapshot.at_ms;
  view.topic.boundary_pins = snapshot.version.starts_with("2.");
  for (std::size_t i = 0; i < topic.cursors.size(); ++i) {
    const auto& cursor = topic.cursors[i];
    if (!pins_ledgers(cursor)) continue;
    if (!cursor.mark_delete || cursor.position_stale_by_rule) return std::nullopt;
    view.topic.durable.push_back(*cursor.mark_delete);
    view.cursor_of.push_back(i);
  }
  if (topic.ledgers.empty() || view.topic.durable.empty()) return std::nullopt;
  return view;
}

bool expiry_is_draining(const CursorCase& c) {
  const auto moved = c.history.expiry_moved_ms;
  if (moved && c.now - *moved < c.limits.abandoned_after.count()) return true;
  // From one document: the broker's two clocks agree and something was expired.
  const auto& cursor = c.cursor;
  return cursor.expired_total.value_or(0) > 0 && cursor.expired_ms && cursor.mark_delete_advanced_ms &&
         std::llabs(*cursor.expired_ms - *cursor.mark_delete_advanced_ms) <= 1000 &&
         c.now - *cursor.mark_delete_advanced_ms < c.limits.abandoned_after.count();
}

// Whose word the age is: ours, when we saw the cursor move or saw it first, otherwise a document's.
model::EvidenceKind evidence_kind(const CursorCase& c) {
  return c.activity.latest && c.activity.latest_source == history::kObserved ? model::EvidenceKind::kObserved
                                                                             : model::EvidenceKind::kBounded;
}

void fill_age(const CursorCase& c, model::CursorVerdict& verdict) {
  verdict.since_ms = c.activity.latest;
  if (c.has_backlog() == false) {
    verdict.age_low_ms = verdict.age_high_ms = 0;
    return;
  }
  if (c.activity.latest) verdict.age_low_ms = std::max<std::int64_t>(0, c.now - *c.activity.latest);
  if (c.activity.earliest)
    verdict.age_high_ms = std::max<std::int64_t>(verdict.age_low_ms.value_or(0), c.now - *c.activity.earliest);
}

model::Evidence facts_of(const CursorCase& c) {
  model::Evidence facts;
  const auto time = [&](const char* name, std::optional<TimeMs> at) {
    if (at) facts.emplace_back(name, *at);
  };
  if (c.activity.latest) facts.emplace_back("not_active_after_source", std::string(c.activity.latest_source));
  if (c.activity.earliest) facts.emplace_back("active_at_or_after_source", std::string(c.activity.earliest_source));
  time("consumer_last_seen_ms", c.history.consumer_seen_ms);
  time("position_first_seen_ms",
       c.history.first_position_ms != 0 ? std::optional(c.history.frozen_since_ms) : std::nullopt);
  time("position_document_ms", c.cursor.position_at_ms != 0 ? std::optional(c.cursor.position_at_ms) : std::nullopt);
  time("last_consumed_flow_ms", c.cursor.flow_ms);
  time("mark_delete_advanced_ms", c.cursor.mark_delete_advanced_ms);
  if (const auto gap = c.history.rhythm.longest_gap()) facts.emplace_back("longest_pause_seconds", gap->count() / 1000);
  if (c.history.rewound_from) facts.emplace_back("rewound_from", model::to_string(*c.history.rewound_from));
  if (c.history.delayed_entries) facts.emplace_back("delayed_entries", *c.history.delayed_entries);
  if (c.topic.loaded == model::Loaded::kNo) facts.emplace_back("topic_loaded", false);
  return facts;
}

model::CursorVerdict verdict_of(const CursorCase& c, State state) {
  model::CursorVerdict verdict;
  verdict.topic = c.topic.name;
  verdict.cursor = c.cursor.name;
  verdict.kind = c.cursor.kind;
  verdict.state = state;
  verdict.severity = model::word_of(state).severity;
  verdict.evidence_kind = evidence_kind(c);
  verdict.created_ms = c.cursor.created_ms;
  // A healthy cursor's place is read now and then; an old one would be shown as if it were the present one.
  const bool outdated = state == State::kOk && !c.position_fresh;
  if (!outdated && !c.cursor.position_stale_by_rule) verdict.mark_delete = c.cursor.mark_delete;
  verdict.last_confirmed = c.topic.last_confirmed;
  verdict.consumers = c.topic.loaded == model::Loaded::kNo ? std::optional(0) : c.cursor.consumers;
  verdict.backlog_entries = c.cursor.backlog_entries;
  if (verdict.mark_delete) {
    verdict.pinned_entries = c.pin.entries;
    verdict.pinned_bytes = c.pin.bytes;
  }
  verdict.stale = !c.consumers_fresh || (verdict.mark_delete && !c.position_fresh);
  if (state != State::kUnknown && c.consumerless() && expiry_is_draining(c)) {
    verdict.drain = model::Drain::kTtl;
    if (state == State::kAbandoned) verdict.severity = model::Severity::kInfo;
  }
  fill_age(c, verdict);
  verdict.evidence = facts_of(c);
  if (c.cursor.kind == model::CursorKind::kReader)
    verdict.pinned_bytes = verdict.pinned_entries = verdict.reclaimable_bytes = 0;
  return verdict;
}

std::string age_text(const model::CursorVerdict& verdict) {
  if (!verdict.age_low_ms) return "an unknown time";
  const auto length = format_duration(Duration{*verdict.age_low_ms});
  return verdict.evidence_kind == model::EvidenceKind::kObserved ? length : "at least " + length;
}

std::string summary_of(const model::CursorVerdict& verdict) {
  const auto pinned = verdict.pinned_bytes ? format_bytes(*verdict.pinned_bytes) : std::string("an unknown amount");
  switch (verdict.state) {
    case State::kAbandoned:
      return fmt::format("no consumer and no activity for {}, pins {}", age_text(verdict), pinned);
    case State::kIdle:
      return fmt::format("no consumer, last active {} ago, pins {}", age_text(verdict), pinned);
    case State::kUnused:
      return "no consumer and no activity; pins nothing today, will when someone publishes";
    case State::kRewound:
      return fmt::format("moved back by a seek or reset, {} to go", pinned);
    case State::kDelayed:
      return fmt::format("{} waiting, all of it delayed messages not yet due", pinned);
    case State::kUnknown:
    case State::kOk:
      break;
  }
  return {};
}

model::Finding finding_of(const model::CursorVerdict& verdict, const model::TopicView& topic, State state) {
  model::Finding finding;
  finding.rule = model::name_of(state);
  finding.level = model::Level::kCursor;
  finding.severity = verdict.severity;
  finding.topic = verdict.topic;
  finding.cursor = verdict.cursor;
  finding.ns = topic.ns;
  finding.subject = verdict.topic + " [" + verdict.cursor + "]";
  finding.since_ms = verdict.since_ms;
  finding.summary =
      verdict.state == State::kUnknown ? "kept from the last fresh documents; none is fresh now" : summary_of(verdict);
  finding.evidence = verdict.evidence;
  if (verdict.pinned_bytes) finding.evidence.emplace_back("pinned_bytes", *verdict.pinned_bytes);
  if (verdict.topic_reclaimable_bytes)
    finding.evidence.emplace_back("topic_reclaimable_bytes", *verdict.topic_reclaimable_bytes);
  return finding;
}

// The cursors of one topic, judged together because what one frees depends on the others.
class TopicJudge {
 public:
  TopicJudge(const model::Snapshot& snapshot, const model::TopicView& topic, history::History& history,
             const OriginPatterns& origins, const Limits& limits)
      : snapshot_(snapshot), topic_(topic), history_(history), origins_(origins), limits_(limits) {}

  void run(model::Verdicts& out) {
    std::vector<model::CursorVerdict> verdicts;
    for (const auto& cursor : topic_.cursors) verdicts.push_back(judge_cursor(cursor));
    const auto trim = trim_view(snapshot_, topic_);
    if (trim) fill_reclaimable(*trim, verdicts);
    bool all_known =
        topic_.sweep_at_ms != 0 || topic_.stats_at_ms != 0 || topic_.internal_at_ms != 0 || topic_.info_at_ms != 0;
    for (auto& verdict : verdicts) {
      if (verdict.state == State::kUnknown) all_known = false;
      add_finding(verdict, out);
      out.cursors.push_back(std::move(verdict));
    }
    if (trim) {
      if (auto held = rules::held_without_cursor(topic_, trim->topic, limits_))
        out.findings.push_back(std::move(*held));
    }
    auto& coverage = out.coverage_by_namespace[topic_.ns];
    ++(all_known ? coverage.evaluated : coverage.unknown);
    ++(all_known ? out.coverage.evaluated : out.coverage.unknown);
  }

 private:
  model::CursorVerdict judge_cursor(const model::CursorView& cursor) {
    static const history::CursorHistory kNone;  // readers have no history
    auto* history = history_.find(topic_.name, cursor.name);
    const auto c = make_case(snapshot_, topic_, cursor, history != nullptr ? *history : kNone, limits_);
    const auto state = cursor.kind == model::CursorKind::kReader ? State::kOk : state_of(c);
    auto verdict = verdict_of(c, state);
    if (history != nullptr) remember(*history, state, verdict);
    if (state != State::kOk) {
      auto origin = origins_.of(cursor.name);
      verdict.origin = origin.origin;
      verdict.group = std::move(origin.group);
    } else {
      verdict.group = cursor.name;
    }
    const auto owner = cursor.properties.find("owner");
    if (owner != cursor.properties.end()) verdict.owner = owner->second;
    return verdict;
  }

  void remember(history::CursorHistory& history, State state, model::CursorVerdict& verdict) const {
    if (state == State::kUnknown) {
      if (history.judged) {
        verdict.last_state = history.state;
        verdict.severity = model::word_of(history.state).severity;
        verdict.state_since_ms = history.state_since_ms;
      }
      return;
    }
    if (!history.judged || history.state != state) history.state_since_ms = snapshot_.at_ms;
    history.judged = true;
    history.state = state;
    verdict.state_since_ms = history.state_since_ms;
  }

  void fill_reclaimable(const TrimView& trim, std::vector<model::CursorVerdict>& verdicts) const {
    std::vector<std::size_t> leftovers;
    for (std::size_t i = 0; i < trim.cursor_of.size(); ++i) {
      auto& verdict = verdicts[trim.cursor_of[i]];
      const auto share = trim::reclaimable(trim.topic, i);
      if (verdict.mark_delete) verdict.reclaimable_bytes = share.bytes;
      for (const auto other : share.shared_with)
        verdict.reclaimable_shared_with.push_back(verdicts[trim.cursor_of[other]].cursor);
      const auto counted = verdict.state == State::kUnknown ? verdict.last_state : verdict.state;
      if (counted == State::kAbandoned || counted == State::kUnused) leftovers.push_back(i);
    }
    const auto together = trim::reclaimable_together(trim.topic, leftovers);
    for (auto& verdict : verdicts) verdict.topic_reclaimable_bytes = together;
  }

  // `unknown` itself is no finding, but what was found before it does not clear by silence.
  void add_finding(const model::CursorVerdict& verdict, model::Verdicts& out) const {
    const auto state = verdict.state == State::kUnknown ? verdict.last_state.value_or(State::kOk) : verdict.state;
    if (model::word_of(state).is_finding) out.findings.push_back(finding_of(verdict, topic_, state));
  }

  const model::Snapshot& snapshot_;
  const model::TopicView& topic_;
  history::History& history_;
  const OriginPatterns& origins_;
  const Limits& limits_;
};

void sort_worst_first(model::Verdicts& verdicts) {
  std::stable_sort(verdicts.findings.begin(), verdicts.findings.end(),
                   [](const model::Finding& a, const model::Finding& b) { return a.severity > b.severity; });
}

}  // namespace

model::Verdicts judge(const model::Snapshot& snapshot, history::History& history, const OriginPatterns& origins,
                      const Limits& limits) {
  history.observe(snapshot);
  model::Verdicts verdicts;
  verdicts.at_ms = snapshot.at_ms;
  verdicts.coverage.listed = static_cast<std::int64_t>(snapshot.topics.size());
  for (const auto& topic : snapshot.topics) {
    ++verdicts.coverage_by_namespace[topic->ns].listed;
    TopicJudge(snapshot, *topic, history, origins, limits).run(verdicts);
  }
  sort_worst_first(verdicts);
  return verdicts;
}

}  // namespace tidemark::detect
