#include "model/policies.h"

#include <algorithm>
#include <array>

#include "model/version.h"

namespace tidemark::model {
namespace {

constexpr std::array<const char*, 4> kSources{"unknown", "topic", "namespace", "broker"};

// A namespace that was not read leaves nothing to the broker either: what it says is not known.
const NamespaceView& namespace_of(const Snapshot& snapshot, const TopicView& topic) {
  static const NamespaceView kUnread;
  const auto at = snapshot.namespaces.find(topic.ns);
  return at != snapshot.namespaces.end() ? at->second : kUnread;
}

// Of a partition: its parent's.
const TopicPolicies& own_of(const Snapshot& snapshot, const TopicView& topic) {
  static const TopicPolicies kNone;
  if (snapshot.topic_policies.empty()) return kNone;
  const auto name = parse_topic(topic.name);
  const auto at = snapshot.topic_policies.find(name ? name->parent : std::string_view(topic.name));
  return at != snapshot.topic_policies.end() ? at->second : kNone;
}

template <class T>
Policy<T> first_of(const std::optional<T>& topic, const NamespaceView& ns, const std::optional<T>& own,
                   const std::optional<T>& broker) {
  if (topic) return {topic, PolicySource::kTopic};
  if (!ns.policies_known) return {};
  if (own) return {own, PolicySource::kNamespace};
  if (broker) return {broker, PolicySource::kBroker};
  return {};
}

Policy<std::int64_t> at_least_none(Policy<std::int64_t> policy) {
  if (policy.value) policy.value = std::max<std::int64_t>(0, *policy.value);
  return policy;
}

// Kinds that nobody before gave.
void take(Quota& quota, const std::optional<BacklogQuota>& given, PolicySource source) {
  if (!given) return;
  if (given->gives_size && quota.size_source == PolicySource::kUnknown) {
    quota.size_source = source;
    quota.limits.gives_size = true;
    quota.limits.bytes = given->bytes;
    quota.limits.evicts_by_size = given->evicts_by_size;
  }
  if (given->gives_age && quota.age_source == PolicySource::kUnknown) {
    quota.age_source = source;
    quota.limits.gives_age = true;
    quota.limits.seconds = given->seconds;
    quota.limits.evicts_by_age = given->evicts_by_age;
  }
}

Quota first_quotas(const std::optional<BacklogQuota>& topic, const NamespaceView& ns, const BrokerDefaults& broker) {
  Quota quota;
  take(quota, topic, PolicySource::kTopic);
  if (!ns.policies_known) return quota;
  take(quota, ns.quota, PolicySource::kNamespace);
  take(quota, broker.quota, PolicySource::kBroker);
  return quota;
}

}  // namespace

const char* name_of(PolicySource source) { return kSources[static_cast<std::size_t>(source)]; }

Policy<Retention> retention_of(const Snapshot& snapshot, const TopicView& topic) {
  const auto& ns = namespace_of(snapshot, topic);
  return first_of(own_of(snapshot, topic).retention, ns, ns.retention, snapshot.defaults.retention);
}

Policy<std::int64_t> ttl_seconds_of(const Snapshot& snapshot, const TopicView& topic) {
  const auto& ns = namespace_of(snapshot, topic);
  return at_least_none(
      first_of(own_of(snapshot, topic).ttl_seconds, ns, ns.ttl_seconds, snapshot.defaults.ttl_seconds));
}

Policy<std::int64_t> compaction_threshold_of(const Snapshot& snapshot, const TopicView& topic) {
  const auto& ns = namespace_of(snapshot, topic);
  return at_least_none(first_of(own_of(snapshot, topic).compaction_threshold_bytes, ns, ns.compaction_threshold_bytes,
                                snapshot.defaults.compaction_threshold_bytes));
}

Policy<std::int64_t> write_quorum_of(const Snapshot& snapshot, const TopicView& topic) {
  const auto& ns = namespace_of(snapshot, topic);
  return first_of({}, ns, ns.write_quorum, snapshot.defaults.write_quorum);
}

Quota quota_of(const Snapshot& snapshot, const TopicView& topic) {
  return first_quotas(own_of(snapshot, topic).quota, namespace_of(snapshot, topic), snapshot.defaults);
}

Policy<Retention> retention_of(const NamespaceView& ns, const BrokerDefaults& broker) {
  return first_of({}, ns, ns.retention, broker.retention);
}

Policy<std::int64_t> ttl_seconds_of(const NamespaceView& ns, const BrokerDefaults& broker) {
  return at_least_none(first_of({}, ns, ns.ttl_seconds, broker.ttl_seconds));
}

Quota quota_of(const NamespaceView& ns, const BrokerDefaults& broker) { return first_quotas({}, ns, broker); }

bool zero_expiration_is_off(std::string_view version) {
  const auto known = parse_version(version);
  return !known || *known >= Version{2, 8, 1};
}

bool load_restarts_expiration(std::string_view version) {
  const auto known = parse_version(version);
  return known && *known >= Version{3, 2, 4} && *known != Version{3, 3, 0} && known->major < 5;
}

Policy<std::int64_t> expiration_minutes_of(const Snapshot& snapshot, const NamespaceView& ns) {
  auto own = ns.expiration_minutes;
  if (own && *own <= 0 && !zero_expiration_is_off(snapshot.version)) own.reset();
  return at_least_none(first_of({}, ns, own, snapshot.defaults.expiration_minutes));
}

}  // namespace tidemark::model
