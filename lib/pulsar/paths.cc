#include "pulsar/paths.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "model/names.h"

namespace tidemark::pulsar {
namespace {

constexpr std::string_view kV2 = "/admin/v2";
constexpr std::string_view kEarliest = "getEarliestTimeInBacklog=true";
constexpr std::string_view kLedgerList = "/api/v1/ledger/list";
constexpr std::string_view kRegistered = "/api/v1/bookie/list_bookies";
constexpr std::string_view kV1 = "/admin";  // namespaces of three parts, up to Pulsar 4.0

bool unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

// One path segment. A segment of dots would be taken for a directory by whoever normalises the path.
std::string encode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const bool dots = text == "." || text == "..";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (unreserved(c) && !dots) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4U];
    out += kHex[byte & 15U];
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto slash = text.find('/');
    parts.push_back(text.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    text.remove_prefix(slash + 1);
  }
}

// "/admin/v2/<kind>/tenant/ns", each part encoded.
std::string of_namespace(std::string_view kind, std::string_view ns) {
  const auto parts = split(ns);
  std::string path(parts.size() > 2 ? kV1 : kV2);
  path.append("/").append(kind);
  for (const auto part : parts) path.append("/").append(encode(part));
  return path;
}

std::string of_topic(std::string_view topic, std::string_view kind, std::string_view document) {
  const auto name = model::parse_topic(topic);
  if (!name) return {};
  std::string path(kV2);
  path.append("/").append(kind);
  const auto slash = name->ns.find('/');
  for (const auto part : {name->tenant, name->ns.substr(slash + 1), name->local}) path.append("/").append(encode(part));
  return path.append("/").append(document);
}

std::string of_topic(std::string_view topic, std::string_view document) {
  return of_topic(topic, topic.starts_with("non-") ? "non-persistent" : "persistent", document);
}

// Reading paths.

using Parts = std::vector<std::string_view>;

// Decoded parts with a slash between them.
std::string join(const Parts& parts, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < to; ++i) {
    if (i > from) out += '/';
    out += model::decode_cursor_name(parts[i]);
  }
  return out;
}

Route in_namespace(Endpoint endpoint, const Parts& parts, std::size_t to) {
  return {endpoint, model::decode_cursor_name(parts[1]), join(parts, 1, to), {}};
}

constexpr std::array<std::pair<Endpoint, std::string_view>, 4> kTopicPolicies{{
    {Endpoint::kTopicRetention, "retention"},
    {Endpoint::kTopicTtl, "messageTTL"},
    {Endpoint::kTopicQuotas, "backlogQuotaMap"},
    {Endpoint::kTopicCompaction, "compactionThreshold"},
}};

std::optional<Endpoint> topic_document(std::string_view name) {
  if (name == "stats") return Endpoint::kStats;
  if (name == "internalStats") return Endpoint::kInternalStats;
  if (name == "internal-info") return Endpoint::kInternalInfo;
  if (name == "partitions") return Endpoint::kPartitions;
  for (const auto& [endpoint, document] : kTopicPolicies) {
    if (name == document) return endpoint;
  }
  return std::nullopt;
}

// persistent/tenant/ns[/partitioned] and persistent/tenant/ns/topic/document. `ns_parts`: 2, or 3 for V1.
Route parse_domain(const Parts& parts, std::size_t ns_parts) {
  const bool persistent = parts[0] == "persistent";
  const std::size_t ns_end = 1 + ns_parts;
  if (parts.size() == ns_end && persistent) return in_namespace(Endpoint::kTopics, parts, ns_end);
  if (parts.size() == ns_end + 1 && persistent && parts.back() == "partitioned") {
    return in_namespace(Endpoint::kPartitionedTopics, parts, ns_end);
  }
  if (parts.size() < ns_end + 2) return {};
  const auto document = topic_document(parts.back());
  if (!document) return {};
  const std::string topic = std::string(parts[0]) + "://" + join(parts, 1, parts.size() - 1);
  const auto name = model::parse_topic(topic);
  if (!name) return {};
  return {*document, std::string(name->tenant), std::string(name->ns), topic};
}

