#include "history/topic_history.h"

#include <algorithm>

namespace tidemark::history {
namespace {

// A cursor whose place is not known may need anything.
bool needs(const model::TopicView& topic, const model::CursorView& cursor, std::int64_t ledger) {
  if (cursor.kind == model::CursorKind::kReader) return false;
  if (!cursor.mark_delete || cursor.position_stale_by_rule) return true;
  return topic.ledgers.normalise(*cursor.mark_delete).ledger_id <= ledger;
}

}  // namespace

void TopicHistory::observe(const model::TopicView& topic, Duration growth_window) {
  growth.observe(topic, growth_window);
  observe_producers(topic);
  observe_ledgers(topic);
  if (receipt) receipt->observe(topic);
}

// The counter starts anew at each load; then only a fresh start of it says nothing of publishing.
void TopicHistory::observe_producers(const model::TopicView& topic) {
  if (topic.loaded == model::Loaded::kNo) {
    // Nobody can be connected, and what was published before belongs to documents of that time.
    if (topic.absent_at_ms <= producers_ms_) return;
    producers_ms_ = topic.absent_at_ms;
    if (!no_producer_since_ms_) no_producer_since_ms_ = producers_ms_;
    return;
  }
  const auto at = std::max(topic.sweep_at_ms, topic.stats_at_ms);
  if (!topic.publishers || at <= producers_ms_) return;
  const auto published = topic.messages_in.value_or(0);
  const bool silent = topic.epoch == epoch_ ? published == messages_in_ : published == 0;
  const bool nobody = *topic.publishers == 0;
  if (!nobody) {
    no_producer_since_ms_.reset();
  } else if (!no_producer_since_ms_ || !silent) {
    no_producer_since_ms_ = at;
  }
  producers_ms_ = at;
  messages_in_ = published;
  epoch_ = topic.epoch;
}

void TopicHistory::observe_ledgers(const model::TopicView& topic) {
  const auto& list = topic.ledgers.list();
  const auto at = topic.loaded == model::Loaded::kNo ? topic.info_at_ms : topic.internal_at_ms;
  if (list.empty() || at <= ledgers_ms_) return;
  std::vector<std::pair<std::int64_t, TimeMs>> closings;
  for (const auto& ledger : list) {
    if (ledger.closed_ms || ledger.id == list.back().id) continue;
    if (const auto known = closed_ms(ledger.id)) {
      closings.emplace_back(ledger.id, *known);
    } else if (last_ledger_ != -1 && ledger.id >= last_ledger_) {
      closings.emplace_back(ledger.id, at);
    }
  }
  closings_ = std::move(closings);
  observe_last_ledger(list.back());
  ledgers_ms_ = at;
  observe_first_ledger(topic);
}

// While the topic is unloaded its size is in no document, and what the last load said stands.
void TopicHistory::observe_last_ledger(const model::Ledger& last) {
  const bool told = last.entries && last.bytes;
  if (!told && last.id == last_ledger_) return;
  last_ledger_ = last.id;
  last_entries_ = told ? last.entries : std::nullopt;
  last_bytes_ = told ? last.bytes : std::nullopt;
}

std::optional<model::Ledger> TopicHistory::last_ledger() const {
  if (!last_entries_ || !last_bytes_) return std::nullopt;
  return model::Ledger{last_ledger_, last_entries_, last_bytes_, {}, false};
}

void TopicHistory::observe_first_ledger(const model::TopicView& topic) {
  const auto before = std::exchange(first_ledger_, topic.ledgers.list().front().id);
  const bool needed = first_ledger_ == last_ledger_ ||
                      std::any_of(topic.cursors.begin(), topic.cursors.end(),
                                  [&](const auto& cursor) { return needs(topic, cursor, first_ledger_); });
  if (needed) {
    first_unneeded_since_ms_ = 0;
  } else if (first_unneeded_since_ms_ == 0 || before != first_ledger_) {
    first_unneeded_since_ms_ = ledgers_ms_;
  }
}

std::optional<TopicHistory::Unneeded> TopicHistory::first_unneeded() const {
  if (first_unneeded_since_ms_ == 0) return std::nullopt;
  return Unneeded{first_unneeded_since_ms_, ledgers_ms_};
}

std::optional<TimeMs> TopicHistory::closed_ms(std::int64_t ledger) const {
  const auto at = std::lower_bound(closings_.begin(), closings_.end(), ledger,
                                   [](const auto& closing, std::int64_t id) { return closing.first < id; });
  return at != closings_.end() && at->first == ledger ? std::optional(at->second) : std::nullopt;
}

}  // namespace tidemark::history
