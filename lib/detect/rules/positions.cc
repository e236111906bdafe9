// What is wrong with a cursor's own books: a place before everything that is left, a place that is not stored, a count
// that the places contradict.
#include <fmt/format.h>

#include "base/units.h"
#include "detect/rules/rules.h"
#include "trim/pins.h"

namespace tidemark::detect::rules {
namespace {

bool is_durable(const CursorCase& c) { return c.cursor.kind != model::CursorKind::kReader; }

}  // namespace

// A mark-delete below the first ledger is the normal picture of a used-up one (3.0+); only one that went back there is
// wrong.
void dangling_position(const TopicCase& c, Findings& out) {
  const auto& ledgers = c.topic.ledgers;
  if (ledgers.empty()) return;
  for (const auto& one : c.cases) {
    if (!is_durable(one) || !one.history.back_ms || !one.position_fresh || one.pins != true) continue;
    const auto& place = *one.cursor.mark_delete;
    if (place.ledger_id >= ledgers.list().front().id) continue;
    auto finding = cursor_finding(model::Rule::kDanglingPosition, c.topic, one.cursor);
    finding.since_ms = one.history.back_ms;
    finding.summary = fmt::format("went back to {}, before the first ledger {} that is left, and holds everything",
                                  model::to_string(place), ledgers.list().front().id);
    finding.evidence = {{"mark_delete", model::to_string(place)},
                        {"first_ledger_id", ledgers.list().front().id},
                        {"went_back_ms", *one.history.back_ms}};
    if (one.pin.bytes) finding.evidence.emplace_back("pinned_bytes", *one.pin.bytes);
    out.push_back(std::move(finding));
  }
}

void position_not_persisted(const TopicCase& c, Findings& out) {
  for (const auto& one : c.cases) {
    const auto& from = one.history.unsaved_from;
    if (!is_durable(one) || !from || !one.position_fresh || one.cursor.cursor_state.empty()) continue;
    const auto entries = model::entries_between(c.topic.ledgers, *from, false, *one.cursor.mark_delete);
    auto finding = cursor_finding(model::Rule::kPositionNotPersisted, c.topic, one.cursor);
    finding.summary = fmt::format("moves and is not stored (state {}): a restart goes back {} entries, to {}",
                                  one.cursor.cursor_state, entries, model::to_string(*from));
    finding.evidence = {{"stored_position", model::to_string(*from)},
                        {"mark_delete", model::to_string(*one.cursor.mark_delete)},
                        {"entries", entries},
                        {"cursor_state", one.cursor.cursor_state},
                        {"cursor_ledger", one.cursor.cursor_ledger}};
    const auto before = trim::pinned(c.topic.ledgers, *from).bytes;
    if (before && one.pin.bytes) finding.evidence.emplace_back("bytes", *before - *one.pin.bytes);
    out.push_back(std::move(finding));
  }
}

void counter_mismatch(const TopicCase& c, Findings& out) {
  for (const auto& one : c.cases) {
    if (!is_durable(one) || !one.backlog_fresh) continue;
    const auto reported = *one.cursor.backlog_entries;
    const auto off_by = one.history.counter.at == one.cursor.position_at_ms ? one.history.counter_off_by : 0;
    if (reported >= 0 && off_by == 0) continue;
    auto finding = cursor_finding(model::Rule::kCounterMismatch, c.topic, one.cursor);
    finding.evidence = {{"backlog_entries", reported}};
    if (reported < 0) {
      finding.summary = fmt::format("the broker reports a backlog of {} entries", reported);
    } else {
      finding.summary =
          fmt::format("the broker reports {} entries, by the positions there are {}", reported, reported - off_by);
      finding.evidence.emplace_back("entries_by_position", reported - off_by);
    }
    if (one.cursor.mark_delete) finding.evidence.emplace_back("mark_delete", model::to_string(*one.cursor.mark_delete));
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
