#pragma once
// What a broker's configuration and a namespace's policies say about everything that the simulator models, with
// Pulsar's defaults.

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cursor.h"
#include "sim/managed_ledger.h"

namespace tidemark::sim {

struct BrokerSettings {
  std::string version = "4.0.7";
  std::string cluster = "demo";
  LedgerLimits ledgers;
  CursorLimits cursors;
  BoundaryRule boundary = BoundaryRule::kNextLedger;
  RetentionPolicy retention;                               // defaultRetention*
  std::int64_t ttl_seconds = 0;                            // ttlDurationDefaultInSeconds
  std::int64_t expiration_minutes = 0;                     // subscriptionExpirationTimeMinutes
  bool expiration_survives_load = false;                   // true on 2.x, 3.0 and 5.0
  Duration retention_check{std::chrono::seconds{120}};     // retentionCheckIntervalInSeconds
  Duration ttl_check{std::chrono::minutes{5}};             // messageExpiryCheckIntervalInMinutes
  Duration expiration_check{std::chrono::minutes{5}};      // subscriptionExpiryCheckIntervalInMinutes
  Duration stats_period{std::chrono::seconds{60}};         // statsUpdateFrequencyInSecs
  Duration stats_initial_delay{std::chrono::seconds{60}};  // statsUpdateInitialDelayInSecs
  int bundles = 4;                                         // defaultNumberOfNamespaceBundles
  int ensemble = 2;
  int write_quorum = 2;
};

// An empty optional = absent from the document = the broker's default.
struct NamespacePolicies {
  std::optional<RetentionPolicy> retention;
  std::optional<std::int64_t> ttl_seconds;
  std::optional<std::int64_t> expiration_minutes;
  std::optional<std::int64_t> quota_bytes;   // of a topic's backlog; what exceeds it holds producers
  std::vector<std::string> remote_clusters;  // that it replicates to, beside its own
  std::map<std::string, std::string> properties;
};

// What applies to a topic.
struct Effective {
  RetentionPolicy retention;
  std::int64_t ttl_seconds = 0;
  std::int64_t expiration_minutes = 0;
};

inline Effective effective(const BrokerSettings& settings, const NamespacePolicies& policies) {
  return {policies.retention.value_or(settings.retention), policies.ttl_seconds.value_or(settings.ttl_seconds),
          policies.expiration_minutes.value_or(settings.expiration_minutes)};
}

}  // namespace tidemark::sim
