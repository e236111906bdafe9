#include "pulsar/topic_sweep.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/sax_reader.h"
#include "formats/shape.h"
#include "pulsar/fields.h"

namespace tidemark::pulsar {
namespace {

using formats::Scalar;
using formats::Shape;

struct Building : SweepTopic {
  std::int64_t listed_publishers = 0;  // not listed when the broker's exposePublisherStats is off
  std::optional<std::int64_t> producer_count;
};

void or_blocked(SweepSubscription& self, const Scalar& value) {
  self.blocked_on_unacked = value.as_bool().value_or(false) || self.blocked_on_unacked;
}

void earliest_connected(SweepSubscription& self, const Scalar& value) {
  const auto text = value.as_text();
  const auto at = text ? parse_iso8601(*text) : std::nullopt;
  if (at) self.connected_ms = std::min(self.connected_ms.value_or(*at), *at);
}

const Shape<SweepSubscription>& subscription_shape() {
  using S = SweepSubscription;
  static const auto consumer = [] {
    Shape<S> made;
    made.set<or_blocked>("blockedConsumerOnUnackedMsgs").set<earliest_connected>("connectedSince");
    return made;
  }();
  static const auto shape = [] {
    Shape<S> made;
    made.value<&S::type>("type")
        .each<&S::consumers>("consumers", consumer)
        .value<&S::backlog_entries>("msgBacklog")
        .value<&S::acked_ranges>("totalNonContiguousDeletedMessagesRange")
        .value<&S::unacked_messages>("unackedMessages")
        .set<or_blocked>("blockedSubscriptionOnUnackedMsgs")
        .value<&S::rate_out>("msgRateOut");
    return made;
  }();
  return shape;
}

const Shape<Building>& topic_shape() {
  static const Shape<Building> nothing;
  static const auto shape = [] {
    using T = Building;
    Shape<T> made;
    // A subscription that the broker left open has swallowed what follows it: then the topic's own numbers stand among
    // the subscriptions, and the topic is refused.
    constexpr bool kObjectsOnly = true;
    made.value<&T::storage_bytes>("storageSize")
        .value<&T::backlog_bytes>("backlogSize")
        .value<&T::messages_in>("msgInCount")
        .value<&T::bytes_in>("bytesInCount")
        .each<&T::listed_publishers>("publishers", nothing)
        .value<&T::producer_count>("producerCount")
        .value<&T::rate_in>("msgRateIn")
        .named<&T::subscriptions, &SweepSubscription::name>("subscriptions", subscription_shape(), kObjectsOnly)
        .needed()
        .named<&T::replicators, &Replicator::cluster>("replication", replicator_shape(), kObjectsOnly);
    return made;
  }();
  return shape;
}

}  // namespace

Result<SweepTopic> decode_sweep_topic(std::string_view raw_name, std::string_view object) {
  auto name = formats::unescape_json(raw_name);
  if (name.has_error()) return name.error().at("broker-stats topic name");
  Building topic;
  topic.name = std::move(*name);
  if (auto done = read_shape("broker-stats", object, topic_shape(), topic); done.has_error()) {
    return done.error().at(topic.name);
  }
  topic.publishers = topic.producer_count.value_or(topic.listed_publishers);
  return SweepTopic(std::move(topic));
}

Result<SweepTopic> decode_sweep_name(std::string_view raw_name) {
  auto name = formats::unescape_json(raw_name);
  if (name.has_error()) return name.error().at("name of a loaded topic");
  SweepTopic topic;
  topic.name = std::move(*name);
  return topic;
}

formats::MemberSplitter split_sweep(std::size_t max_topic_bytes, formats::MemberSplitter::Sink sink) {
  constexpr int kTopicDepth = 4;
  return {kTopicDepth,
          max_topic_bytes,
          std::move(sink),
          {.key_prefixes = {"persistent://", "non-persistent://"}, .free_member = "subscriptions"}};
}

formats::MemberSplitter split_loaded_topics(formats::MemberSplitter::Sink sink) {
  constexpr int kTopicDepth = 2;
  constexpr std::size_t kMostBytes = std::size_t{64} << 10;  // some numbers
  return {kTopicDepth, kMostBytes, std::move(sink), {}};
}

}  // namespace tidemark::pulsar