Route parse_brokers(const Parts& parts) {
  if (parts.size() == 1) return {Endpoint::kBrokers, {}, {}, {}};
  if (parts.size() == 3 && parts[1] == "configuration" && parts[2] == "runtime") {
    return {Endpoint::kRuntimeConfiguration, {}, {}, {}};
  }
  if (parts.size() != 2) return {};
  if (parts[1] == "version") return {Endpoint::kVersion, {}, {}, {}};
  // The broker prefers these to a cluster of that name, too.
  constexpr std::array<std::string_view, 6> kElsewhere = {
      "health", "ready", "leaderBroker", "configuration", "internal-configuration", "backlog-quota-check"};
  if (std::find(kElsewhere.begin(), kElsewhere.end(), parts[1]) != kElsewhere.end()) return {};
  return {Endpoint::kBrokers, {}, {}, {}};
}

// schemas/tenant/ns/topic/metadata
Route parse_schemas(const Parts& parts) {
  if (parts.size() != 5 || parts.back() != "metadata") return {};
  auto route = in_namespace(Endpoint::kSchemaMetadata, parts, 3);
  route.topic = "persistent://" + join(parts, 1, 4);
  return route;
}

Route parse_v2(const Parts& parts) {
  const auto kind = parts[0];
  if (kind == "persistent" || kind == "non-persistent") return parse_domain(parts, 2);
  if (kind == "brokers") return parse_brokers(parts);
  if (kind == "namespaces") {
    if (parts.size() == 2) return {Endpoint::kNamespaces, model::decode_cursor_name(parts[1]), {}, {}};
    if (parts.size() == 3) return in_namespace(Endpoint::kPolicies, parts, 3);
    return {};
  }
  if (kind == "schemas") return parse_schemas(parts);
  if (parts.size() == 1) {
    if (kind == "clusters") return {Endpoint::kClusters, {}, {}, {}};
    if (kind == "tenants") return {Endpoint::kTenants, {}, {}, {}};
  }
  if (parts.size() == 2) {
    if (kind == "broker-stats" && parts[1] == "topics") return {Endpoint::kSweep, {}, {}, {}};
    if (kind == "broker-stats" && parts[1] == "bookieops") return {Endpoint::kLoadedTopics, {}, {}, {}};
    if (kind == "bookies" && parts[1] == "all") return {Endpoint::kBookies, {}, {}, {}};
  }
  return {};
}

Route parse_v1(const Parts& parts) {
  if (parts[0] == "persistent" || parts[0] == "non-persistent") return parse_domain(parts, 3);
  if (parts[0] == "namespaces" && parts.size() == 4) return in_namespace(Endpoint::kPolicies, parts, 4);
  return {};
}

}  // namespace

const char* name_of(Endpoint endpoint) {
  switch (endpoint) {
    case Endpoint::kClusters:
      return "clusters";
    case Endpoint::kBrokers:
      return "brokers";
    case Endpoint::kVersion:
      return "version";
    case Endpoint::kRuntimeConfiguration:
      return "runtime_configuration";
    case Endpoint::kTenants:
      return "tenants";
    case Endpoint::kNamespaces:
      return "namespaces";
    case Endpoint::kPolicies:
      return "policies";
    case Endpoint::kTopics:
      return "topics";
    case Endpoint::kPartitionedTopics:
      return "partitioned_topics";
    case Endpoint::kSweep:
      return "sweep";
    case Endpoint::kLoadedTopics:
      return "loaded_topics";
    case Endpoint::kStats:
      return "stats";
    case Endpoint::kInternalStats:
      return "internal_stats";
    case Endpoint::kInternalInfo:
      return "internal_info";
    case Endpoint::kPartitions:
      return "partitions";
    case Endpoint::kSchemaMetadata:
      return "schema_metadata";
    case Endpoint::kTopicRetention:
      return "topic_retention";
    case Endpoint::kTopicTtl:
      return "topic_ttl";
    case Endpoint::kTopicQuotas:
      return "topic_quotas";
    case Endpoint::kTopicCompaction:
      return "topic_compaction";
    case Endpoint::kBookies:
      return "bookies";
    case Endpoint::kBookieMetrics:
      return "bookie_metrics";
    case Endpoint::kBookieConfiguration:
      return "bookie_configuration";
    case Endpoint::kBookieInfo:
      return "bookie_info";
    case Endpoint::kBookieSuspension:
      return "bookie_suspension";
    case Endpoint::kLedgerList:
      return "ledger_list";
    case Endpoint::kBookiesRegistered:
      return "bookies_registered";
    case Endpoint::kOther:
      break;
  }
  return "other";
}

