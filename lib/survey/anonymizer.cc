#include "survey/anonymizer.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "formats/json_writer.h"
#include "formats/metrics_reader.h"
#include "formats/sax_reader.h"
#include "model/names.h"
#include "pulsar/cluster_documents.h"
#include "survey/anonymous_json.h"
#include "survey/anonymous_ledgers.h"

namespace tidemark::survey {
namespace {

using pulsar::Endpoint;

std::string json_text(std::string_view text) {
  formats::JsonWriter writer;
  writer.value(text);
  return writer.take();
}

std::string raw_text(std::string_view raw) {
  auto text = formats::unescape_json(raw);
  return text ? std::move(*text) : std::string(raw);
}

// "/data/ledgers" as "dir-1", in names of metrics mangled to "_data_ledgers" and "dir_1".
std::string metric_name(std::string_view name, AnonymousNames& names) {
  constexpr std::string_view kUsage = "_usage";
  for (const std::string_view prefix : {"bookie_ledger_dir_", "bookie_index_dir_", "bookie_dir_"}) {
    if (!name.starts_with(prefix) || !name.ends_with(kUsage) || name.size() <= prefix.size() + kUsage.size()) continue;
    const auto dir = name.substr(prefix.size(), name.size() - prefix.size() - kUsage.size());
    return std::string(prefix) + names.replace(NameKind::kDirectory, dir) + std::string(kUsage);
  }
  return std::string(name);
}

std::string metric_labels(std::string_view labels) {
  constexpr std::array<std::string_view, 4> kHarmless{"quantile", "success", "le", "journalIndex"};
  std::string kept;
  for (const auto name : kHarmless) {
    const auto value = formats::label_of(labels, name);
    if (value) kept += fmt::format("{}{}=\"{}\"", kept.empty() ? "" : ",", name, *value);
  }
  return kept.empty() ? "" : "{" + kept + "}";
}

std::string metric_value(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

std::string anonymous_version(std::string_view version) {
  return std::string(version.substr(0, version.find_first_not_of("0123456789.")));
}

std::string anonymous_metrics(std::string_view text, AnonymousNames& names) {
  std::string out;
  formats::MetricsReader reader(text);
  while (const auto sample = reader.next()) {
    if (!sample->name.starts_with("bookie_") && !sample->name.starts_with("bookkeeper_")) continue;
    out += metric_name(sample->name, names) + metric_labels(sample->labels) + " " + metric_value(sample->value) + "\n";
  }
  return out;
}

std::string Anonymizer::path(std::string_view path) {
  const auto route = pulsar::parse_path(path);
  const auto topic = [&] { return names_.replace(NameKind::kTopic, route.topic); };
  const auto ns = [&] { return names_.replace(NameKind::kNamespace, route.ns); };
  switch (route.endpoint) {
    case Endpoint::kClusters:
      return pulsar::clusters_path();
    case Endpoint::kBrokers: {
      constexpr std::string_view kBrokers = "/brokers/";
      path = path.substr(0, path.find_first_of("?#"));
      const auto at = path.find(kBrokers);
      if (at == std::string_view::npos) return "/admin/v2/brokers";
      return pulsar::brokers_path(cluster(model::decode_cursor_name(path.substr(at + kBrokers.size()))));
    }
    case Endpoint::kVersion:
      return pulsar::version_path();
    case Endpoint::kRuntimeConfiguration:
      return pulsar::runtime_configuration_path();
    case Endpoint::kTenants:
      return pulsar::tenants_path();
    case Endpoint::kNamespaces:
      return pulsar::namespaces_path(names_.replace(NameKind::kTenant, route.tenant));
    case Endpoint::kPolicies:
      return pulsar::policies_path(ns());
    case Endpoint::kTopics:
      return pulsar::topics_path(ns());
    case Endpoint::kPartitionedTopics:
      return pulsar::partitioned_topics_path(ns());
    case Endpoint::kSweep:
      return pulsar::sweep_path();
    case Endpoint::kLoadedTopics:
      return pulsar::loaded_topics_path();
    case Endpoint::kStats:
      return pulsar::stats_path(topic());
    case Endpoint::kInternalStats:
      return pulsar::internal_stats_path(topic());
    case Endpoint::kInternalInfo:
      return pulsar::internal_info_path(topic());
    case Endpoint::kPartitions:
      return pulsar::partitions_path(topic());
    case Endpoint::kTopicRetention:
    case Endpoint::kTopicTtl:
    case Endpoint::kTopicQuotas:
    case Endpoint::kTopicCompaction:
      return pulsar::topic_policy_path(topic(), route.endpoint);
    case Endpoint::kBookies:
      return pulsar::bookies_path();
    case Endpoint::kBookieMetrics:
      return pulsar::bookie_metrics_path();
    case Endpoint::kSchemaMetadata:
      return pulsar::schema_metadata_path(topic());
    case Endpoint::kBookieConfiguration:
      return pulsar::bookie_configuration_path();
    case Endpoint::kLedgerList: {
      const auto page = pulsar::page_of(path);
      return page ? pulsar::ledger_list_path(*page) : pulsar::ledger_list_path();
    }
    case Endpoint::kBookieSuspension:
      return pulsar::bookie_suspension_path();
    case Endpoint::kBookieInfo:
      return pulsar::bookie_info_path();
    case Endpoint::kBookiesRegistered:
      return pulsar::bookies_registered_path(pulsar::asks_for_read_only(path));
    case Endpoint::kOther:
      break;
  }
  return "/other";
}

std::string Anonymizer::body(const model::Exchange& exchange) {
  const auto endpoint = pulsar::parse_path(exchange.path).endpoint;
  if (endpoint == Endpoint::kOther) return "null";
  if (endpoint == Endpoint::kBookieMetrics) return json_text(anonymous_metrics(exchange.body, names_));
  if (endpoint == Endpoint::kLedgerList) return anonymous_ledgers(exchange.body, names_);
  if (endpoint == Endpoint::kVersion) return json_text(anonymous_version(pulsar::decode_version(exchange.body)));
  const auto made = anonymous_json(endpoint, exchange.body, names_);
  return made.whole ? made.text : json_text(made.text);
}

std::string Anonymizer::sweep_key(std::size_t depth, std::string_view raw) {
  switch (depth) {
    case 0:
      return names_.replace(NameKind::kNamespace, raw_text(raw));
    case 1:
      return is_bundle(raw) ? std::string(raw) : std::string{};
    case 2:
      return is_domain(raw) ? std::string(raw) : std::string{};
    default:
      return names_.replace(NameKind::kTopic, raw_text(raw));
  }
}

std::string Anonymizer::sweep_topic(std::string_view object) {
  // A topic's statistics have members of the same names in a sweep and alone.
  return anonymous_json(Endpoint::kStats, object, names_).text;
}

}  // namespace tidemark::survey
