// GET .../stats: Jackson's spelling, both names of the durable flag, doubles in full.
#include "sim/documents.h"
#include "sim/java_json.h"
#include "sim/topic.h"

namespace tidemark::sim {
namespace {

void write_zeros(JavaJson& json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) json.member(key, 0);
}

std::int64_t sharing(const SimSubscription& subscription) {
  const bool shared =
      subscription.wanted_type == SubscriptionType::kShared || subscription.wanted_type == SubscriptionType::kKeyShared;
  return shared && !subscription.consumers.empty() ? static_cast<std::int64_t>(subscription.consumers.size()) : 1;
}

void write_publisher(JavaJson& json, const Topic& topic, const Publisher& publisher) {
  const double rate = static_cast<double>(publisher.in_period) / topic.seconds_in_period();
  json.begin_object();
  json.member("accessMode", "Shared");
  json.member("msgRateIn", rate);
  json.member("msgThroughputIn", rate * static_cast<double>(publisher.rate.bytes));
  json.member("averageMsgSize", publisher.in_period > 0 ? static_cast<double>(publisher.rate.bytes) : 0.0);
  json.member("chunkedMessageRate", 0.0);
  json.member("producerId", publisher.id);
  json.member("supportsPartialProducer", false);
  json.member("producerName", publisher.name);
  json.member("address", publisher.address);
  json.member("connectedSince", java_nano_time(publisher.connected_ms, publisher.name));
  json.member("clientVersion", "Pulsar-Java-v4.0.7");
  json.empty_object("metadata");
  json.end_object();
}

void write_consumer(JavaJson& json, const Topic& topic, const SimSubscription& subscription,
                    const SimConsumer& consumer) {
  const double seconds = topic.seconds_in_period() * static_cast<double>(sharing(subscription));
  json.begin_object();
  json.member("msgRateOut", static_cast<double>(subscription.out_in_period) / seconds);
  json.member("msgThroughputOut", static_cast<double>(subscription.bytes_in_period) / seconds);
  json.member("bytesOutCounter", consumer.bytes_out);
  json.member("msgOutCounter", consumer.messages_out);
  json.member("msgRateRedeliver", 0.0);
  json.member("messageAckRate", static_cast<double>(subscription.acked_in_period) / seconds);
  json.member("chunkedMessageRate", 0.0);
  json.member("consumerName", consumer.name);
  json.member("availablePermits", consumer.permits());
  json.member("unackedMessages", consumer.unacked);
  json.member("avgMessagesPerEntry", consumer.messages_out > 0 ? 1 : 0);
  json.member("blockedConsumerOnUnackedMsgs", false);
  write_zeros(json, {"drainingHashesCount", "drainingHashesClearedTotal", "drainingHashesUnackedMessages"});
  json.member("address", consumer.address);
  json.member("connectedSince", java_nano_time(consumer.connected_ms, consumer.name));
  json.member("clientVersion", consumer.client_version);
  json.member("lastAckedTimestamp", consumer.acked_ms);
  json.member("lastConsumedTimestamp", consumer.consumed_ms);
  json.member("lastConsumedFlowTimestamp", consumer.flow_ms);
  json.empty_object("metadata");
  json.member("lastAckedTime", java_time(consumer.acked_ms));
  json.member("lastConsumedTime", java_time(consumer.consumed_ms));
  json.end_object();
}

// -1: nothing waits.
std::int64_t earliest_in_backlog(const Topic& topic, const SimSubscription& subscription) {
  const auto& cursor = subscription.cursor;
  return cursor.backlog(topic.ledger()) > 0 ? topic.ledger().published_ms(cursor.index()) : -1;
}

void write_subscription_head(JavaJson& json, const Topic& topic, const SimSubscription& subscription, TimeMs now,
                             bool earliest) {
  const double seconds = topic.seconds_in_period();
  const std::int64_t backlog = subscription.cursor.backlog(topic.ledger());
  const std::int64_t delayed = topic.delayed(subscription, now);
  const bool shared = sharing(subscription) > 1 || subscription.wanted_type == SubscriptionType::kShared;
  std::int64_t unacked = 0;
  TimeMs consumed = 0;
  TimeMs acked = 0;
  for (const auto& consumer : subscription.consumers) {
    unacked += consumer.unacked;
    consumed = std::max(consumed, consumer.consumed_ms);
    acked = std::max(acked, consumer.acked_ms);
  }
  json.member("msgRateOut", static_cast<double>(subscription.out_in_period) / seconds);
  json.member("msgThroughputOut", static_cast<double>(subscription.bytes_in_period) / seconds);
  json.member("bytesOutCounter", subscription.bytes_out);
  json.member("msgOutCounter", subscription.messages_out);
  json.member("msgRateRedeliver", 0.0);
  json.member("messageAckRate", static_cast<double>(subscription.acked_in_period) / seconds);
  json.member("chunkedMessageRate", 0.0);
  json.member("msgBacklog", backlog);
  json.member("backlogSize", topic.ledger().bytes_after(subscription.cursor.mark_delete()));
  json.member("earliestMsgPublishTimeInBacklog", earliest ? earliest_in_backlog(topic, subscription) : 0);
  json.member("msgBacklogNoDelayed", backlog - delayed);
  json.member("blockedSubscriptionOnUnackedMsgs", false);
  json.member("msgDelayed", delayed);
  json.member("msgInReplay", 0);
  json.member("unackedMessages", unacked);
  json.member("type", subscription.dispatcher ? name_of(subscription.wanted_type) : "None");
  if (!shared && !subscription.consumers.empty()) {
    json.member("activeConsumerName", subscription.consumers.front().name);
  }
  json.member("msgRateExpired", static_cast<double>(subscription.expired_in_period) / seconds);
  json.member("totalMsgExpired", subscription.expired_total);
  json.member("lastExpireTimestamp", subscription.expire_ms);
  json.member("lastConsumedFlowTimestamp", subscription.flow_ms);
  json.member("lastConsumedTimestamp", consumed);
  json.member("lastAckedTimestamp", acked);
  json.member("lastMarkDeleteAdvancedTimestamp", subscription.mark_delete_advanced_ms);
}

void write_subscription(JavaJson& json, const Topic& topic, const SimSubscription& subscription, TimeMs now,
                        bool earliest) {
  const auto ranges = static_cast<std::int64_t>(subscription.cursor.printed(topic.ledger()).size());
  json.key(subscription.name());
  json.begin_object();
  write_subscription_head(json, topic, subscription, now, earliest);
  json.key("consumers");
  json.begin_array();
  for (const auto& consumer : subscription.consumers) write_consumer(json, topic, subscription, consumer);
  json.end_array();
  json.member("isDurable", subscription.durable());
  json.member("isReplicated", subscription.replicated);
  json.member("allowOutOfOrderDelivery", false);
  json.empty_object("consumersAfterMarkDeletePosition");
  write_zeros(json, {"drainingHashesCount", "drainingHashesClearedTotal", "drainingHashesUnackedMessages"});
  json.member("nonContiguousDeletedMessagesRanges", ranges);
  json.member("nonContiguousDeletedMessagesRangesSerializedSize", ranges * 14);
  json.member("delayedMessageIndexSizeInBytes", topic.delayed(subscription, now) * 38);
  json.key("subscriptionProperties");
  json.begin_object();
  for (const auto& [name, value] : subscription.properties) json.member(name, value);
  json.end_object();
  write_zeros(
      json, {"filterProcessedMsgCount", "filterAcceptedMsgCount", "filterRejectedMsgCount", "filterRescheduledMsgCount",
             "dispatchThrottledMsgEventsBySubscriptionLimit", "dispatchThrottledBytesEventsBySubscriptionLimit",
             "dispatchThrottledMsgEventsByTopicLimit", "dispatchThrottledBytesEventsByTopicLimit",
             "dispatchThrottledMsgEventsByBrokerLimit", "dispatchThrottledBytesEventsByBrokerLimit"});
  json.member("durable", subscription.durable());
  json.member("replicated", subscription.replicated);
  json.end_object();
}

void write_rates(JavaJson& json, const Topic& topic) {
  const double seconds = topic.seconds_in_period();
  double out = 0;
  double bytes_out = 0;
  for (const auto& one : topic.subscriptions()) {
    out += static_cast<double>(one->out_in_period);
    bytes_out += static_cast<double>(one->bytes_in_period);
  }
  json.member("msgRateIn", static_cast<double>(topic.in_period()) / seconds);
  json.member("msgThroughputIn", static_cast<double>(topic.bytes_in_period()) / seconds);
  json.member("msgRateOut", out / seconds);
  json.member("msgThroughputOut", bytes_out / seconds);
  json.member("bytesInCounter", topic.bytes_in());
  json.member("msgInCounter", topic.messages_in());
  json.member("systemTopicBytesInCounter", 0);
  json.member("bytesOutCounter", topic.bytes_out());
  json.member("msgOutCounter", topic.messages_out());
  json.member("bytesOutInternalCounter", 0);
  json.member("averageMsgSize", topic.in_period() > 0 ? static_cast<double>(topic.bytes_in_period()) /
                                                            static_cast<double>(topic.in_period())
                                                      : 0.0);
}

// By the close time of the ledger that the slowest cursor stands in; unknown while that is the open one.
void write_oldest_backlog(JavaJson& json, const Topic& topic, TimeMs now) {
  const auto* slowest = topic.slowest();
  std::int64_t age = -1;
  if (slowest != nullptr && slowest->cursor.backlog(topic.ledger()) > 0) {
    const auto& own = topic.ledger().ledger_at(slowest->cursor.index());
    if (own.closed_ms != 0 && &own != &topic.ledger().last()) age = (now - own.closed_ms) / 1000;
  }
  json.member("oldestBacklogMessageAgeSeconds", age);
  if (age >= 0) json.member("oldestBacklogMessageSubscriptionName", url_encode(slowest->name()));
}

}  // namespace

