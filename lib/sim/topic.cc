// What clients and administrators do to a topic. What time does to it is in topic_step.cc.
#include "sim/topic.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/names.h"
#include "sim/random.h"

namespace tidemark::sim {
namespace {

// Average size of an entry, for counters of what was sent.
std::int64_t average_bytes(const ManagedLedger& ledger) {
  return ledger.total_entries() > 0 ? ledger.total_bytes() / ledger.total_entries() : 0;
}

}  // namespace

const char* name_of(SubscriptionType type) {
  switch (type) {
    case SubscriptionType::kExclusive:
      return "Exclusive";
    case SubscriptionType::kShared:
      return "Shared";
    case SubscriptionType::kFailover:
      return "Failover";
    case SubscriptionType::kKeyShared:
      return "Key_Shared";
  }
  return "None";
}

Topic::Topic(std::string name, Storage& storage, const BrokerSettings& settings, TimeMs now)
    : name_(std::move(name)),
      seed_(hash_of(name_)),
      storage_(storage),
      settings_(settings),
      ledger_(storage, settings.ledgers, now),
      loaded_ms_(now) {
  const auto parts = model::parse_topic(name_);
  if (!parts) throw std::invalid_argument("not a topic name: " + name_);
  ns_ = parts->ns;
}

bool Topic::has_clients() const {
  if (!publishers_.empty()) return true;
  return std::any_of(subscriptions_.begin(), subscriptions_.end(), [](const auto& s) { return !s->consumers.empty(); });
}

SimSubscription* Topic::find(std::string_view subscription) {
  for (auto& one : subscriptions_) {
    if (one->name() == subscription) return one.get();
  }
  return nullptr;
}

const SimSubscription* Topic::find(std::string_view subscription) const {
  for (const auto& one : subscriptions_) {
    if (one->name() == subscription) return one.get();
  }
  return nullptr;
}

SimSubscription& Topic::must_find(std::string_view subscription) {
  auto* found = find(subscription);
  if (found == nullptr) throw std::invalid_argument("no subscription " + std::string(subscription) + " on " + name_);
  return *found;
}

void Topic::load(TimeMs now) {
  if (loaded_) return;
  loaded_ = true;
  loaded_ms_ = now;
  ledger_.load(now);
  messages_out_ = 0;
  bytes_out_ = 0;
  in_period_ = 0;
  bytes_in_period_ = 0;
  markers_ = marker_bytes_ = 0;
  for (auto& one : subscriptions_) {
    auto& s = *one;
    s.cursor.load(now);
    s.dispatcher = false;
    s.flow_ms = s.mark_delete_advanced_ms = s.expire_ms = 0;
    s.expired_total = s.messages_out = s.bytes_out = s.held_back = 0;
    s.out_in_period = s.bytes_in_period = s.acked_in_period = s.expired_in_period = 0;
    if (!settings_.expiration_survives_load) s.last_active_ms = now;
    for (auto& consumer : s.consumers) attach(s, consumer, now);
    trim_wanted_ = trim_wanted_ || s.durable();
  }
  for (auto& publisher : publishers_) publisher.connected_ms = now;
}

void Topic::unload(TimeMs now, bool graceful) {
  if (!loaded_) return;
  loaded_ = false;
  unloaded_ms_ = now;
  if (graceful) {
    for (auto& one : subscriptions_) one->cursor.close(ledger_, settings_.cursors, now);
  }
  std::erase_if(subscriptions_, [](const auto& one) { return !one->durable() && one->consumers.empty(); });
}

void Topic::add_publisher(std::string name, std::string address, const PublishRate& rate, TimeMs now) {
  load(now);
  Publisher publisher;
  publisher.name = std::move(name);
  publisher.address = std::move(address);
  publisher.rate = rate;
  publisher.id = next_producer_id_++;
  publisher.connected_ms = now;
  publishers_.push_back(std::move(publisher));
}

void Topic::remove_publisher(std::string_view name) {
  std::erase_if(publishers_, [&](const Publisher& one) { return one.name == name; });
}

void Topic::set_rate(std::string_view publisher, const PublishRate& rate) {
  for (auto& one : publishers_) {
    if (one.name == publisher) one.rate = rate;
  }
}

void Topic::publish(std::int64_t entries, std::int64_t bytes_each, TimeMs from, TimeMs now, Duration deliver_after) {
  load(now);
  if (entries <= 0) return;
  const std::int64_t begin = ledger_.end_index();
  const std::int64_t last = ledger_.last().id;
  ledger_.publish(entries, bytes_each, from, now);
  in_period_ += entries;
  bytes_in_period_ += entries * bytes_each;
  if (ledger_.last().id != last) trim_wanted_ = true;
  if (deliver_after.count() > 0) delayed_.push_back({begin + entries, begin, now + deliver_after.count()});
}

void Topic::write_markers(std::int64_t entries, std::int64_t bytes_each, TimeMs from, TimeMs now) {
  load(now);
  const std::int64_t last = ledger_.last().id;
  ledger_.publish(entries, bytes_each, from, now);
  markers_ += entries;
  marker_bytes_ += entries * bytes_each;
  if (ledger_.last().id != last) trim_wanted_ = true;
}

SimSubscription& Topic::subscribe(std::string_view name, SubscriptionType type, Start start, TimeMs now, CreatedBy by,
                                  bool durable) {
  load(now);
  if (auto* there = find(name)) return *there;
  const std::int64_t index = start == Start::kEarliest ? ledger_.begin_index() : ledger_.end_index();
  const Position position = start == Start::kEarliest ? ledger_.position_at(index) : ledger_.last_confirmed();
  subscriptions_.push_back(
      std::make_unique<SimSubscription>(Cursor(std::string(name), durable, position, index, now), type, now));
  auto& made = *subscriptions_.back();
  // An administrator's PUT writes a position; a client's subscribe leaves the cursor without a ledger.
  if (by == CreatedBy::kAdmin) made.cursor.persist(storage_, settings_.cursors, 1, now);
  return made;
}

void Topic::unsubscribe(std::string_view name, TimeMs now) {
  load(now);
  std::erase_if(subscriptions_, [&](const auto& one) { return one->name() == name; });
  trim_wanted_ = true;
}

void Topic::attach(SimSubscription& subscription, SimConsumer& consumer, TimeMs now) {
  consumer.connected_ms = now;
  consumer.flow_ms = now;
  consumer.consumed_ms = consumer.acked_ms = 0;
  consumer.messages_out = consumer.bytes_out = consumer.unacked = 0;
  subscription.dispatcher = true;
  subscription.flow_ms = now;
  subscription.last_active_ms = now;
}

void Topic::connect(std::string_view subscription, SimConsumer consumer, TimeMs now) {
  load(now);
  auto& s = must_find(subscription);
  if (s.consumers.empty()) s.cursor.rewind_read();
  attach(s, consumer, now);
  s.consumers.push_back(std::move(consumer));
}

void Topic::disconnect(std::string_view subscription, std::string_view consumer, TimeMs now) {
  auto* s = find(subscription);
  if (s == nullptr) return;
  std::erase_if(s->consumers, [&](const SimConsumer& one) { return one.name == consumer; });
  s->last_active_ms = now;
  if (!s->durable() && s->consumers.empty()) {
    std::erase_if(subscriptions_, [&](const auto& one) { return one.get() == s; });
  }
}

void Topic::count_out(SimSubscription& subscription, std::int64_t entries, TimeMs now) {
  if (entries <= 0) return;
  const std::int64_t bytes = entries * average_bytes(ledger_);
  subscription.messages_out += entries;
  subscription.bytes_out += bytes;
  subscription.out_in_period += entries;
  subscription.bytes_in_period += bytes;
  messages_out_ += entries;
  bytes_out_ += bytes;
  if (subscription.consumers.empty()) return;
  const bool shared =
      subscription.wanted_type == SubscriptionType::kShared || subscription.wanted_type == SubscriptionType::kKeyShared;
  const auto sharing = shared ? static_cast<std::int64_t>(subscription.consumers.size()) : 1;
  std::int64_t left = entries;
  for (std::int64_t i = 0; i < sharing; ++i) {
    auto& consumer = subscription.consumers[static_cast<std::size_t>(i)];
    const std::int64_t share = left / (sharing - i);
    left -= share;
    if (share == 0) continue;
    // Clients ask for more each time half of their queue went.
    const std::int64_t half = std::max<std::int64_t>(consumer.receiver_queue / 2, 1);
    const bool asks = (consumer.messages_out + share) / half != consumer.messages_out / half;
    consumer.messages_out += share;
    consumer.bytes_out += share * average_bytes(ledger_);
    consumer.consumed_ms = now;
    if (asks && consumer.behaviour != Behaviour::kHolds) subscription.flow_ms = consumer.flow_ms = now;
  }
}

void Topic::acked(SimSubscription& subscription, std::int64_t entries, std::int64_t writes, bool moved, TimeMs now) {
  if (entries <= 0) return;
  subscription.acked_in_period += entries;
  subscription.last_active_ms = now;
  std::int64_t left = entries;
  for (auto& consumer : subscription.consumers) {
    consumer.acked_ms = now;
    const std::int64_t own = std::min(consumer.unacked, left);
    consumer.unacked -= own;
    left -= own;
  }
  if (moved) subscription.mark_delete_advanced_ms = now;
  subscription.cursor.persist(storage_, settings_.cursors, writes, now);
  trim_wanted_ = trim_wanted_ || moved;
}

void Topic::ack(std::string_view subscription, std::int64_t entries, TimeMs now) {
  auto& s = must_find(subscription);
  for (const auto& run : s.cursor.next_unacked(ledger_, entries)) ack_range(subscription, run.from, run.to, now);
}

void Topic::ack_range(std::string_view subscription, std::int64_t from, std::int64_t to, TimeMs now) {
  auto& s = must_find(subscription);
  const std::int64_t before = s.cursor.backlog(ledger_);
  const std::int64_t sent = std::max<std::int64_t>(std::min(to, ledger_.end_index()) - s.cursor.read_index(), 0);
  const bool moved = s.cursor.ack(ledger_, from, to);
  count_out(s, sent, now);
  acked(s, before - s.cursor.backlog(ledger_), 1, moved, now);
}

void Topic::seek(std::string_view subscription, std::int64_t index, TimeMs now) {
  // The client's connection is dropped by the broker and made again.
  reset(subscription, index, now);
  auto& s = must_find(subscription);
  for (auto& consumer : s.consumers) attach(s, consumer, now);
}

void Topic::reset(std::string_view subscription, std::int64_t index, TimeMs now) {
  load(now);
  auto& s = must_find(subscription);
  // A place in a deleted ledger becomes the start of the first listed one.
  index = std::clamp(index, ledger_.begin_index(), ledger_.end_index());
  s.cursor.move(ledger_.position_at(index), index);
  s.held_back = delayed(s, now);
  s.cursor.persist(storage_, settings_.cursors, 1, now);
  trim_wanted_ = true;
}

void Topic::skip(std::string_view subscription, std::int64_t entries, TimeMs now) {
  load(now);
  auto& s = must_find(subscription);
  for (const auto& run : s.cursor.next_unacked(ledger_, entries)) s.cursor.ack(ledger_, run.from, run.to);
  s.cursor.persist(storage_, settings_.cursors, 1, now);
  trim_wanted_ = true;
}

void Topic::expire(std::string_view subscription, std::int64_t older_than_seconds, TimeMs now) {
  load(now);
  auto& s = must_find(subscription);
  const std::int64_t backlog = s.cursor.backlog(ledger_);
  if (backlog == 0) return;
  s.expire_ms = now - 5;
  const std::int64_t index = ledger_.index_published_until(now - older_than_seconds * 1000);
  if (index <= std::max(s.cursor.index(), ledger_.begin_index())) return;
  s.cursor.ack(ledger_, s.cursor.index(), index);
  const std::int64_t expired = backlog - s.cursor.backlog(ledger_);
  s.expired_total += expired;
  s.expired_in_period += expired;
  s.held_back = delayed(s, now);
  s.mark_delete_advanced_ms = now - 1;
  s.cursor.persist(storage_, settings_.cursors, 1, now);
  trim_wanted_ = true;
}

}  // namespace tidemark::sim
