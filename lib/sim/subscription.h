#pragma once
// The broker's side of a subscription: its cursor, who is connected, and the in-memory clocks and counters that begin
// anew with every load of the topic.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "sim/cursor.h"

namespace tidemark::sim {

enum class SubscriptionType { kExclusive, kShared, kFailover, kKeyShared };
const char* name_of(SubscriptionType type);

// What a connected consumer does with what it gets.
enum class Behaviour {
  kDrains,  // acknowledges everything, a moment behind the publishers
  kHolds,   // takes messages and acknowledges none
  kPaces,   // acknowledges at most `pace` entries a minute
};

struct SimConsumer {
  std::string name;
  std::string address;
  std::string client_version = "Pulsar-Java-v4.0.7";
  Behaviour behaviour = Behaviour::kDrains;
  std::int64_t pace = 0;
  std::int64_t receiver_queue = 1000;

  // As of this connection.
  TimeMs connected_ms = 0;
  TimeMs flow_ms = 0;
  TimeMs consumed_ms = 0;
  TimeMs acked_ms = 0;
  std::int64_t messages_out = 0;
  std::int64_t bytes_out = 0;
  std::int64_t unacked = 0;

  // Who holds what it got asks for no more than its queue takes.
  std::int64_t permits() const {
    if (behaviour == Behaviour::kHolds) return receiver_queue > unacked ? receiver_queue - unacked : 0;
    return receiver_queue - messages_out % (receiver_queue / 2 + 1);
  }
};

struct SimSubscription {
  SimSubscription(Cursor cursor_in, SubscriptionType type_in, TimeMs now)
      : cursor(std::move(cursor_in)), wanted_type(type_in), last_active_ms(now) {}

  Cursor cursor;
  SubscriptionType wanted_type;  // of its clients
  bool dispatcher = false;       // a consumer attached since the load; without it `type` is "None"
  std::vector<SimConsumer> consumers;
  std::map<std::string, std::string> properties;
  bool replicated = false;

  // Since the load.
  TimeMs flow_ms = 0;
  TimeMs mark_delete_advanced_ms = 0;
  TimeMs expire_ms = 0;
  TimeMs last_active_ms;  // the clock of expiration
  std::int64_t expired_total = 0;
  std::int64_t messages_out = 0;
  std::int64_t bytes_out = 0;
  std::int64_t held_back = 0;  // delayed ones, as of the last step: read, and sent to nobody yet

  // Of the last statistics period.
  std::int64_t out_in_period = 0;
  std::int64_t bytes_in_period = 0;
  std::int64_t acked_in_period = 0;
  std::int64_t expired_in_period = 0;

  const std::string& name() const { return cursor.name(); }
  bool durable() const { return cursor.durable(); }
  // A replicator's or deduplication's: no document lists it among the subscriptions. What is connected to the other
  // cluster is its consumer here.
  bool internal() const { return name().starts_with("pulsar."); }
  bool replicator() const { return name().starts_with(kReplicatorPrefix); }
  std::string_view remote_cluster() const { return std::string_view{name()}.substr(kReplicatorPrefix.size()); }

  static constexpr std::string_view kReplicatorPrefix = "pulsar.repl.";
};

}  // namespace tidemark::sim
