#include "pulsar/topic_stats.h"

#include "pulsar/fields.h"

namespace tidemark::pulsar {
namespace {

using formats::Scalar;
using formats::Shape;

const Shape<StatsConsumer>& consumer_shape() {
  static const auto shape = [] {
    using C = StatsConsumer;
    Shape<C> made;
    made.value<&C::name>("consumerName")
        .value<&C::available_permits>("availablePermits")
        .value<&C::unacked_messages>("unackedMessages")
        .value<&C::blocked>("blockedConsumerOnUnackedMsgs")
        .set<set_iso<&C::connected_ms, C>>("connectedSince");
    return made;
  }();
  return shape;
}

// -1: not asked for.
void set_backlog_bytes(StatsSubscription& self, const Scalar& value) {
  const auto bytes = value.as_integer();
  self.backlog_bytes = bytes && *bytes >= 0 ? bytes : std::nullopt;
}

const Shape<StatsSubscription>& subscription_shape() {
  static const auto shape = [] {
    using S = StatsSubscription;
    Shape<S> made;
    made.value<&S::durable>("durable")
        .value<&S::durable>("isDurable")
        .value<&S::replicated>("replicated")
        .value<&S::replicated>("isReplicated")
        .value<&S::type>("type")
        .list<&S::consumers>("consumers", consumer_shape())
        .value<&S::backlog_entries>("msgBacklog")
        .set<set_backlog_bytes>("backlogSize")
        .value<&S::delayed_entries>("msgDelayed")
        .value<&S::unacked_messages>("unackedMessages")
        .value<&S::blocked_on_unacked>("blockedSubscriptionOnUnackedMsgs")
        .value<&S::rate_out>("msgRateOut")
        .value<&S::messages_out>("msgOutCounter")
        .value<&S::active_consumer>("activeConsumerName")
        .set<set_ms<&S::flow_ms, S>>("lastConsumedFlowTimestamp")
        .set<set_ms<&S::mark_delete_advanced_ms, S>>("lastMarkDeleteAdvancedTimestamp")
        .set<set_ms<&S::expired_ms, S>>("lastExpireTimestamp")
        .set<set_ms<&S::earliest_publish_ms, S>>("earliestMsgPublishTimeInBacklog")
        .value<&S::expired_total>("totalMsgExpired")
        .texts<&S::properties>("subscriptionProperties");
    return made;
  }();
  return shape;
}

const Shape<TopicStats>& topic_shape() {
  static const Shape<TopicStats> nothing;
  static const auto shape = [] {
    using T = TopicStats;
    Shape<T> made;
    made.value<&T::storage_bytes>("storageSize")
        .value<&T::backlog_bytes>("backlogSize")
        .value<&T::messages_in>("msgInCounter")
        .value<&T::bytes_in>("bytesInCounter")
        .each<&T::publishers>("publishers", nothing)
        .value<&T::rate_in>("msgRateIn")
        .value<&T::open_transactions>("ongoingTxnCount")
        .value<&T::owner_broker>("ownerBroker")
        .named<&T::subscriptions, &StatsSubscription::name>("subscriptions", subscription_shape())
        .needed()
        .named<&T::replicators, &Replicator::cluster>("replication", replicator_shape());
    return made;
  }();
  return shape;
}

}  // namespace

Result<TopicStats> decode_topic_stats(std::string_view body) {
  TopicStats stats;
  if (auto done = read_shape("stats", body, topic_shape(), stats); done.has_error()) return done.error();
  return stats;
}

}  // namespace tidemark::pulsar
