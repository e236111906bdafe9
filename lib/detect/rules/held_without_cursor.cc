// Bytes that stay although no durable cursor pins them, one finding a cause. The acknowledged start of a ledger that a
// cursor stands in is that cursor's and not counted. A running daemon reports the ordinary causes as gauges only.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/units.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

using model::Severity;

constexpr std::int64_t kMebibyte = 1048576;

struct Cause {
  std::string_view name;
  Severity severity;
  bool ordinary;  // in a running daemon a gauge only
  std::string_view text;
};

constexpr Cause kOpenLedger{"open_ledger", Severity::kInfo, true,
                            "stay in the open ledger, which no cursor needs; it goes after its next rollover"};
constexpr Cause kRolloverOverdue{
    "rollover_overdue", Severity::kWarning, false,
    "stay in an open ledger that no cursor needs and whose rollover is overdue: unload the topic to close it"};
constexpr Cause kRetention{"retention", Severity::kInfo, true, "are acknowledged by all and kept by retention"};
constexpr Cause kBoundary{
    "boundary", Severity::kInfo, false,
    "stay because a position on the last entry of a closed ledger keeps it until something is published"};
constexpr Cause kReader{"reader", Severity::kWarning, false,
                        "stay although no durable cursor needs them: a reader behind holds them on this version"};
constexpr Cause kUnloaded{"unloaded", Severity::kWarning, false,
                          "are needed by no cursor and stay because the topic is unloaded: nobody trims it"};
constexpr Cause kPendingTrim{"pending_trim", Severity::kInfo, false, "were freed just now and go at the next trim"};

// `facts` are made for those who have something to report only.
template <class Facts>
void report(const TopicCase& c, const Cause& cause, std::int64_t bytes, Facts facts, Findings& out) {
  if (bytes <= 0) return;
  c.held[cause.name] += bytes;
  if (bytes < c.limits.held_min_bytes) return;
  if (cause.ordinary && !c.limits.report_gauges) return;
  auto finding = topic_finding(model::Rule::kHeldWithoutCursor, c.topic);
  finding.severity = cause.severity;
  finding.summary = fmt::format("{} {}", format_bytes(bytes), cause.text);
  finding.evidence = {{"cause", std::string(cause.name)}, {"bytes", bytes}};
  facts(finding.evidence);
  out.push_back(std::move(finding));
}

// What the trim rests on is as new as it should be.
bool is_fresh(const TopicCase& c) {
  bool durable = false;
  for (const auto& one : c.cases) {
    if (one.cursor.kind == model::CursorKind::kReader) continue;
    if (!one.position_fresh) return false;
    durable = true;
  }
  const auto read_ms = std::max(c.topic.internal_at_ms, c.topic.info_at_ms);
  return durable || c.snapshot.at_ms - read_ms <= (c.topic.reask + 2 * c.snapshot.interval).count();
}

bool is_full(const TopicCase& c, const model::Ledger& last) {
  const auto& broker = c.snapshot.defaults;
  const auto over = [](std::optional<std::int64_t> value, std::int64_t limit) { return value && *value > limit; };
  return (broker.max_ledger_entries && over(last.entries, *broker.max_ledger_entries)) ||
         (broker.max_ledger_megabytes && over(last.bytes.value_or(0) / kMebibyte, *broker.max_ledger_megabytes));
}

std::int64_t minutes_ms(std::int64_t minutes) { return std::min<std::int64_t>(minutes, 1 << 30) * 60000; }

// By age the broker's own timer rolls it over, up to a twentieth late; a full one goes with the next publish, once it
// has the least age.
bool rollover_is_overdue(const TopicCase& c) {
  if (!c.topic.ledger_open || !c.topic.last_ledger_created_ms) return false;
  const auto& broker = c.snapshot.defaults;
  const auto age =
      c.topic.internal_at_ms - *c.topic.last_ledger_created_ms - 1000 * retention_check_seconds(c.snapshot);
  if (broker.max_rollover_minutes.value_or(0) > 0 && age > minutes_ms(*broker.max_rollover_minutes) / 20 * 21)
    return true;
  const bool may_roll = broker.min_rollover_minutes && age > minutes_ms(*broker.min_rollover_minutes);
  return may_roll && c.topic.rate_in > 0 && is_full(c, c.trim->topic.ledgers->list().back());
}

void last_ledger(const TopicCase& c, const trim::Unpinned& held, Findings& out) {
  const auto facts = [&](model::Evidence& evidence) {
    evidence.emplace_back("ledger_id", c.trim->topic.ledgers->list().back().id);
    if (c.topic.last_ledger_created_ms) evidence.emplace_back("ledger_created_ms", *c.topic.last_ledger_created_ms);
    const auto limit = c.snapshot.defaults.max_rollover_minutes;
    if (limit) evidence.emplace_back("max_rollover_minutes", *limit);
  };
  report(c, rollover_is_overdue(c) ? kRolloverOverdue : kOpenLedger, held.last, facts, out);
}

