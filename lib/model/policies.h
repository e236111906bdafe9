#pragma once
// What holds for a topic, in the broker's order of precedence: the topic's own policy, else its namespace's, else the
// broker's default. Absent and null leave it to the next one; 0 and -1 are answers (TTL 0 = none, retention -1 =
// without end in that dimension, compaction threshold 0 = not by itself).

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/snapshot.h"

namespace tidemark::model {

enum class PolicySource { kUnknown, kTopic, kNamespace, kBroker };
const char* name_of(PolicySource source);

// Empty = unknown: the namespace's policies were not read, or they leave it to a broker whose default was not.
template <class T>
struct Policy {
  std::optional<T> value;
  PolicySource source = PolicySource::kUnknown;
};

Policy<Retention> retention_of(const Snapshot& snapshot, const TopicView& topic);
Policy<std::int64_t> ttl_seconds_of(const Snapshot& snapshot, const TopicView& topic);  // 0 = none
Policy<std::int64_t> compaction_threshold_of(const Snapshot& snapshot, const TopicView& topic);
Policy<std::int64_t> write_quorum_of(const Snapshot& snapshot, const TopicView& topic);

// The two kinds of quota come from different sources where a topic or namespace gives only one of them.
struct Quota {
  BacklogQuota limits;  // those that are known; none where unknown
  PolicySource size_source = PolicySource::kUnknown;
  PolicySource age_source = PolicySource::kUnknown;
};
Quota quota_of(const Snapshot& snapshot, const TopicView& topic);

// The same without a topic: what the namespace gives to topics that have no policy of their own.
Policy<Retention> retention_of(const NamespaceView& ns, const BrokerDefaults& broker);
Policy<std::int64_t> ttl_seconds_of(const NamespaceView& ns, const BrokerDefaults& broker);
Quota quota_of(const NamespaceView& ns, const BrokerDefaults& broker);

// Of subscriptions, which topics have no policy for. 0 = they never expire.
Policy<std::int64_t> expiration_minutes_of(const Snapshot& snapshot, const NamespaceView& ns);
// Whether a namespace's 0 turns expiration off; until 2.8.0 it left it to the broker. An unknown version is recent.
bool zero_expiration_is_off(std::string_view version);
// Whether a load of its topic starts the clock of a subscription's expiration anew (seen on 4.0.7 and 4.2.4, not on
// 2.10.5, 3.0.7 and 5.0.1).
bool load_restarts_expiration(std::string_view version);

}  // namespace tidemark::model
