// The broker would delete the topic as inactive, were it not for cursors that nobody uses: no producer and no consumer
// for long, by our own looks or by documents that prove that nothing was published since.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/units.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

using model::CursorKind;

struct Since {
  TimeMs at = 0;
  std::string_view source;
};

bool nobody_produces(const TopicCase& c) {
  const auto allowed = 2 * c.snapshot.interval.count();
  if (c.topic.loaded == model::Loaded::kNo) return c.snapshot.at_ms - c.topic.absent_at_ms <= allowed;
  const auto told_ms = std::max(c.topic.sweep_at_ms, c.topic.stats_at_ms);
  return told_ms != 0 && c.snapshot.at_ms - told_ms <= allowed && c.topic.publishers == 0 && c.topic.rate_in <= 0;
}

// Subscriptions and replicators keep a topic; of them only those may that nobody uses and nobody asked to keep.
bool only_leftovers_keep_it(const TopicCase& c) {
  bool kept = false;
  for (std::size_t i = 0; i < c.cases.size(); ++i) {
    const auto& cursor = c.cases[i].cursor;
    if (cursor.consumers.value_or(0) > 0) return false;
    if (cursor.kind == CursorKind::kReplicator || cursor.kind == CursorKind::kSystem) return false;
    if (cursor.kind != CursorKind::kSubscription) continue;
    const auto& verdict = c.verdicts[i];
    if (verdict.exception || !is_leftover(verdict.state)) return false;
    kept = true;
  }
  return kept;
}

// A caught-up cursor that stands since then: what was published after it, it would have to acknowledge.
std::optional<TimeMs> caught_up_since(const CursorCase& one) {
  if (one.cursor.kind != CursorKind::kSubscription || !one.position_fresh || one.pins != false) return std::nullopt;
  const auto stands = one.frozen_since();
  if (!one.activity.latest || !stands) return std::nullopt;
  return std::max(*one.activity.latest, *stands);
}

std::optional<Since> silent_since(const TopicCase& c) {
  std::optional<Since> since;
  const auto take = [&](std::optional<TimeMs> at, std::string_view source) {
    if (at && (!since || *at < since->at)) since = Since{*at, source};
  };
  take(c.past.whole.no_producer_since(), history::kObserved);
  for (const auto& one : c.cases) take(caught_up_since(one), "a caught-up subscription");
  const bool loaded = c.topic.loaded != model::Loaded::kNo;
  if (loaded && c.topic.messages_in == 0 && c.topic.publishers)
    take(c.topic.epoch_started_ms, "msgInCounter since the load");
  return since;
}

}  // namespace

void deletion_blocked(const TopicCase& c, Findings& out) {
  if (c.topic.system || !nobody_produces(c) || !only_leftovers_keep_it(c)) return;
  const auto since = silent_since(c);
  if (!since || c.snapshot.at_ms - since->at < c.limits.abandoned_after.count()) return;
  std::int64_t cursors = 0;
  for (const auto& one : c.cases) cursors += one.cursor.kind == CursorKind::kSubscription ? 1 : 0;
  auto finding = topic_finding(model::Rule::kDeletionBlocked, c.topic);
  finding.since_ms = since->at;
  finding.summary =
      fmt::format("nobody produces or consumes for at least {}; only {} unused or abandoned",
                  format_duration(Duration{c.snapshot.at_ms - since->at}),
                  cursors == 1 ? "a subscription keeps it," : fmt::format("{} subscriptions keep it,", cursors));
  finding.evidence = {
      {"subscriptions", cursors}, {"no_producer_since_ms", since->at}, {"source", std::string(since->source)}};
  if (c.topic.total_bytes) finding.evidence.emplace_back("storage_bytes", *c.topic.total_bytes);
  out.push_back(std::move(finding));
}

}  // namespace tidemark::detect::rules
