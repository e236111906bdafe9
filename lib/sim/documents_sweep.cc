// The bulk statistics: written by hand in the broker, hence its own names (msgInCount, not msgInCounter) and style.
#include <map>

#include "sim/documents.h"
#include "sim/java_json.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

bool shared(const SimSubscription& subscription) {
  return subscription.dispatcher && (subscription.wanted_type == SubscriptionType::kShared ||
                                     subscription.wanted_type == SubscriptionType::kKeyShared);
}

void write_publishers(JavaJson& json, const Topic& topic) {
  json.key("publishers");
  json.begin_array();
  for (const auto& publisher : topic.publishers()) {
    const double rate = static_cast<double>(publisher.in_period) / topic.seconds_in_period();
    json.begin_object();
    json.member("msgRateIn", rate);
    json.member("msgThroughputIn", rate * static_cast<double>(publisher.rate.bytes));
    json.member("averageMsgSize", publisher.in_period > 0 ? static_cast<double>(publisher.rate.bytes) : 0.0);
    json.member("address", publisher.address);
    json.member("producerId", publisher.id);
    json.member("producerName", publisher.name);
    json.member("connectedSince", java_nano_time(publisher.connected_ms, publisher.name));
    json.member("clientVersion", "Pulsar-Java-v4.0.7");
    json.empty_object("metadata");
    json.end_object();
  }
  json.end_array();
}

void write_consumer(JavaJson& json, const Topic& topic, const SimSubscription& subscription,
                    const SimConsumer& consumer) {
  const double sharing = shared(subscription) ? static_cast<double>(subscription.consumers.size()) : 1;
  const double rate = static_cast<double>(subscription.out_in_period) / topic.seconds_in_period() / sharing;
  json.begin_object();
  json.member("address", consumer.address);
  json.member("consumerName", consumer.name);
  json.member("availablePermits", consumer.permits());
  json.member("connectedSince", java_nano_time(consumer.connected_ms, consumer.name));
  json.member("msgRateOut", rate);
  json.member("msgThroughputOut",
              static_cast<double>(subscription.bytes_in_period) / topic.seconds_in_period() / sharing);
  json.member("msgRateRedeliver", 0.0);
  json.member("avgMessagesPerEntry", consumer.messages_out > 0 ? 1 : 0);
  if (shared(subscription)) {
    json.member("unackedMessages", consumer.unacked);
    json.member("blockedConsumerOnUnackedMsgs", false);
  }
  json.member("messageAckRate",
              static_cast<double>(subscription.acked_in_period) / topic.seconds_in_period() / sharing);
  json.member("clientVersion", consumer.client_version);
  json.empty_object("metadata");
  json.end_object();
}

void write_subscription(JavaJson& json, const Topic& topic, const SimSubscription& subscription) {
  const auto& cursor = subscription.cursor;
  json.key(subscription.name());
  json.begin_object();
  json.key("consumers");
  json.begin_array();
  for (const auto& consumer : subscription.consumers) write_consumer(json, topic, subscription, consumer);
  json.end_array();
  json.member("msgBacklog", cursor.backlog(topic.ledger()));
  json.member("msgRateExpired", static_cast<double>(subscription.expired_in_period) / topic.seconds_in_period());
  json.member("msgRateOut", static_cast<double>(subscription.out_in_period) / topic.seconds_in_period());
  json.member("messageAckRate", static_cast<double>(subscription.acked_in_period) / topic.seconds_in_period());
  json.member("msgThroughputOut", static_cast<double>(subscription.bytes_in_period) / topic.seconds_in_period());
  json.member("msgRateRedeliver", 0.0);
  json.member("numberOfEntriesSinceFirstNotAckedMessage", cursor.read_index() - cursor.index() + 1);
  json.member("totalNonContiguousDeletedMessagesRange",
              static_cast<std::int64_t>(cursor.printed(topic.ledger()).size()));
  json.member("type", subscription.dispatcher ? name_of(subscription.wanted_type) : "None");
  if (subscription.dispatcher) {
    for (const char* key :
         {"filterProcessedMsgCount", "filterAcceptedMsgCount", "filterRejectedMsgCount", "filterRescheduledMsgCount"}) {
      json.member(key, 0);
    }
  }
  if (shared(subscription)) {
    std::int64_t unacked = 0;
    for (const auto& consumer : subscription.consumers) unacked += consumer.unacked;
    json.member("blockedSubscriptionOnUnackedMsgs", false);
    json.member("unackedMessages", unacked);
  }
  json.end_object();
}

void write_topic(JavaJson& json, const Topic& topic) {
  const double seconds = topic.seconds_in_period();
  double out = 0;
  double bytes_out = 0;
  for (const auto& one : topic.subscriptions()) {
    out += static_cast<double>(one->out_in_period);
    bytes_out += static_cast<double>(one->bytes_in_period);
  }
  const auto& ledger = topic.ledger();
  json.key(topic.name());
  json.begin_object();
  write_publishers(json, topic);
  write_replication(json, topic);
  json.key("subscriptions");
  json.begin_object();
  for (const auto& one : topic.subscriptions()) {
    if (!one->internal()) write_subscription(json, topic, *one);
  }
  json.end_object();
  json.member("producerCount", static_cast<std::int64_t>(topic.publishers().size()));
  json.member("averageMsgSize", topic.in_period() > 0 ? static_cast<double>(topic.bytes_in_period()) /
                                                            static_cast<double>(topic.in_period())
                                                      : 0.0);
  json.member("msgRateIn", static_cast<double>(topic.in_period()) / seconds);
  json.member("msgRateOut", out / seconds);
  json.member("msgInCount", topic.messages_in());
  json.member("bytesInCount", topic.bytes_in());
  json.member("msgOutCount", topic.messages_out());
  json.member("bytesOutCount", topic.bytes_out());
  json.member("msgThroughputIn", static_cast<double>(topic.bytes_in_period()) / seconds);
  json.member("msgThroughputOut", bytes_out / seconds);
  json.member("storageSize", ledger.total_bytes());
  json.member("backlogSize", topic.backlog_bytes());
  json.member("pendingAddEntriesCount", 0);
  json.member("filteredEntriesCount", 0);
  json.end_object();
}

}  // namespace

std::string sweep_document(World& world, std::size_t broker) {
  std::map<std::string, std::map<std::string, std::vector<const Topic*>>> by_bundle;
  for (const auto* topic : world.topics()) {
    if (!topic->loaded() || world.owner_of(*topic) != broker) continue;
    by_bundle[topic->ns()][bundle_of(topic->name(), world.settings().bundles)].push_back(topic);
  }
  JavaJson json(JavaStyle::kBulk);
  json.begin_object();
  for (const auto& [ns, bundles] : by_bundle) {
    json.key(ns);
    json.begin_object();
    for (const auto& [bundle, topics] : bundles) {
      json.key(bundle);
      json.begin_object();
      json.key("persistent");
      json.begin_object();
      for (const auto* topic : topics) write_topic(json, *topic);
      json.end_object();
      json.end_object();
    }
    json.end_object();
  }
  json.end_object();
  return json.take();
}

}  // namespace tidemark::sim
