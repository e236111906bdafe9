// Documents about the cluster and its namespaces, error bodies, and Java's ways with times and names.
#include <fmt/format.h>

#include "sim/documents.h"
#include "sim/java_json.h"
#include "sim/random.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

void write_quota(JavaJson& json, const NamespacePolicies& own) {
  json.key("backlog_quota_map");
  json.begin_object();
  if (own.quota_bytes) {
    json.key("destination_storage");
    json.begin_object();
    json.member("limit", *own.quota_bytes);
    json.member("limitSize", *own.quota_bytes);
    json.member("limitTime", -1);
    json.member("policy", "producer_request_hold");
    json.end_object();
  }
  json.end_object();
}

void write_policies_head(JavaJson& json, const World& world, const NamespacePolicies& own) {
  json.key("auth_policies");
  json.begin_object();
  for (const char* key : {"namespace_auth", "destination_auth", "subscription_auth_roles"}) json.empty_object(key);
  json.end_object();
  json.key("replication_clusters");
  json.begin_array();
  json.value(world.settings().cluster);
  for (const auto& remote : own.remote_clusters) json.value(remote);
  json.end_array();
  json.empty_array("allowed_clusters");
  json.key("bundles");
  json.begin_object();
  json.key("boundaries");
  json.begin_array();
  const int bundles = world.settings().bundles;
  for (std::int64_t i = 0; i < bundles; ++i) json.value(fmt::format("0x{:08x}", (std::int64_t{1} << 32) * i / bundles));
  json.value("0xffffffff");
  json.end_array();
  json.member("numBundles", bundles);
  json.end_object();
  write_quota(json, own);
  for (const char* key :
       {"clusterDispatchRate", "topicDispatchRate", "subscriptionDispatchRate", "replicatorDispatchRate",
        "clusterSubscribeRate", "publishMaxMessageRate", "latency_stats_sample_rate"}) {
    json.empty_object(key);
  }
}

}  // namespace

std::string policies_document(const World& world, const std::string& ns) {
  const auto& own = world.namespaces().at(ns);
  JavaJson json;
  json.begin_object();
  write_policies_head(json, world, own);
  if (own.ttl_seconds) json.member("message_ttl_in_seconds", *own.ttl_seconds);
  if (own.expiration_minutes) json.member("subscription_expiration_time_minutes", *own.expiration_minutes);
  if (own.retention) {
    json.key("retention_policies");
    json.begin_object();
    json.member("retentionTimeInMinutes", own.retention->minutes);
    json.member("retentionSizeInMB", own.retention->megabytes);
    json.end_object();
  }
  json.member("deleted", false);
  json.member("encryption_required", false);
  json.member("subscription_auth_mode", "None");
  json.member("offload_threshold", -1);
  json.member("offload_threshold_in_seconds", -1);
  json.member("schema_compatibility_strategy", "UNDEFINED");
  json.member("is_allow_auto_update_schema", true);
  json.member("schema_validation_enforced", false);
  json.empty_array("subscription_types_enabled");
  json.key("properties");
  json.begin_object();
  for (const auto& [name, value] : own.properties) json.member(name, value);
  json.end_object();
  json.member("migrated", false);
  json.end_object();
  return json.take();
}

