#include "referee.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "model/lookup.h"
#include "sim/topic.h"

namespace tidemark::weeks {
namespace {

using model::State;

constexpr Duration kLongestReask = std::chrono::hours{6};
constexpr Duration kUnconfirmed = std::chrono::hours{24};
// Our clock and the cluster's differ by up to a minute and a half either way, and by another value than a week ago.
constexpr Duration kClocks = std::chrono::minutes{4};
constexpr int kVisitsOfRhythm = 3;
constexpr Duration kComingsWithin = std::chrono::hours{2};
constexpr std::size_t kMostComings = 6;

template <class... Kinds>
struct Overloaded : Kinds... {
  using Kinds::operator()...;
};

std::string text_of(const model::Fact& fact) {
  return std::visit(Overloaded{[](std::nullptr_t) { return std::string("null"); },
                               [](bool flag) { return std::string(flag ? "true" : "false"); },
                               [](std::int64_t number) { return std::to_string(number); },
                               [](double number) { return std::to_string(number); },
                               [](std::string_view text) { return std::string(text); }},
                    fact);
}

bool before(const model::CursorVerdict& verdict, const std::pair<std::string_view, std::string_view>& wanted) {
  return std::pair{verdict.topic.view(), verdict.cursor.view()} < wanted;
}

const model::CursorVerdict* verdict_of(const model::Verdicts& verdicts, const sim::GroundTruth& truth) {
  const auto& list = verdicts.cursors;
  const auto at = std::lower_bound(
      list.begin(), list.end(), std::pair<std::string_view, std::string_view>(truth.topic, truth.subscription), before);
  return at != list.end() && at->topic == truth.topic && at->cursor == truth.subscription ? &*at : nullptr;
}

}  // namespace

std::string text_of(const model::CursorVerdict& verdict) {
  std::string text(model::name_of(verdict.state));
  if (verdict.last_state) text += "(" + std::string(model::name_of(*verdict.last_state)) + ")";
  text += " " + std::string(model::name_of(verdict.evidence_kind));
  if (verdict.since_ms) text += " since=" + std::to_string(*verdict.since_ms);
  if (verdict.mark_delete) text += " mark_delete=" + model::to_string(*verdict.mark_delete);
  if (verdict.consumers) text += " consumers=" + std::to_string(*verdict.consumers);
  if (verdict.pinned_entries) text += " pinned=" + std::to_string(*verdict.pinned_entries);
  if (verdict.stale) text += " stale";
  for (const auto& [name, fact] : verdict.evidence) text += " " + std::string(name) + "=" + text_of(fact);
  return text;
}

Referee::Referee(const sim::World& world, Duration interval, Duration abandoned_after)
    : world_(world), interval_(interval), abandoned_after_(abandoned_after) {}

void Referee::look(const model::Snapshot& snapshot, const model::Verdicts& verdicts) {
  now_ = world_.now();
  poll_before_ms_ = std::exchange(poll_ms_, snapshot.at_ms);
  topics_at_most_ = std::max(topics_at_most_, snapshot.topics.size());
  cursors_at_most_ = std::max(cursors_at_most_, verdicts.cursors.size());
  cursors_judged_ += static_cast<std::int64_t>(verdicts.cursors.size());
  for (const auto& verdict : verdicts.cursors) ++states_.at(static_cast<std::size_t>(verdict.state));
  for (const auto& finding : verdicts.findings) watch_comings(finding);

  std::vector<sim::GroundTruth> truths;
  for (const auto& client : world_.clients()) client->tell(world_, truths);
  std::set<const model::CursorVerdict*> explained;
  for (const auto& truth : truths) {
    auto [at, fresh] = memos_[truth.topic].try_emplace(truth.subscription);
    at->second.seen_ms = now_;
    if (fresh || at->second.story != truth.story) ++archetypes_[truth.story].cursors;
    at->second.story = truth.story;
    const auto* view = model::find_topic(snapshot, truth.topic);
    if (view == nullptr) continue;
    Case c{truth, *view, verdict_of(verdicts, truth), at->second};
    if (c.verdict != nullptr && c.verdict->state == State::kAbandoned) explained.insert(c.verdict);
    look_at(c);
  }
  for (const auto& verdict : verdicts.cursors) {
    if (verdict.state != State::kAbandoned || explained.contains(&verdict)) continue;
    // Gone, and not yet known to be: the documents are as old as its topic's last sweep.
    const auto* view = model::find_topic(snapshot, verdict.topic);
    if (view->sweep_at_ms != poll_ms_) continue;
    sim::GroundTruth nobody;
    nobody.topic = verdict.topic.str();
    nobody.subscription = verdict.cursor.str();
    Memo memo;
    Case c{nobody, *view, &verdict, memo};
    note(c, "no client's");
  }
}

void Referee::watch_comings(const model::Finding& finding) {
  if (finding.severity < model::Severity::kWarning) return;
  auto& comings = comings_[{std::string(finding.rule), finding.subject}];
  if (std::exchange(comings.seen_ms, poll_ms_) == poll_before_ms_) return;
  comings.at.push_back(now_);
  while (now_ - comings.at.front() > kComingsWithin.count()) comings.at.pop_front();
  if (comings.at.size() <= kMostComings) return;
  comings.at.clear();
  sim::GroundTruth nobody;
  nobody.topic = finding.subject;
  wrong_.push_back({world_.seed(), now_, "comes and goes", nobody, std::string(finding.rule)});
}

void Referee::look_at(Case& c) {
  const auto& view = c.view;
  const bool unloaded = view.loaded == model::Loaded::kNo && view.absent_at_ms == poll_ms_;
  c.swept = view.sweep_at_ms == poll_ms_ || unloaded;
  const bool read = unloaded ? view.read_since_absent : view.internal_at_ms == poll_ms_ && view.stats_at_ms == poll_ms_;
  if (read) c.memo.last_documents_ms = now_;
  c.memo.polls_attended = c.truth.connected ? c.memo.polls_attended + (c.swept ? 1 : 0) : 0;
  if (c.verdict != nullptr && c.verdict->state == State::kAbandoned) accused(c);
  if (c.truth.abandoned_since) expected(c);
}

void Referee::accused(Case& c) {
  auto& memo = c.memo;
  if (!std::exchange(memo.accused, true)) ++archetypes_[c.truth.story].accused;
  if (c.truth.abandoned_since) {
    const auto silent = Duration{now_ - *c.truth.abandoned_since};
    if (silent + interval_ + kClocks < abandoned_after_) note(c, "too early");
    return;
  }
  // Whoever came back within the last poll can not be known to be there.
  if (c.truth.connected && memo.polls_attended <= 1) return;
  const bool no_rhythm_yet =
      c.truth.period > abandoned_after_ && c.truth.visits < kVisitsOfRhythm && !c.truth.connected;
  if (!no_rhythm_yet) return note(c, "alive");
  if (!std::exchange(memo.returned, true)) ++archetypes_[c.truth.story].returned;
}

bool Referee::pins(const sim::GroundTruth& truth) const {
  const auto* topic = world_.find(truth.topic);
  const auto& cursor = topic->find(truth.subscription)->cursor;
  // Of an unloaded topic the last ledger's size is in no document.
  if (!topic->loaded()) return cursor.index() < topic->ledger().last().first_index;
  return cursor.backlog(topic->ledger()) > 0;
}

void Referee::expected(Case& c) {
  auto& memo = c.memo;
  const TimeMs act = *c.truth.abandoned_since;
  if (memo.last_act_ms != act) {
    memo.last_act_ms = act;
    memo.first_documents_ms = 0;
    memo.polls_due = 0;
    memo.unconfirmed_since_ms = 0;
  }
  if (memo.first_documents_ms == 0 && memo.last_documents_ms >= act + interval_.count())
    memo.first_documents_ms = memo.last_documents_ms;
  if (!c.swept || !pins(c.truth)) return;

  auto silence = abandoned_after_;
  // A pause, and then its own end, are known to one re-ask interval.
  if (c.truth.visits >= kVisitsOfRhythm)
    silence = std::max(silence, (c.truth.longest_pause + kLongestReask) * 3 / 2 + kLongestReask);
  const TimeMs due = std::max(act, memo.first_documents_ms) + silence.count() + kClocks.count();
  if (now_ < due) return;
  const bool right =
      c.verdict != nullptr && (c.verdict->state == State::kAbandoned || c.verdict->last_state == State::kAbandoned);
  if (right) {
    if (memo.polls_due == 0 || memo.unconfirmed_since_ms != 0) slowest_ = std::max(slowest_, Duration{now_ - due});
    memo.unconfirmed_since_ms = 0;
    ++memo.polls_due;
    return;
  }
  if (memo.unconfirmed_since_ms == 0) memo.unconfirmed_since_ms = now_;
  // As design section 4 has it: documents are good for as long as the topic's re-ask interval.
  const auto good_for = c.view.reask + 2 * interval_;
  const bool confirmed = memo.first_documents_ms != 0 && now_ - memo.last_documents_ms <= good_for.count();
  if (confirmed && memo.polls_due++ >= 1) return note(c, "missed");
  if (now_ - memo.unconfirmed_since_ms >= kUnconfirmed.count()) note(c, "unconfirmed for a day");
}

// One of a kind for each cursor: the first is what one replays.
void Referee::note(Case& c, const std::string& reason) {
  if (std::exchange(c.memo.reported, true)) return;
  wrong_.push_back({world_.seed(), now_, reason, c.truth, c.verdict != nullptr ? text_of(*c.verdict) : "not judged"});
}

std::size_t Referee::durable_within(Duration keep) const {
  std::size_t count = 0;
  for (const auto& [topic, memos] : memos_) {
    for (const auto& [name, memo] : memos) count += now_ - memo.seen_ms <= keep.count() ? 1U : 0U;
  }
  return count;
}

}  // namespace tidemark::weeks
