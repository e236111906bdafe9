#pragma once
// A persistent topic on a broker: loaded or not, its managed ledger, subscriptions and publishers. Operations are what
// clients and administrators do; step() is what the broker and connected clients do by themselves in a stretch of time.
//
// Attached clients want to stay: after an unload they reconnect, which loads the topic again. A topic that nobody is
// attached to stays unloaded until somebody asks.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/broker_settings.h"
#include "sim/managed_ledger.h"
#include "sim/subscription.h"

namespace tidemark::sim {

// Traffic by the minute, with a day's shape: `swing` 0 is flat, 1 goes from nothing at night to double at noon.
struct PublishRate {
  double per_minute = 0;
  std::int64_t bytes = 1024;  // an entry
  double swing = 0;
  Duration deliver_after{0};  // > 0: delayed delivery
};

struct Publisher {
  std::string name;
  std::string address;
  PublishRate rate;
  std::int64_t id = 0;
  TimeMs connected_ms = 0;
  double carry = 0;  // the part of an entry that is not due yet
  std::int64_t in_period = 0;
};

enum class Start { kEarliest, kLatest };
enum class CreatedBy { kClient, kAdmin };

class Topic {
 public:
  Topic(std::string name, Storage& storage, const BrokerSettings& settings, TimeMs now);

  const std::string& name() const { return name_; }
  const std::string& ns() const { return ns_; }
  std::uint64_t seed() const { return seed_; }  // of all that varies with the topic
  bool loaded() const { return loaded_; }
  TimeMs loaded_ms() const { return loaded_ms_; }
  TimeMs unloaded_ms() const { return unloaded_ms_; }  // the last time; 0 = never
  bool has_clients() const;
  const ManagedLedger& ledger() const { return ledger_; }
  const std::vector<std::unique_ptr<SimSubscription>>& subscriptions() const { return subscriptions_; }
  const std::vector<Publisher>& publishers() const { return publishers_; }
  SimSubscription* find(std::string_view subscription);
  const SimSubscription* find(std::string_view subscription) const;

  // Life on a broker. `graceful` false = the broker was killed.
  void load(TimeMs now);
  void unload(TimeMs now, bool graceful = true);

  // Clients. All of them load the topic.
  void add_publisher(std::string name, std::string address, const PublishRate& rate, TimeMs now);
  void remove_publisher(std::string_view name);
  void set_rate(std::string_view publisher, const PublishRate& rate);
  void publish(std::int64_t entries, std::int64_t bytes_each, TimeMs from, TimeMs now, Duration deliver_after = {});
  SimSubscription& subscribe(std::string_view name, SubscriptionType type, Start start, TimeMs now,
                             CreatedBy by = CreatedBy::kClient, bool durable = true);
  void unsubscribe(std::string_view name, TimeMs now);
  void connect(std::string_view subscription, SimConsumer consumer, TimeMs now);
  void disconnect(std::string_view subscription, std::string_view consumer, TimeMs now);
  // The next `entries` unacknowledged ones, or exactly [from, to) by index; by the first connected consumer.
  void ack(std::string_view subscription, std::int64_t entries, TimeMs now);
  void ack_range(std::string_view subscription, std::int64_t from, std::int64_t to, TimeMs now);
  void seek(std::string_view subscription, std::int64_t index, TimeMs now);

  // Administrators: resets and skips touch no timestamp and write one position.
  void reset(std::string_view subscription, std::int64_t index, TimeMs now);
  void skip(std::string_view subscription, std::int64_t entries, TimeMs now);
  void expire(std::string_view subscription, std::int64_t older_than_seconds, TimeMs now);

  // Nobody is given an entry from the first of an open transaction on. One at a time.
  void begin_transaction() { transaction_at_ = ledger_.end_index(); }
  void end_transaction() { transaction_at_.reset(); }
  bool open_transaction() const { return transaction_at_.has_value(); }
  void offload(TimeMs closed_until) { ledger_.offload(closed_until); }

  // Of the broker itself, as for replicated subscriptions: entries that no counter of producers knows.
  void write_markers(std::int64_t entries, std::int64_t bytes_each, TimeMs from, TimeMs now);
  // A fault of the broker's: its check for what is beyond the TTL leaves this topic out.
  void hold_expiry(bool held) { expiry_held_ = held; }

  // The broker's and the connected clients' own doings in (from, now].
  void step(const Effective& policies, TimeMs from, TimeMs now, double day_shape);
  void trim(const Effective& policies, TimeMs now);

  // Figures that documents share.
  std::int64_t backlog_bytes() const;      // of the slowest durable cursor
  const SimSubscription* slowest() const;  // durable, by mark-delete
  std::int64_t delayed(const SimSubscription& subscription, TimeMs now) const;
  double seconds_in_period() const { return period_seconds_; }
  std::int64_t in_period() const { return in_period_; }
  std::int64_t messages_in() const { return ledger_.added_since_load() - markers_; }
  std::int64_t bytes_in() const { return ledger_.bytes_since_load() - marker_bytes_; }
  std::int64_t bytes_in_period() const { return bytes_in_period_; }
  std::int64_t messages_out() const { return messages_out_; }
  std::int64_t bytes_out() const { return bytes_out_; }

 private:
  struct Delayed {
    std::int64_t end_index;  // entries before it, from the previous one's end on
    std::int64_t from_index;
    TimeMs due_ms;
  };

  SimSubscription& must_find(std::string_view subscription);
  void count_out(SimSubscription& subscription, std::int64_t entries, TimeMs now);
  void acked(SimSubscription& subscription, std::int64_t entries, std::int64_t writes, bool moved, TimeMs now);
  void consume(SimSubscription& subscription, std::int64_t fresh, TimeMs from, TimeMs now);
  void run_publishers(TimeMs from, TimeMs now, double day_shape);
  void run_expiry(const Effective& policies, TimeMs from, TimeMs now);
  void attach(SimSubscription& subscription, SimConsumer& consumer, TimeMs now);
  void begin_period(TimeMs from, TimeMs now);

  std::string name_;
  std::string ns_;
  std::uint64_t seed_;
  Storage& storage_;
  const BrokerSettings& settings_;
  ManagedLedger ledger_;
  std::vector<std::unique_ptr<SimSubscription>> subscriptions_;
  std::vector<Publisher> publishers_;
  std::deque<Delayed> delayed_;
  std::optional<std::int64_t> transaction_at_;
  bool loaded_ = true;
  bool trim_wanted_ = false;
  bool expiry_held_ = false;
  std::int64_t markers_ = 0;  // since the load
  std::int64_t marker_bytes_ = 0;
  TimeMs loaded_ms_;
  TimeMs unloaded_ms_ = 0;
  std::int64_t messages_out_ = 0;
  std::int64_t bytes_out_ = 0;
  std::int64_t next_producer_id_ = 0;
  double period_seconds_ = 60;
  std::int64_t in_period_ = 0;
  std::int64_t bytes_in_period_ = 0;
};

}  // namespace tidemark::sim
