#include "history/expiry.h"

#include <algorithm>

namespace tidemark::history {
namespace {

constexpr TimeMs kOneLossMs = 24LL * 3600000;

}  // namespace

// Without a dispatcher nobody knows what is delayed.
std::optional<Expiry::Waiting> Expiry::waiting_of(const model::CursorView& cursor) {
  const bool of_one_document = cursor.backlog_entries && cursor.backlog_at_ms == cursor.stats_at_ms;
  if (!cursor.delayed_entries || !cursor.messages_out || cursor.type == "None" || !of_one_document) return std::nullopt;
  const auto due = std::max<std::int64_t>(0, *cursor.backlog_entries - *cursor.delayed_entries);
  return Waiting{*cursor.delayed_entries, due, *cursor.messages_out};
}

// Of `expired` messages, those that surely were delayed ones: as many as the delayed count fell by, or all when nothing
// else had been there to expire. Where something was sent, the delayed ones may have been.
std::int64_t Expiry::undelivered(const Waiting& before, const Waiting& now, std::int64_t expired) {
  if (now.sent != before.sent) return 0;
  if (before.delayed - now.delayed == expired) return expired;
  return before.due == 0 ? std::min(expired, before.delayed) : 0;
}

// Counters begin anew at each load.
void Expiry::observe(const model::TopicView& topic, const model::CursorView& cursor) {
  if (cursor.stats_at_ms <= at_ms_) return;
  const auto expired = cursor.expired_total.value_or(0);
  const bool same_load = at_ms_ != 0 && topic.epoch == epoch_ && expired >= expired_;
  const auto rise = same_load ? expired - expired_ : 0;
  at_ms_ = cursor.stats_at_ms;
  epoch_ = topic.epoch;
  expired_ = expired;
  if (!same_load || rise > 0) stands_since_ms_ = at_ms_;
  if (cursor.earliest_publish_ms) oldest_ = Oldest{*cursor.earliest_publish_ms, at_ms_};

  const auto now = waiting_of(cursor);
  const auto lost = now && waiting_ && same_load ? undelivered(*waiting_, *now, rise) : 0;
  if (lost > 0) {
    const bool goes_on = loss_ && at_ms_ - loss_->at < kOneLossMs;
    loss_ = Loss{lost + (goes_on ? loss_->messages : 0), at_ms_};
  }
  waiting_ = now;
}

}  // namespace tidemark::history