void retained(const TopicCase& c, const trim::Unpinned& held, Findings& out) {
  const auto retention = model::retention_of(c.snapshot, c.topic);
  if (!retention.value) return;
  const auto facts = [&](model::Evidence& evidence) {
    evidence.emplace_back("retention_minutes", retention.value->minutes);
    evidence.emplace_back("retention_megabytes", retention.value->megabytes);
    evidence.emplace_back("retention_source", std::string(model::name_of(retention.source)));
  };
  report(c, kRetention, held.retained, facts, out);
}

// A reader that has not passed `ledger`.
const model::CursorView* reader_behind(const TopicCase& c, std::int64_t ledger) {
  const auto& topic = c.trim->topic;
  for (const auto& cursor : c.topic.cursors) {
    const bool reads = cursor.kind == model::CursorKind::kReader && cursor.mark_delete;
    if (reads && trim::bound_of(topic, *cursor.mark_delete) <= ledger) return &cursor;
  }
  return nullptr;
}

// `ledger` became free within the last two checks, or since the last look: by our own looks, else by a clock of the
// broker's or a removed cursor.
bool freed_lately(const TopicCase& c, std::int64_t ledger) {
  const auto since = c.snapshot.at_ms - 2000 * retention_check_seconds(c.snapshot);
  const auto& bound = c.past.whole.bound;
  const auto before = bound.before(since);
  if (before && before->value > ledger) return false;
  const auto oldest = bound.oldest();
  if (oldest && oldest->value <= ledger) return true;
  const auto& removed = c.past.cursors;
  if (std::any_of(removed.begin(), removed.end(), [&](const auto& one) { return one.second.removed_ms >= since; }))
    return true;
  const auto slowest = trim::slowest_bound(c.trim->topic);
  return std::any_of(c.topic.cursors.begin(), c.topic.cursors.end(), [&](const auto& cursor) {
    return cursor.kind != model::CursorKind::kReader && cursor.mark_delete_advanced_ms >= since &&
           trim::bound_of(c.trim->topic, *cursor.mark_delete) == slowest;
  });
}

void let_go(const TopicCase& c, const trim::Unpinned& held, Findings& out) {
  std::int64_t by_reader = 0;
  std::int64_t lately = 0;
  std::string reader;
  for (const auto id : held.waiting) {
    const auto bytes = c.trim->topic.ledgers->find(id)->bytes.value_or(0);
    const auto* behind = c.trim->topic.habits.readers_pin ? reader_behind(c, id) : nullptr;
    if (behind != nullptr) {
      by_reader += bytes;
      reader = behind->name;
    } else if (c.topic.loaded == model::Loaded::kYes && freed_lately(c, id)) {
      lately += bytes;
    }
  }
  report(c, kReader, by_reader, [&](model::Evidence& evidence) { evidence.emplace_back("reader", reader); }, out);
  const auto seconds = retention_check_seconds(c.snapshot);
  const auto when = [&](model::Evidence& evidence) { evidence.emplace_back("retention_check_seconds", seconds); };
  report(c, kPendingTrim, lately, when, out);
}

void unloaded(const TopicCase& c, const trim::Unpinned& held, Findings& out) {
  const auto facts = [&](model::Evidence& evidence) {
    if (c.topic.absent_at_ms != 0) evidence.emplace_back("not_loaded_at_ms", c.topic.absent_at_ms);
  };
  report(c, kUnloaded, held.let_go, facts, out);
}

}  // namespace

std::int64_t retention_check_seconds(const model::Snapshot& snapshot) {
  constexpr std::int64_t kDefault = 120;
  return std::clamp<std::int64_t>(snapshot.defaults.retention_check_seconds.value_or(kDefault), 1, 86400);
}

void held_without_cursor(const TopicCase& c, Findings& out) {
  if (!c.trim || !is_fresh(c)) return;
  auto held = trim::unpinned(c.trim->topic);
  retained(c, held, out);
  if (c.topic.loaded == model::Loaded::kNo) return unloaded(c, held, out);
  if (c.trim->topic.habits.boundary_pins && !c.topic.ledger_open) {
    // A full last ledger that was closed, and no publish came that would make the next one.
    held.boundary += std::exchange(held.last, 0);
  }
  report(c, kBoundary, held.boundary, [](model::Evidence&) {}, out);
  last_ledger(c, held, out);
  let_go(c, held, out);
}

}  // namespace tidemark::detect::rules