Route parse_path(std::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  if (path == "/metrics" || path == "/metrics/") return {Endpoint::kBookieMetrics, {}, {}, {}};
  if (path == bookie_configuration_path()) return {Endpoint::kBookieConfiguration, {}, {}, {}};
  if (path == bookie_info_path()) return {Endpoint::kBookieInfo, {}, {}, {}};
  if (path == bookie_suspension_path()) return {Endpoint::kBookieSuspension, {}, {}, {}};
  if (path == kLedgerList) return {Endpoint::kLedgerList, {}, {}, {}};
  if (path == kRegistered) return {Endpoint::kBookiesRegistered, {}, {}, {}};
  const std::string v2 = std::string(kV2) + "/";
  const std::string v1 = std::string(kV1) + "/";
  if (path.starts_with(v2)) return parse_v2(split(path.substr(v2.size())));
  if (path.starts_with(v1)) return parse_v1(split(path.substr(v1.size())));
  return {};
}

std::string clusters_path() { return "/admin/v2/clusters"; }
std::string brokers_path(std::string_view cluster) { return "/admin/v2/brokers/" + encode(cluster); }
std::string version_path() { return "/admin/v2/brokers/version"; }
std::string runtime_configuration_path() { return "/admin/v2/brokers/configuration/runtime"; }
std::string tenants_path() { return "/admin/v2/tenants"; }
std::string namespaces_path(std::string_view tenant) { return "/admin/v2/namespaces/" + encode(tenant); }
std::string policies_path(std::string_view ns) { return of_namespace("namespaces", ns); }
std::string topics_path(std::string_view ns) { return of_namespace("persistent", ns) + "?includeSystemTopic=true"; }
std::string partitioned_topics_path(std::string_view ns) {
  return of_namespace("persistent", ns) + "/partitioned?includeSystemTopic=true";
}
std::string sweep_path() { return "/admin/v2/broker-stats/topics"; }
std::string loaded_topics_path() { return "/admin/v2/broker-stats/bookieops"; }
std::string stats_path(std::string_view topic) { return of_topic(topic, "stats"); }
std::string stats_with_earliest_path(std::string_view topic) {
  return of_topic(topic, "stats").append("?").append(kEarliest);
}
bool asks_for_earliest(std::string_view path) { return path.find(kEarliest) != std::string_view::npos; }
std::string internal_stats_path(std::string_view topic) { return of_topic(topic, "internalStats"); }
std::string internal_info_path(std::string_view topic) { return of_topic(topic, "internal-info"); }
std::string partitions_path(std::string_view topic) { return of_topic(topic, "partitions"); }
std::string topic_policy_path(std::string_view topic, Endpoint policy) {
  for (const auto& [endpoint, document] : kTopicPolicies) {
    if (policy == endpoint) return of_topic(topic, document);
  }
  return {};
}
std::string schema_metadata_path(std::string_view topic) { return of_topic(topic, "schemas", "metadata"); }
std::string bookies_path() { return "/admin/v2/bookies/all"; }
std::string bookie_metrics_path() { return "/metrics"; }
std::string bookie_configuration_path() { return "/api/v1/config/server_config"; }
std::string bookie_suspension_path() { return "/api/v1/bookie/gc/suspend_compaction"; }
std::string bookie_info_path() { return "/api/v1/bookie/info"; }
std::string ledger_list_path() { return std::string(kLedgerList) + "?print_metadata=true&decode_meta=true"; }
std::string ledger_list_path(int page) { return ledger_list_path() + "&page=" + std::to_string(page); }
std::optional<int> page_of(std::string_view path) {
  constexpr std::string_view kPage = "page=";
  const auto at = path.find(kPage);
  if (at == std::string_view::npos || at == 0 || (path[at - 1] != '?' && path[at - 1] != '&')) return std::nullopt;
  const auto text = path.substr(at + kPage.size());
  int page = 0;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), page);
  return got.ec == std::errc{} ? std::optional(page) : std::nullopt;
}
std::string bookies_registered_path(bool read_only) {
  return std::string(kRegistered) + (read_only ? "?type=ro" : "?type=rw");
}
bool asks_for_read_only(std::string_view registered_path) { return registered_path.ends_with("?type=ro"); }

}  // namespace tidemark::pulsar
