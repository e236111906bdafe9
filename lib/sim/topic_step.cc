// What happens to a loaded topic in a stretch of time without anybody deciding it: publishers publish, connected
// consumers consume, the broker expires, rolls over and trims. Written to be cheap: it runs once per topic and step.
#include <algorithm>
#include <utility>

#include "sim/random.h"
#include "sim/topic.h"

namespace tidemark::sim {
namespace {

// Whether a check that runs every `interval` runs in (from, now].
bool due(Duration interval, TimeMs from, TimeMs now) {
  return interval.count() > 0 && now / interval.count() != from / interval.count();
}

// What is under way when a document is made: two seconds of a minute's traffic.
constexpr std::int64_t kInFlightOf = 30;

constexpr std::int64_t kFewEntries = 1000;  // MINIMUM_BACKLOG_FOR_EXPIRY_CHECK

}  // namespace

void Topic::begin_period(TimeMs from, TimeMs now) {
  period_seconds_ = std::max(static_cast<double>(now - from) / 1000, 1.0);
  in_period_ = 0;
  bytes_in_period_ = 0;
  for (auto& one : subscriptions_) {
    one->out_in_period = one->bytes_in_period = one->acked_in_period = one->expired_in_period = 0;
  }
}

void Topic::step(const Effective& policies, TimeMs from, TimeMs now, double day_shape) {
  if (!loaded_) return;
  begin_period(from, now);
  run_publishers(from, now, day_shape);
  while (!delayed_.empty() && delayed_.front().due_ms <= now) delayed_.pop_front();
  const std::int64_t fresh = in_period_;
  for (auto& one : subscriptions_) {
    if (!one->consumers.empty()) consume(*one, fresh, from, now);
  }
  run_expiry(policies, from, now);
  if (ledger_.roll_if_old(now)) trim_wanted_ = true;
  if (trim_wanted_ || due(settings_.retention_check, from, now)) trim(policies, now);
}

void Topic::run_publishers(TimeMs from, TimeMs now, double day_shape) {
  const double minutes = static_cast<double>(now - from) / 60'000;
  for (auto& publisher : publishers_) {
    publisher.in_period = 0;
    if (publisher.rate.per_minute <= 0) continue;
    const auto noise = mix(static_cast<std::uint64_t>(now) ^ seed_) % 201;
    const double wobble = 0.9 + static_cast<double>(noise) / 1000;
    publisher.carry += publisher.rate.per_minute * minutes * wobble * (1 + publisher.rate.swing * day_shape);
    const auto entries = static_cast<std::int64_t>(publisher.carry);
    if (entries <= 0) continue;
    publisher.carry -= static_cast<double>(entries);
    publisher.in_period = entries;
    publish(entries, publisher.rate.bytes, from, now, publisher.rate.deliver_after);
  }
}

void Topic::consume(SimSubscription& subscription, std::int64_t fresh, TimeMs from, TimeMs now) {
  auto& cursor = subscription.cursor;
  const auto& first = subscription.consumers.front();
  const std::int64_t end = std::min(ledger_.end_index(), transaction_at_.value_or(INT64_MAX));
  if (first.behaviour == Behaviour::kHolds) {
    const std::int64_t until = std::min(end, cursor.index() + first.receiver_queue);
    const std::int64_t sent = until - cursor.read_index();
    cursor.read_up_to(until);
    count_out(subscription, sent, now);
    subscription.consumers.front().unacked += std::max<std::int64_t>(sent, 0);
    return;
  }
  const std::int64_t before = cursor.backlog(ledger_);
  if (before <= 0) return;
  const std::int64_t sent = end - cursor.read_index();
  bool moved = false;
  if (first.behaviour == Behaviour::kPaces) {
    const std::int64_t budget = std::max<std::int64_t>(first.pace * (now - from) / 60'000, 0);
    for (const auto& run : cursor.next_unacked(ledger_, budget)) {
      moved |= cursor.ack(ledger_, run.from, std::min(run.to, end));
    }
  } else {
    const std::int64_t target = open_transaction() ? end : end - fresh / kInFlightOf;
    std::int64_t at = cursor.index();
    for (const auto& late : delayed_) {
      if (late.due_ms <= now) continue;
      if (late.from_index > at) moved |= cursor.ack(ledger_, at, std::min(late.from_index, target));
      at = std::max(at, late.end_index);
    }
    if (target > at) moved |= cursor.ack(ledger_, at, target);
  }
  cursor.read_up_to(end);
  const std::int64_t held_before = std::exchange(subscription.held_back, delayed(subscription, now));
  count_out(subscription, sent - subscription.held_back + held_before, now);
  const std::int64_t entries = before - cursor.backlog(ledger_);
  // Positions are written at most once a second.
  acked(subscription, entries, std::min(entries, std::max<std::int64_t>((now - from) / 1000, 1)), moved, now);
}

void Topic::run_expiry(const Effective& policies, TimeMs from, TimeMs now) {
  if (policies.ttl_seconds > 0 && !expiry_held_ && due(settings_.ttl_check, from, now)) {
    for (auto& one : subscriptions_) {
      const auto& cursor = one->cursor;
      const std::int64_t backlog = cursor.backlog(ledger_);
      if (backlog == 0 || !cursor.durable()) continue;
      // Connected and almost caught up: left alone until half as long again.
      const TimeMs oldest = ledger_.published_ms(cursor.index());
      const bool far_over = now - oldest > policies.ttl_seconds * 1500;
      if (!one->consumers.empty() && backlog < kFewEntries && !far_over) continue;
      expire(one->name(), policies.ttl_seconds, now);
    }
  }
  if (policies.expiration_minutes > 0 && due(settings_.expiration_check, from, now)) {
    const auto expired = std::erase_if(subscriptions_, [&](const auto& one) {
      return one->durable() && one->consumers.empty() && !one->replicated &&
             now - one->last_active_ms > policies.expiration_minutes * 60'000;
    });
    if (expired > 0) trim_wanted_ = true;
  }
}

void Topic::trim(const Effective& policies, TimeMs now) {
  trim_wanted_ = false;
  std::optional<ManagedLedger::Bound> bound;
  if (const auto* holder = slowest()) {
    bound = ManagedLedger::Bound{holder->cursor.index(), holder->cursor.mark_delete().ledger_id};
  }
  if (!ledger_.trim(bound, policies.retention, settings_.boundary, now)) return;
  for (auto& one : subscriptions_) {
    // A reader does not pin: its cursor is pushed along.
    if (!one->durable() && one->cursor.index() < ledger_.begin_index()) {
      one->cursor.move(ledger_.last_deleted(), ledger_.begin_index());
    }
  }
}

const SimSubscription* Topic::slowest() const {
  const SimSubscription* found = nullptr;
  for (const auto& one : subscriptions_) {
    if (!one->durable()) continue;
    if (found == nullptr || one->cursor.index() < found->cursor.index()) found = one.get();
  }
  return found;
}

std::int64_t Topic::backlog_bytes() const {
  const auto* holder = slowest();
  return holder == nullptr ? 0 : ledger_.bytes_after(holder->cursor.mark_delete());
}

std::int64_t Topic::delayed(const SimSubscription& subscription, TimeMs now) const {
  if (!subscription.dispatcher) return 0;
  std::int64_t sum = 0;
  for (const auto& late : delayed_) {
    if (late.due_ms <= now) continue;
    const std::int64_t from = std::max(late.from_index, subscription.cursor.index());
    const std::int64_t to = std::min(late.end_index, subscription.cursor.read_index());
    sum += std::max<std::int64_t>(to - from, 0);
  }
  return sum;
}

}  // namespace tidemark::sim
