#pragma once
// GET .../{topic}/stats. Loads an unloaded topic: ask only for topics that the owner has just listed.
// Timestamps are epoch milliseconds and 0 ("never since load") becomes an empty optional. Both spellings of `durable`
// are read.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "pulsar/replicator.h"

namespace tidemark::pulsar {

struct StatsConsumer {
  std::string name;
  std::int64_t available_permits = 0;
  std::int64_t unacked_messages = 0;
  bool blocked = false;                // blockedConsumerOnUnackedMsgs
  std::optional<TimeMs> connected_ms;  // connectedSince
};

struct StatsSubscription {
  std::string name;
  bool durable = true;
  bool replicated = false;
  std::string type;
  std::vector<StatsConsumer> consumers;
  std::int64_t backlog_entries = 0;           // msgBacklog; may be negative
  std::optional<std::int64_t> backlog_bytes;  // empty when -1 or absent; on 2.x 0 unless asked for
  std::int64_t delayed_entries = 0;
  std::int64_t unacked_messages = 0;
  bool blocked_on_unacked = false;
  double rate_out = 0;
  std::int64_t messages_out = 0;
  std::string active_consumer;    // activeConsumerName
  std::optional<TimeMs> flow_ms;  // lastConsumedFlowTimestamp
  std::optional<TimeMs> mark_delete_advanced_ms;
  std::optional<TimeMs> expired_ms;           // lastExpireTimestamp
  std::optional<TimeMs> earliest_publish_ms;  // earliestMsgPublishTimeInBacklog, > 0 only
  std::int64_t expired_total = 0;
  std::map<std::string, std::string> properties;  // subscriptionProperties
};

struct TopicStats {
  std::int64_t storage_bytes = 0;
  std::int64_t backlog_bytes = 0;
  std::int64_t messages_in = 0;
  std::int64_t bytes_in = 0;
  std::int64_t publishers = 0;
  double rate_in = 0;
  std::int64_t open_transactions = 0;  // ongoingTxnCount, 3.0+
  std::string owner_broker;            // 3.0+
  std::vector<StatsSubscription> subscriptions;
  std::vector<Replicator> replicators;
};

Result<TopicStats> decode_topic_stats(std::string_view body);

}  // namespace tidemark::pulsar