std::string stats_document(const Topic& topic, const std::string& owner, TimeMs now, bool earliest) {
  std::int64_t ranges = 0;
  std::int64_t delayed = 0;
  for (const auto& one : topic.subscriptions()) {
    ranges += static_cast<std::int64_t>(one->cursor.printed(topic.ledger()).size());
    delayed += topic.delayed(*one, now);
  }
  JavaJson json;
  json.begin_object();
  write_rates(json, topic);
  json.member("msgChunkPublished", false);
  json.member("storageSize", topic.ledger().total_bytes());
  json.member("backlogSize", topic.backlog_bytes());
  json.member("backlogQuotaLimitSize", -1);
  json.member("backlogQuotaLimitTime", -1);
  write_oldest_backlog(json, topic, now);
  write_zeros(json, {"publishRateLimitedTimes", "earliestMsgPublishTimeInBacklogs"});
  json.member("offloadedStorageSize", topic.ledger().offloaded_bytes());
  write_zeros(json, {"lastOffloadLedgerId", "lastOffloadSuccessTimeStamp", "lastOffloadFailureTimeStamp"});
  json.member("ongoingTxnCount", topic.open_transaction() ? 1 : 0);
  write_zeros(json, {"abortedTxnCount", "committedTxnCount"});
  json.key("publishers");
  json.begin_array();
  for (const auto& publisher : topic.publishers()) write_publisher(json, topic, publisher);
  json.end_array();
  json.member("waitingPublishers", 0);
  json.key("subscriptions");
  json.begin_object();
  for (const auto& one : topic.subscriptions()) {
    if (!one->internal()) write_subscription(json, topic, *one, now, earliest);
  }
  json.end_object();
  write_replication(json, topic);
  json.member("deduplicationStatus", topic.find("pulsar.dedup") != nullptr ? "Enabled" : "Disabled");
  json.member("nonContiguousDeletedMessagesRanges", ranges);
  json.member("nonContiguousDeletedMessagesRangesSerializedSize", ranges * 14);
  json.member("delayedMessageIndexSizeInBytes", delayed * 38);
  json.key("compaction");
  json.begin_object();
  write_zeros(json, {"lastCompactionRemovedEventCount", "lastCompactionSucceedTimestamp",
                     "lastCompactionFailedTimestamp", "lastCompactionDurationTimeInMills"});
  json.end_object();
  json.member("ownerBroker", owner);
  json.end_object();
  return json.take();
}

}  // namespace tidemark::sim
