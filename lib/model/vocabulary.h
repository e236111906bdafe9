#pragma once
// The words of every verdict, listed once. Documentation, alert skeletons, JSON and the test "is every document this
// rule needs ever asked for" all read these tables, so a new state or rule is one line here and its own file in detect.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tidemark::model {

enum class Severity : std::uint8_t { kInfo, kWarning, kCritical };
enum class Level : std::uint8_t { kCursor, kSubscription, kTopic, kNamespace, kTenant, kBookie, kBroker, kCluster };

const char* name_of(Severity severity);
const char* name_of(Level level);
std::optional<Severity> severity_named(std::string_view name);

// Documents a verdict may need, as a bit set.
enum Needs : unsigned {
  kNeedsSweep = 1U << 0,
  kNeedsStats = 1U << 1,
  kNeedsInternalStats = 1U << 2,
  kNeedsInternalInfo = 1U << 3,
  kNeedsPolicies = 1U << 4,
  kNeedsBrokerConfiguration = 1U << 5,
  kNeedsTopicList = 1U << 6,
  kNeedsBookieMetrics = 1U << 7,
  kNeedsLedgerList = 1U << 8,
  kNeedsBookieAdmin = 1U << 9,
  kNeedsPartitionedTopics = 1U << 10,
};

// In the order in which they are tried: the first that holds is the state.
enum class State : std::uint8_t {
  kUnknown,
  kRewound,
  kDelayed,
  kAbandoned,
  kIdle,
  kUnused,
  kUnackedBlocked,
  kAckHole,
  kStalled,
  kLagging,
  kOk
};

struct StateWord {
  State state;
  std::string_view name;
  Severity severity;  // of the finding it makes
  bool is_finding;
  unsigned needs;
  std::string_view meaning;
};

inline constexpr std::array<StateWord, 11> kStates{{
    {State::kUnknown, "unknown", Severity::kInfo, false, 0, "no fresh document; the last verdict is kept beside it"},
    {State::kRewound, "rewound", Severity::kInfo, true, kNeedsInternalStats,
     "the mark-delete moved back within one topic load (seek or reset)"},
    {State::kDelayed, "delayed", Severity::kInfo, true, kNeedsStats | kNeedsInternalStats,
     "everything outstanding is delayed messages that are not yet due"},
    {State::kAbandoned, "abandoned", Severity::kWarning, true, kNeedsStats | kNeedsInternalStats | kNeedsInternalInfo,
     "no consumer and no activity for detect.abandoned_after, pins storage"},
    {State::kIdle, "idle", Severity::kInfo, true, kNeedsSweep | kNeedsStats | kNeedsInternalStats,
     "no consumer and something pinned, but younger or within its rhythm"},
    {State::kUnused, "unused", Severity::kInfo, true, kNeedsStats | kNeedsInternalStats,
     "no consumer and no activity for detect.abandoned_after, nothing pinned yet"},
    {State::kUnackedBlocked, "unacked_blocked", Severity::kWarning, true, kNeedsStats | kNeedsInternalStats,
     "consumers hold unacknowledged messages and get no more; the mark-delete stands for detect.stuck_after"},
    {State::kAckHole, "ack_hole", Severity::kWarning, true, kNeedsStats | kNeedsInternalStats,
     "the mark-delete stands for detect.stuck_after while later entries are acknowledged"},
    {State::kStalled, "stalled", Severity::kWarning, true, kNeedsStats | kNeedsInternalStats | kNeedsPolicies,
     "nothing moves what should move: replication, compaction, a snapshot, or the dispatch to consumers who ask"},
    {State::kLagging, "lagging", Severity::kWarning, true, kNeedsSweep,
     "consumers or a replicator do not keep up with what is published, over detect.lag_window"},
    {State::kOk, "ok", Severity::kInfo, false, kNeedsSweep, "caught up, advancing, or nothing known against it"},
}};

const StateWord& word_of(State state);
inline std::string_view name_of(State state) { return word_of(state).name; }

// Nobody uses it and nobody is expected back: what `topic_reclaimable_bytes` is about.
constexpr bool is_leftover(State state) { return state == State::kAbandoned || state == State::kUnused; }

enum class Rule : std::uint8_t {
  kHeldWithoutCursor,
  kDanglingPosition,
  kPositionNotPersisted,
  kCounterMismatch,
  kPolicyAudit,
  kDeletionBlocked,
  kExpirationUnset,
  kExpirationLegacyZero,
  kTtlOverdue,
  kTtlRetention,
  kDelayedOutlivesTtl,
  kGrowthWithoutPublishers,
  kLeftoverReplicator,
  kBookieReadOnly,
  kBookieUnregistered,
  kExpirationIneffective,
  kExpirationAtRisk,
  kDiskFullForecast,
  kWritableBookiesLow,
  kSubscriptionCountGrowth,
  kCreationBurst,
  kOrphanLedgers,
  kDiskGrowthFlatTraffic,
  kQuotaForecast,
  kReclaimPending,
  kReclaimStuck,
  kReadCacheThrash,
  kAdminApiStall,
  kStaleTopicMetadata,
};