// The keys that the simulator has a value for; a real broker lists more than five hundred. All values are strings.
std::string runtime_configuration_document(const World& world) {
  const auto& s = world.settings();
  using std::chrono::duration_cast;
  using std::chrono::minutes;
  using std::chrono::seconds;
  JavaJson json;
  json.begin_object();
  const auto number = [&](const char* key, std::int64_t value) { json.member(key, std::to_string(value)); };
  json.member("clusterName", s.cluster);
  json.member("statsUpdateFrequencyInSecs", std::to_string(duration_cast<seconds>(s.stats_period).count()));
  number("statsUpdateInitialDelayInSecs", duration_cast<seconds>(s.stats_initial_delay).count());
  number("defaultRetentionTimeInMinutes", s.retention.minutes);
  number("defaultRetentionSizeInMB", s.retention.megabytes);
  number("retentionCheckIntervalInSeconds", duration_cast<seconds>(s.retention_check).count());
  number("ttlDurationDefaultInSeconds", s.ttl_seconds);
  number("messageExpiryCheckIntervalInMinutes", duration_cast<minutes>(s.ttl_check).count());
  number("subscriptionExpirationTimeMinutes", s.expiration_minutes);
  number("subscriptionExpiryCheckIntervalInMinutes", duration_cast<minutes>(s.expiration_check).count());
  number("managedLedgerMaxEntriesPerLedger", s.ledgers.max_entries);
  number("managedLedgerMaxSizePerLedgerMbytes", s.ledgers.max_bytes >> 20);
  number("managedLedgerMinLedgerRolloverTimeMinutes", duration_cast<minutes>(s.ledgers.min_rollover).count());
  number("managedLedgerMaxLedgerRolloverTimeMinutes", duration_cast<minutes>(s.ledgers.max_rollover).count());
  number("managedLedgerCursorRolloverTimeInSeconds", duration_cast<seconds>(s.cursors.rollover).count());
  number("managedLedgerCursorMaxEntriesPerLedger", s.cursors.max_entries_per_ledger);
  number("managedLedgerMaxUnackedRangesToPersistInMetadataStore", s.cursors.max_ranges_in_metadata);
  number("managedLedgerDefaultEnsembleSize", s.ensemble);
  number("managedLedgerDefaultWriteQuorum", s.write_quorum);
  number("managedLedgerDefaultAckQuorum", s.write_quorum);
  number("defaultNumberOfNamespaceBundles", s.bundles);
  json.member("managedLedgerDefaultMarkDeleteRateLimit", "1.0");
  json.member("backlogQuotaDefaultLimitBytes", "-1");
  json.member("backlogQuotaDefaultLimitSecond", "-1");
  json.member("backlogQuotaDefaultRetentionPolicy", "producer_request_hold");
  json.member("topicLevelPoliciesEnabled", "true");
  json.member("systemTopicEnabled", "true");
  json.member("delayedDeliveryEnabled", "true");
  json.member("brokerDeduplicationEnabled", "false");
  json.end_object();
  return json.take();
}

std::string partitions_document(int count) {
  JavaJson json;
  json.begin_object();
  json.member("partitions", count);
  json.member("deleted", false);
  json.end_object();
  return json.take();
}

std::string bookies_document(const World& world) {
  JavaJson json;
  json.begin_object();
  json.key("bookies");
  json.begin_array();
  for (const auto& bookie : world.bookies().list()) {
    // Bookies are known by the port that takes entries, not by that of their metrics.
    const std::string& address = bookie.address();
    json.begin_object();
    json.member("bookieId", address.substr(0, address.rfind(':')) + ":3181");
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::string list_document(const std::vector<std::string>& items) {
  JavaJson json;
  json.begin_array();
  for (const auto& item : items) json.value(item);
  json.end_array();
  return json.take();
}

std::string reason_document(std::string_view reason) {
  JavaJson json;
  json.begin_object();
  json.member("reason", reason);
  json.end_object();
  return json.take();
}

std::string jetty_error_page(int status, std::string_view message, std::string_view uri) {
  return fmt::format(
      "<html>\n<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html;charset=ISO-8859-1\"/>\n"
      "<title>Error {0} {1}</title>\n</head>\n<body><h2>HTTP ERROR {0} {1}</h2>\n<table>\n"
      "<tr><th>URI:</th><td>{2}</td></tr>\n<tr><th>STATUS:</th><td>{0}</td></tr>\n"
      "<tr><th>MESSAGE:</th><td>{1}</td></tr>\n<tr><th>SERVLET:</th>"
      "<td>org.glassfish.jersey.servlet.ServletContainer-3513c84c</td></tr>\n</table>\n"
      "<hr/><a href=\"https://jetty.org/\">Powered by Jetty:// 9.4.57.v20241219</a><hr/>\n\n</body>\n</html>\n",
      status, message, uri);
}

std::string java_time(TimeMs at) {
  std::string text = format_iso8601(at);
  if (text.find('.') == std::string::npos) return text;
  text.pop_back();
  while (text.back() == '0') text.pop_back();
  return text + 'Z';
}

std::string java_nano_time(TimeMs at, std::string_view salt) {
  const auto below = mix(hash_of(salt) ^ static_cast<std::uint64_t>(at)) % 1'000'000;
  std::string text = format_iso8601(at - at % 1000);
  text.pop_back();
  text += fmt::format(".{:03d}{:06d}", at % 1000, below);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + 'Z';
}

std::string url_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                       c == '-' || c == '*' || c == '_';
    if (plain) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace tidemark::sim
