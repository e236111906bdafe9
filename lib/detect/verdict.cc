#include "detect/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/units.h"
#include "detect/states/states.h"

namespace tidemark::detect {
namespace {

using model::State;

constexpr std::size_t kUsualFacts = 10;

bool lately(const CursorCase& c, std::optional<TimeMs> at) {
  return at && c.now - *at < c.limits.abandoned_after.count();
}

bool expiry_is_draining(const CursorCase& c) {
  if (lately(c, c.history.expiry_moved_ms)) return true;
  // From one document: the broker's two clocks agree and something was expired.
  const auto& cursor = c.cursor;
  return cursor.expired_total.value_or(0) > 0 && cursor.expired_ms && cursor.mark_delete_advanced_ms &&
         std::llabs(*cursor.expired_ms - *cursor.mark_delete_advanced_ms) <= 1000 &&
         lately(c, cursor.mark_delete_advanced_ms);
}

model::Drain drain_of(const CursorCase& c) {
  if (!c.consumerless()) return model::Drain::kNone;
  if (lately(c, c.history.eviction_moved_ms)) return model::Drain::kEviction;
  return expiry_is_draining(c) ? model::Drain::kTtl : model::Drain::kNone;
}

// TTL keeps what an abandoned cursor pins from growing, and then it is nobody's emergency. A tenth is what traffic
// varies by.
bool pins_more_than_before(const CursorCase& c) {
  const auto before = c.history.pinned_bytes.before(c.now - c.limits.abandoned_after.count());
  return before && c.pin.bytes && *c.pin.bytes > before->value + before->value / 10;
}

// Whose word the age is: ours, when we saw the cursor move or saw it first, otherwise a document's.
model::EvidenceKind evidence_kind(const CursorCase& c) {
  return c.activity.latest && c.activity.latest_source == history::kObserved ? model::EvidenceKind::kObserved
                                                                             : model::EvidenceKind::kBounded;
}

// Where somebody is connected the age is how long the mark-delete stands, not how long nobody came.
void fill_age_of_place(const CursorCase& c, model::CursorVerdict& verdict) {
  verdict.since_ms = c.frozen_since();
  if (verdict.since_ms) verdict.age_low_ms = std::max<std::int64_t>(0, c.now - *verdict.since_ms);
  const auto moved = c.cursor.mark_delete_advanced_ms ? c.cursor.mark_delete_advanced_ms : c.cursor.created_ms;
  if (moved) verdict.age_high_ms = std::max<std::int64_t>(verdict.age_low_ms.value_or(0), c.now - *moved);
}

bool is_about_a_place(State state) {
  return state == State::kUnackedBlocked || state == State::kAckHole || state == State::kStalled;
}

void fill_age(const CursorCase& c, model::CursorVerdict& verdict) {
  const bool kept = verdict.state == State::kUnknown && c.history.judged;
  if (is_about_a_place(kept ? c.history.state : verdict.state)) return fill_age_of_place(c, verdict);
  verdict.since_ms = c.activity.latest;
  if (c.has_backlog() == false) {
    verdict.age_low_ms = verdict.age_high_ms = 0;
    return;
  }
  if (c.activity.latest) verdict.age_low_ms = std::max<std::int64_t>(0, c.now - *c.activity.latest);
  if (c.activity.earliest)
    verdict.age_high_ms = std::max<std::int64_t>(verdict.age_low_ms.value_or(0), c.now - *c.activity.earliest);
}

// Who has most messages and acknowledges none of them, if it has a name.
std::optional<std::string> holder_of(const model::CursorView& cursor) {
  const model::Consumer* most = nullptr;
  for (const auto& consumer : cursor.consumer_list) {
    if (consumer.unacked_messages > 0 && (most == nullptr || consumer.unacked_messages > most->unacked_messages))
      most = &consumer;
  }
  return most != nullptr && !most->name.empty() ? std::optional(most->name) : std::nullopt;
}

model::Evidence facts_of(const CursorCase& c) {
  model::Evidence facts;
  facts.reserve(kUsualFacts);
  const auto time = [&](const char* name, std::optional<TimeMs> at) {
    if (at) facts.emplace_back(name, *at);
  };
  if (c.activity.latest) facts.emplace_back("not_active_after_source", c.activity.latest_source);
  if (c.activity.earliest) facts.emplace_back("active_at_or_after_source", c.activity.earliest_source);
  time("consumer_last_seen_ms", c.history.consumer_seen_ms);
  time("position_first_seen_ms",
       c.history.first_position_ms != 0 ? std::optional(c.history.frozen_since_ms) : std::nullopt);
  time("position_document_ms", c.cursor.position_at_ms != 0 ? std::optional(c.cursor.position_at_ms) : std::nullopt);
  time("last_consumed_flow_ms", c.cursor.flow_ms);
  time("mark_delete_advanced_ms", c.cursor.mark_delete_advanced_ms);
  if (const auto gap = c.history.rhythm.longest_gap()) facts.emplace_back("longest_pause_seconds", gap->count() / 1000);
  if (c.history.recovered_from) facts.emplace_back("recovered_from", model::to_string(*c.history.recovered_from));
  if (c.history.rewound_from) facts.emplace_back("rewound_from", model::to_string(*c.history.rewound_from));
  if (c.history.delayed_entries) facts.emplace_back("delayed_entries", *c.history.delayed_entries);
  if (c.topic.loaded == model::Loaded::kNo) facts.emplace_back("topic_loaded", false);
  return facts;
}

// The broker's flag says blocked, and nobody holds anything.
bool false_block(const model::CursorView& cursor) {
  const bool flagged = cursor.blocked_on_unacked && cursor.unacked_messages == 0;
  return flagged || std::any_of(cursor.consumer_list.begin(), cursor.consumer_list.end(), [](const auto& consumer) {
           return consumer.blocked && consumer.unacked_messages == 0;
         });
}

void add_stall_facts(const CursorCase& c, model::Evidence& facts) {
  facts.emplace_back("backlog_entries", c.cursor.backlog_entries.value_or(c.pin.entries.value_or(0)));
  if (c.cursor.connected) facts.emplace_back("connected", *c.cursor.connected);
  if (c.history.disconnected_since_ms) facts.emplace_back("disconnected_since_ms", *c.history.disconnected_since_ms);
  if (c.cursor.kind != model::CursorKind::kSubscription) return;
  facts.emplace_back("false_block", false_block(c.cursor));
  facts.emplace_back("read_position", model::to_string(c.cursor.read_position.value_or(model::Position{})));
  facts.emplace_back("nothing_dispatched_since_ms", c.history.dispatch_stands_since_ms);
}

void add_lag_facts(const CursorCase& c, model::Evidence& facts) {
  const auto start = c.history.backlog.before(c.now - c.limits.lag_window.count());
  if (!start) return;
  facts.emplace_back("backlog_entries", c.cursor.backlog_entries.value_or(0));
  facts.emplace_back("backlog_entries_before", start->value);
  facts.emplace_back("published_since", c.topic.messages_in.value_or(0) - start->counter);
  if (!c.cursor.consumer_list.empty()) facts.emplace_back("consumers_ask", states::somebody_asks(c.cursor));
  facts.emplace_back("window_start_ms", start->at);
  facts.emplace_back("open_transactions", c.topic.open_transactions);
}

std::string age_text(const model::CursorVerdict& verdict) {
  if (!verdict.age_low_ms) return "an unknown time";
  const auto length = format_duration(Duration{*verdict.age_low_ms});
  return verdict.evidence_kind == model::EvidenceKind::kObserved ? length : "at least " + length;
}

// Where nothing proves that it was not active just now, since when it may have been.
std::string last_active_text(const model::CursorVerdict& verdict) {
  const bool proven = verdict.age_low_ms.value_or(1) > 0;
  if (proven || verdict.age_high_ms.value_or(0) <= 0) return age_text(verdict);
  return "at most " + format_duration(Duration{*verdict.age_high_ms});
}

std::string lagging_text(const model::CursorVerdict& verdict) {
  bool published = true;
  bool ask = true;
  for (const auto& [name, value] : verdict.evidence) {
    if (name == "published_since") published = value != model::Fact(std::int64_t{0});
    if (name == "consumers_ask") ask = value == model::Fact(true);
  }
  const auto* what = "does not keep up with what is published";
  if (!published)
    what = ask ? "takes nothing off its backlog, and nothing is published"
               : "its consumers ask for nothing, and nothing is published";
  return fmt::format("{}: {} entries behind, and not clearly fewer than before", what,
                     verdict.backlog_entries.value_or(0));
}

std::string summary_of(const model::CursorVerdict& verdict) {
  const auto pinned = verdict.pinned_bytes ? format_bytes(*verdict.pinned_bytes) : std::string("an unknown amount");
  switch (verdict.state) {
    case State::kAbandoned:
      return fmt::format("no consumer and no activity for {}, pins {}", age_text(verdict), pinned);
    case State::kIdle:
      return fmt::format("no consumer, last active {} ago, pins {}", last_active_text(verdict), pinned);
    case State::kUnused:
      return "no consumer and no activity; pins nothing today, will when someone publishes";
    case State::kRewound:
      return fmt::format("moved back by a seek or reset, {} to go", pinned);
    case State::kDelayed:
      return fmt::format("{} waiting, all of it delayed messages not yet due", pinned);
    case State::kUnackedBlocked:
      return fmt::format("consumers hold unacknowledged messages and get no more; stands for {}, pins {}",
                         age_text(verdict), pinned);
    case State::kAckHole:
      return fmt::format("{} unacknowledged entries hold {} acknowledged ones behind them; stands for {}, pins {}",
                         verdict.hole ? verdict.hole->entries : 0,
                         verdict.hole ? verdict.hole->acked_entries_behind : 0, age_text(verdict), pinned);
    case State::kStalled:
      return fmt::format("nothing moves it although there is something to do; stands for {}, pins {}{}",
                         age_text(verdict), pinned,
                         verdict.severity == model::Severity::kCritical ? ", and disks will be full" : "");
    case State::kLagging:
      return lagging_text(verdict);
    case State::kUnknown:
    case State::kOk:
      break;
  }
  return {};
}

}  // namespace

void fill_verdict(const CursorCase& c, State state, model::CursorVerdict& verdict) {
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
  // An internal cursor has no consumers: of those no document tells.
  const bool has_consumers = c.cursor.consumers || c.cursor.kind == model::CursorKind::kSubscription;
  const bool fresh = has_consumers ? c.consumers_fresh : c.topic_fresh;
  verdict.stale = !fresh || (verdict.mark_delete && !c.position_fresh);
  if (state != State::kUnknown) verdict.drain = drain_of(c);
  if (state == State::kAbandoned && verdict.drain == model::Drain::kTtl && !pins_more_than_before(c)) {
    verdict.severity = model::Severity::kInfo;
  }
  fill_age(c, verdict);
  if (verdict.mark_delete && c.hole) {
    auto hole = *c.hole;
    hole.holder = holder_of(c.cursor);
    verdict.hole = std::move(hole);
  }
  if (state != State::kOk) verdict.evidence = facts_of(c);
  if (state == State::kStalled) add_stall_facts(c, verdict.evidence);
  if (state == State::kLagging) add_lag_facts(c, verdict.evidence);
  const bool held = state == State::kUnackedBlocked || state == State::kAckHole;
  if (const auto holder = holder_of(c.cursor); held && holder) verdict.evidence.emplace_back("holder", *holder);
  if (c.cursor.kind == model::CursorKind::kReader)
    verdict.pinned_bytes = verdict.pinned_entries = verdict.reclaimable_bytes = 0;
}

void weigh_stall(const CursorCase& c, std::optional<TimeMs> disk_full_ms, model::CursorVerdict& verdict) {
  const bool replicator = verdict.state == State::kStalled && c.cursor.kind == model::CursorKind::kReplicator;
  const auto& before = c.history.backlog_at_stop;
  if (!replicator || !disk_full_ms || !before || c.cursor.backlog_entries.value_or(0) <= *before) return;
  verdict.severity = model::Severity::kCritical;
  verdict.evidence.emplace_back("disk_full_ms", *disk_full_ms);
}

void add_figures(model::CursorVerdict& verdict) {
  if (verdict.pinned_bytes) verdict.evidence.emplace_back("pinned_bytes", *verdict.pinned_bytes);
  if (verdict.topic_reclaimable_bytes)
    verdict.evidence.emplace_back("topic_reclaimable_bytes", *verdict.topic_reclaimable_bytes);
  if (verdict.owner) verdict.evidence.emplace_back("owner", *verdict.owner);
}

model::Finding finding_of(const model::CursorVerdict& verdict, const model::TopicView& topic, State state) {
  model::Finding finding;
  finding.rule = model::name_of(state);
  finding.level = model::Level::kCursor;
  finding.severity = verdict.severity;
  finding.topic = topic.name;
  finding.cursor = verdict.cursor.str();
  finding.ns = topic.ns;
  finding.subject = topic.name + " [" + *finding.cursor + "]";
  finding.since_ms = verdict.since_ms;
  finding.summary =
      verdict.state == State::kUnknown ? "kept from the last fresh documents; none is fresh now" : summary_of(verdict);
  finding.evidence = verdict.evidence;
  return finding;
}

}  // namespace tidemark::detect
