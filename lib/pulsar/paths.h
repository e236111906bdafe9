#pragma once
// Every path we ever ask for, made and recognised in one place. There is no function here for an endpoint with a side
// effect (see docs/design.md, section 3), so there is no way to ask for one by accident.

#include <optional>
#include <string>
#include <string_view>

namespace tidemark::pulsar {

enum class Endpoint {
  kClusters,
  kBrokers,
  kVersion,
  kRuntimeConfiguration,
  kTenants,
  kNamespaces,         // of a tenant
  kPolicies,           // of a namespace
  kTopics,             // of a namespace
  kPartitionedTopics,  // of a namespace
  kSweep,
  kLoadedTopics,  // of a broker, by name alone
  kStats,
  kInternalStats,
  kInternalInfo,
  kPartitions,      // of a partitioned topic: how many
  kSchemaMetadata,  // of a topic, its partitions together; 4.0+, loads nothing
  kTopicRetention,  // a topic's own policies: never asked for, since that starts a reader; a recording may hold them
  kTopicTtl,
  kTopicQuotas,
  kTopicCompaction,
  kBookies,
  kBookieMetrics,
  kBookieConfiguration,
  kBookieInfo,
  kBookieSuspension,   // of its compactions
  kLedgerList,         // of a bookie: all ledgers of the cluster
  kBookiesRegistered,  // as one bookie lists them
  kOther,              // anything else in a recording: ignored
};

// For metrics and messages, e.g. "internal_stats".
const char* name_of(Endpoint endpoint);

// What a path asks for. `ns` is "tenant/ns", `topic` the whole decoded name "persistent://t/n/x"; empty where not part
// of it.
struct Route {
  Endpoint endpoint = Endpoint::kOther;
  std::string tenant;
  std::string ns;
  std::string topic;
};

// Ignores the query. Percent escapes are decoded as the broker's URLDecoder does.
Route parse_path(std::string_view path);

std::string clusters_path();
std::string brokers_path(std::string_view cluster);
std::string version_path();
std::string runtime_configuration_path();
std::string tenants_path();
std::string namespaces_path(std::string_view tenant);
std::string policies_path(std::string_view ns);
std::string topics_path(std::string_view ns);  // includeSystemTopic=true
std::string partitioned_topics_path(std::string_view ns);
std::string sweep_path();
// Counts of pending BookKeeper requests by topic: what is wanted is the topics, each that is loaded now.
std::string loaded_topics_path();
std::string stats_path(std::string_view topic);  // subscriptionBacklogSize is left at the broker's default
// With getEarliestTimeInBacklog=true, 2.10+: the broker reads one entry a subscription for it.
std::string stats_with_earliest_path(std::string_view topic);
bool asks_for_earliest(std::string_view path);
std::string internal_stats_path(std::string_view topic);
std::string internal_info_path(std::string_view topic);
std::string partitions_path(std::string_view topic);  // of a partitioned topic; makes none, by the broker's default
// One of the topic's own policies, by its endpoint; of a partitioned topic they are its parent's.
std::string topic_policy_path(std::string_view topic, Endpoint policy);
std::string schema_metadata_path(std::string_view topic);
std::string bookies_path();
std::string bookie_metrics_path();
std::string bookie_configuration_path();
std::string bookie_info_path();
std::string bookie_suspension_path();
// The whole list at once, which is never asked for; and one page, from 1 on.
std::string ledger_list_path();
std::string ledger_list_path(int page);
std::optional<int> page_of(std::string_view path);
std::string bookies_registered_path(bool read_only);  // of all bookies those that take writes, or that are read-only
bool asks_for_read_only(std::string_view registered_path);

}  // namespace tidemark::pulsar