struct RuleWord {
  Rule rule;
  std::string_view name;
  Level level;
  Severity severity;
  unsigned needs;
  std::string_view meaning;
};

inline constexpr std::array kRules{
    RuleWord{Rule::kHeldWithoutCursor, "held_without_cursor", Level::kTopic, Severity::kInfo,
             kNeedsStats | kNeedsInternalStats, "bytes stay that no durable cursor pins; `cause` says why"},
    RuleWord{Rule::kDanglingPosition, "dangling_position", Level::kCursor, Severity::kWarning, kNeedsInternalStats,
             "the mark-delete went back to before the first ledger that is left, and holds everything"},
    RuleWord{Rule::kPositionNotPersisted, "position_not_persisted", Level::kCursor, Severity::kWarning,
             kNeedsInternalStats, "the mark-delete moves and is not stored: a restart would go back to where it was"},
    RuleWord{Rule::kCounterMismatch, "counter_mismatch", Level::kCursor, Severity::kInfo,
             kNeedsStats | kNeedsInternalStats,
             "the reported backlog is negative, or contradicts the positions at two polls"},
    RuleWord{
        Rule::kPolicyAudit, "policy_audit", Level::kNamespace, Severity::kInfo,
        kNeedsPolicies | kNeedsBrokerConfiguration,
        "policies that mean something else than they seem to, or nothing that bounds a backlog; `cause` says which"},
    RuleWord{Rule::kDeletionBlocked, "deletion_blocked", Level::kTopic, Severity::kInfo,
             kNeedsSweep | kNeedsStats | kNeedsInternalStats,
             "nobody produces or consumes for detect.abandoned_after; only unused or abandoned cursors keep the topic"},
    RuleWord{Rule::kExpirationUnset, "expiration_unset", Level::kNamespace, Severity::kInfo,
             kNeedsStats | kNeedsInternalStats | kNeedsPolicies | kNeedsBrokerConfiguration,
             "abandoned subscriptions, and none here ever expires"},
    RuleWord{Rule::kExpirationLegacyZero, "expiration_legacy_zero", Level::kNamespace, Severity::kInfo, kNeedsPolicies,
             "a stored 0 turns expiration off, whatever the brokers' default is"},
    RuleWord{Rule::kTtlOverdue, "ttl_overdue", Level::kSubscription, Severity::kWarning,
             kNeedsStats | kNeedsInternalStats | kNeedsInternalInfo | kNeedsPolicies | kNeedsBrokerConfiguration,
             "messages are beyond their TTL and nothing expires"},
    RuleWord{Rule::kTtlRetention, "ttl_retention", Level::kNamespace, Severity::kInfo,
             kNeedsStats | kNeedsInternalStats | kNeedsInternalInfo | kNeedsPolicies | kNeedsBrokerConfiguration,
             "data is older than the TTL and retention of its namespace allow; `cause` says of which"},
    RuleWord{Rule::kDelayedOutlivesTtl, "delayed_outlives_ttl", Level::kSubscription, Severity::kWarning,
             kNeedsStats | kNeedsInternalStats | kNeedsPolicies,
             "delayed messages that the TTL will take, or took, before anybody got them"},
    RuleWord{Rule::kGrowthWithoutPublishers, "growth_without_publishers", Level::kTopic, Severity::kInfo, kNeedsSweep,
             "storage grows by more than what is published"},
    RuleWord{Rule::kLeftoverReplicator, "leftover_replicator", Level::kCursor, Severity::kWarning,
             kNeedsInternalStats | kNeedsPolicies,
             "a replicator's cursor to a cluster that is not replicated to any more"},
    RuleWord{Rule::kBookieReadOnly, "bookie_read_only", Level::kBookie, Severity::kCritical, kNeedsBookieMetrics,
             "a bookie takes no writes"},
    RuleWord{Rule::kBookieUnregistered, "bookie_unregistered", Level::kBookie, Severity::kCritical, kNeedsBookieMetrics,
             "a bookie runs and is not registered: clients do not know it"},
    RuleWord{Rule::kExpirationIneffective, "expiration_ineffective", Level::kNamespace, Severity::kWarning,
             kNeedsStats | kNeedsInternalStats | kNeedsPolicies | kNeedsBrokerConfiguration,
             "subscriptions outlived their expiration; `cause` says why"},
    RuleWord{Rule::kExpirationAtRisk, "expiration_at_risk", Level::kSubscription, Severity::kWarning,
             kNeedsStats | kNeedsInternalStats | kNeedsPolicies | kNeedsBrokerConfiguration,
             "expiration waits for less than the pauses of who uses the subscription now and then"},
    RuleWord{Rule::kDiskFullForecast, "disk_full_forecast", Level::kBookie, Severity::kWarning, kNeedsBookieMetrics,
             "a bookie's disk will be full at its present slope"},
    RuleWord{Rule::kWritableBookiesLow, "writable_bookies_low", Level::kCluster, Severity::kCritical,
             kNeedsBookieMetrics | kNeedsPolicies | kNeedsBrokerConfiguration,
             "fewer bookies take writes than a ledger is spread over, or are about to"},
    RuleWord{Rule::kSubscriptionCountGrowth, "subscription_count_growth", Level::kTopic, Severity::kWarning,
             kNeedsSweep, "ever more subscriptions without a consumer, over detect.growth_window"},
    RuleWord{Rule::kCreationBurst, "creation_burst", Level::kTopic, Severity::kWarning,
             kNeedsStats | kNeedsInternalInfo, "many subscriptions of one group made at once, and nobody uses them"},
    RuleWord{Rule::kOrphanLedgers, "orphan_ledgers", Level::kCluster, Severity::kWarning,
             kNeedsLedgerList | kNeedsInternalStats | kNeedsInternalInfo | kNeedsTopicList,
             "ledgers that nothing refers to any more, at two looks through all of them"},
    RuleWord{Rule::kDiskGrowthFlatTraffic, "disk_growth_flat_traffic", Level::kCluster, Severity::kWarning,
             kNeedsBookieMetrics | kNeedsSweep | kNeedsPolicies | kNeedsBrokerConfiguration,
             "the bookies' disks grow while no more is published than before; `cause` says by what"},
    RuleWord{Rule::kQuotaForecast, "quota_forecast", Level::kTopic, Severity::kWarning,
             kNeedsSweep | kNeedsPolicies | kNeedsBrokerConfiguration,
             "a backlog quota that holds or fails producers will be reached at the present slope"},
    RuleWord{Rule::kReclaimPending, "reclaim_pending", Level::kBookie, Severity::kInfo,
             kNeedsBookieMetrics | kNeedsStats | kNeedsInternalStats,
             "space was freed that is not back on the disks yet; `cause` says what it waits for"},
    RuleWord{Rule::kReclaimStuck, "reclaim_stuck", Level::kBookie, Severity::kWarning,
             kNeedsBookieMetrics | kNeedsBookieAdmin,
             "a bookie's disk stays full although most of it is dead: nothing compacts it"},
    RuleWord{Rule::kReadCacheThrash, "read_cache_thrash", Level::kBookie, Severity::kWarning, kNeedsBookieMetrics,
             "what a bookie reads ahead is gone from its cache before it is asked for"},
    RuleWord{Rule::kAdminApiStall, "admin_api_stall", Level::kBroker, Severity::kWarning, kNeedsSweep,
             "a broker's admin API answers late, or not in time"},
    RuleWord{Rule::kStaleTopicMetadata, "stale_topic_metadata", Level::kNamespace, Severity::kInfo,
             kNeedsTopicList | kNeedsPartitionedTopics,
             "topics and partitions of which one list knows and another one does not; `cause` says which"},
};

const RuleWord& word_of(Rule rule);
inline std::string_view name_of(Rule rule) { return word_of(rule).name; }

// What makes ledger disks grow while as much is published as before. The first three deserve an operator.
enum class GrowthCause : std::uint8_t {
  kPinned,            // behind cursors that nobody uses, or that are stuck
  kGarbage,           // of ledgers that are gone, in entry logs that still hold something else
  kUnexplained,       // of ledgers that exist, and no topic has them
  kLagging,           // behind consumers who do not keep up
  kReplication,       // behind replicators
  kRetentionFilling,  // acknowledged, and kept by a policy
  kReReplication,     // copies of what other bookies hold or held
};
inline constexpr std::size_t kGrowthCauses = 7;
const char* name_of(GrowthCause cause);

enum class Drain : std::uint8_t { kNone, kTtl, kEviction };
const char* name_of(Drain drain);

enum class EvidenceKind : std::uint8_t { kObserved, kBounded };
const char* name_of(EvidenceKind kind);

enum class Origin : std::uint8_t { kPerInstance, kBatchJob, kTestOrDev, kFunctionOrSink, kReaderLike, kNamed };
const char* name_of(Origin origin);
std::optional<Origin> origin_named(std::string_view name);

}  // namespace tidemark::model
