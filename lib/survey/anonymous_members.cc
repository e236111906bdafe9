#include "survey/anonymous_members.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace tidemark::survey {
namespace {

// Members whose text is a name, or whose keys are.
constexpr std::array<std::pair<std::string_view, Use>, 14> kNamed{{
    {"activeConsumerName", named(NameKind::kConsumer)},
    {"allowed_clusters", named(NameKind::kCluster)},
    {"bookieId", named(NameKind::kHost)},
    {"consumerName", named(NameKind::kConsumer)},
    {"cursors", map_of(Shape::kEncodedCursors)},
    {"oldestBacklogMessageSubscriptionName", named(NameKind::kCursor)},
    {"ownerBroker", named(NameKind::kHost)},
    {"partitions", map_of(Shape::kTopics)},
    {"producerName", named(NameKind::kProducer)},
    {"properties", map_of(Shape::kProperties)},
    {"replication", map_of(Shape::kClusters)},
    {"replication_clusters", named(NameKind::kCluster)},
    {"subscriptionProperties", map_of(Shape::kProperties)},
    {"subscriptions", map_of(Shape::kCursors)},
}};

// Members that hold figures, times, positions and words of the broker's own, or objects of such.
constexpr std::string_view kCopied =
    "abortedTxnCount accessMode active allowOutOfOrderDelivery availablePermits averageMsgSize avgMessagesPerEntry "
    "backlogQuotaLimitSize backlogQuotaLimitTime backlogSize backlog_quota_map blockedConsumerOnUnackedMsgs "
    "blockedSubscriptionOnUnackedMsgs bookies bookkeeperAckQuorum bookkeeperEnsemble bookkeeperWriteQuorum "
    "boundaries bundles bytesInCount bytesInCounter bytesOutCount bytesOutCounter bytesOutInternalCounter "
    "chunkedMessageRate committedTxnCount compactedLedger CompactedTopicLedger compaction compaction_threshold "
    "connected connectedSince "
    "consumers creationDate currentLedgerEntries currentLedgerSize cursorLedger cursorLedgerLastEntry "
    "cursorsLedgerId deduplicationEnabled deduplicationSnapshotIntervalSeconds deduplicationStatus "
    "delayedMessageIndexSizeInBytes delayedTrackerMemoryUsage delayed_delivery_policies deleteWhileInactive deleted "
    "destination_storage dispatchThrottledBytesEventsByBrokerLimit dispatchThrottledBytesEventsBySubscriptionLimit "
    "dispatchThrottledBytesEventsByTopicLimit dispatchThrottledMsgEventsByBrokerLimit "
    "dispatchThrottledMsgEventsBySubscriptionLimit dispatchThrottledMsgEventsByTopicLimit "
    "dispatcherPauseOnAckStatePersistentEnabled drainingHashesClearedTotal drainingHashesCount "
    "drainingHashesUnackedMessages durable earliestMsgPublishTimeInBacklog earliestMsgPublishTimeInBacklogs "
    "encryption_required entries entriesAddedCounter entryId filterAcceptedMsgCount filterProcessedMsgCount "
    "filterRejectedMsgCount filterRescheduledMsgCount filteredEntriesCount firstConsumedFlowTimestamp "
    "firstMessagesSentTimestamp freeSpace from inactiveTopicDeleteMode inactive_topic_policies "
    "index individualDeletedMessages "
    "individuallyDeletedMessages info isDurable isMajorGcSuspended isMinorGcSuspended isOffloaded isReplicated "
    "is_allow_auto_update_schema "
    "is_allow_auto_update_schema_with_replicator keySharedMode lastAckedTime lastAckedTimestamp "
    "lastCompactionDurationTimeInMills lastCompactionFailedTimestamp lastCompactionRemovedEventCount "
    "lastCompactionSucceedTimestamp lastConfirmedEntry lastConsumedFlowTimestamp lastConsumedTime "
    "lastConsumedTimestamp lastExpireTimestamp lastLedgerCreatedTimestamp lastLedgerCreationFailureTimestamp "
    "lastLedgerSwitchTimestamp lastMarkDeleteAdvancedTimestamp lastOffloadFailureTimeStamp lastOffloadLedgerId "
    "lastOffloadSuccessTimeStamp lastPublishTimeStamp ledgerId ledgers limit limitSize limitTime "
    "managedLedgerMaxMarkDeleteRate markDelete markDeletePosition maxInactiveDurationSeconds "
    "max_subscriptions_per_topic max_topics_per_namespace max_unacked_messages_per_consumer "
    "max_unacked_messages_per_subscription messageAckRate message_age message_ttl_in_seconds "
    "messagesConsumedCounter migrated modificationDate msgBacklog msgBacklogNoDelayed msgChunkPublished msgDelayed "
    "msgExpired msgInCount msgInCounter msgInReplay msgOutCount msgOutCounter msgRateExpired msgRateIn msgRateOut "
    "msgRateRedeliver msgThroughputIn msgThroughputOut nonContiguousDeletedMessagesRanges "
    "nonContiguousDeletedMessagesRangesSerializedSize numBundles numberOfEntries "
    "numberOfEntriesSinceFirstNotAckedMessage offload_deletion_lag_ms offload_threshold "
    "offload_threshold_in_seconds offloaded offloadedStorageSize oldestBacklogMessageAgeSeconds ongoingTxnCount "
    "pendingAddEntriesCount pendingReadOps persistence policy producerCount producerId publishRateLimitedTimes "
    "publishers readPosition replicated replicationBacklog replicationDelayInSeconds retentionSizeInMB "
    "retentionTimeInMinutes retention_policies schemaLedgers schema_compatibility_strategy "
    "schema_validation_enforced size state storageSize subscriptionHavePendingRead "
    "subscriptionHavePendingReplayRead subscription_auth_mode subscription_expiration_time_minutes "
    "subscription_types_enabled supportsPartialProducer systemTopicBytesInCounter terminatedPosition tickTime "
    "timestamp to topicCreationTimeStamp totalMsgExpired totalNonContiguousDeletedMessagesRange totalSize totalSpace "
    "type "
    "unackedMessages underReplicated version waitingCursorsCount waitingPublishers waitingReadOp";

std::set<std::string_view> words_of(std::string_view text) {
  std::set<std::string_view> words;
  while (!text.empty()) {
    const auto end = text.find(' ');
    words.insert(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return words;
}

}  // namespace

Use use_of_member(std::string_view name) {
  const auto* at = std::ranges::find(kNamed, name, [](const auto& entry) { return entry.first; });
  if (at != kNamed.end()) return at->second;
  static const auto copied = words_of(kCopied);
  return copied.contains(name) ? kAsItIs : kDropped;
}

// The owner is shown with findings; of the figures only Pulsar's own, since the others' names are users'.
Use use_of_property(std::string_view name) {
  if (name == "owner") return named(NameKind::kOwner);
  if (name == "tidemark.keep") return {true, Shape::kMembers, Texts::kFlag, {}};  // silences; its text is somebody's
  return name == "CompactedTopicLedger" ? map_of(Shape::kMembers) : kDropped;
}

// Already narrowed by scrub(): settings of storage and statistics.
Use use_of_setting(std::string_view name) {
  if (name == "clusterName") return named(NameKind::kCluster);
  if (name == "backlogQuotaDefaultRetentionPolicy" || name == "isForceGCAllowWhenNoSpace") return kAsItIs;
  if (name == "replicatorPrefix") return named(NameKind::kReplicatorPrefix);
  if (name == "additionalSystemCursorNames") return named(NameKind::kCursorSet);
  return {true, Shape::kMembers, Texts::kCopyFigures, {}};
}

}  // namespace tidemark::survey
