#include "pulsar/cluster_documents.h"

#include <algorithm>
#include <charconv>

#include "formats/sax_reader.h"
#include "formats/shape.h"

namespace tidemark::pulsar {
namespace {

using formats::Scalar;
using formats::Shape;

const Shape<model::Retention>& retention_shape() {
  static const auto shape = [] {
    using R = model::Retention;
    Shape<R> made;
    made.value<&R::minutes>("retentionTimeInMinutes").value<&R::megabytes>("retentionSizeInMB");
    return made;
  }();
  return shape;
}

struct QuotaRow {
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> bytes_before_2_9;  // `limit`
  std::optional<std::int64_t> seconds;
  std::string policy;
};

constexpr std::string_view kEvicts = "consumer_backlog_eviction";

struct QuotaMap {
  std::optional<QuotaRow> by_size;
  std::optional<QuotaRow> by_age;
};

const Shape<QuotaMap>& quota_shape() {
  static const auto row = [] {
    using Q = QuotaRow;
    Shape<Q> made;
    made.value<&Q::bytes>("limitSize")
        .value<&Q::bytes_before_2_9>("limit")
        .value<&Q::seconds>("limitTime")
        .value<&Q::policy>("policy");
    return made;
  }();
  static const auto shape = [] {
    Shape<QuotaMap> made;
    made.object<&QuotaMap::by_size>("destination_storage", row).object<&QuotaMap::by_age>("message_age", row);
    return made;
  }();
  return shape;
}

// -1 and 0: no limit.
std::optional<std::int64_t> limit_of(std::optional<std::int64_t> value) {
  return value.value_or(0) > 0 ? value : std::nullopt;
}

std::optional<model::BacklogQuota> quota_of(const QuotaMap& read) {
  if (!read.by_size && !read.by_age) return std::nullopt;
  model::BacklogQuota quota;
  quota.gives_size = read.by_size.has_value();
  quota.gives_age = read.by_age.has_value();
  if (read.by_size) {
    quota.bytes = limit_of(read.by_size->bytes ? read.by_size->bytes : read.by_size->bytes_before_2_9);
    quota.evicts_by_size = read.by_size->policy == kEvicts;
  }
  if (read.by_age) {
    quota.seconds = limit_of(read.by_age->seconds);
    quota.evicts_by_age = read.by_age->policy == kEvicts;
  }
  return quota;
}

struct Persistence {
  std::optional<std::int64_t> ensemble;
  std::optional<std::int64_t> write_quorum;
};

const Shape<Persistence>& persistence_shape() {
  static const auto shape = [] {
    Shape<Persistence> made;
    made.value<&Persistence::ensemble>("bookkeeperEnsemble").value<&Persistence::write_quorum>("bookkeeperWriteQuorum");
    return made;
  }();
  return shape;
}

struct Policies : model::NamespaceView {
  QuotaMap quotas;
  std::optional<Persistence> persistence;
};

const Shape<Policies>& policies_shape() {
  static const auto shape = [] {
    using P = Policies;
    Shape<P> made;
    made.value<&P::deleted>("deleted")
        .object<&P::retention>("retention_policies", retention_shape())
        .value<&P::ttl_seconds>("message_ttl_in_seconds")
        .value<&P::expiration_minutes>("subscription_expiration_time_minutes")
        .value<&P::compaction_threshold_bytes>("compaction_threshold")
        .object<&P::quotas>("backlog_quota_map", quota_shape())
        .object<&P::persistence>("persistence", persistence_shape())
        .strings<&P::replication_clusters>("replication_clusters")
        .texts<&P::properties>("properties");
    return made;
  }();
  return shape;
}

struct RuntimeConfiguration : model::BrokerDefaults {
  std::optional<std::int64_t> retention_minutes;
  std::optional<std::int64_t> retention_megabytes;
  std::optional<std::int64_t> quota_bytes;
  std::optional<std::int64_t> quota_gigabytes;  // before 2.9
  std::optional<std::int64_t> quota_seconds;
  std::string quota_policy;
  std::string precise;
};

// The default policy holds for both limits.
std::optional<model::BacklogQuota> quota_of(const RuntimeConfiguration& read) {
  if (!read.quota_bytes && !read.quota_gigabytes && !read.quota_seconds) return std::nullopt;
  model::BacklogQuota quota;
  quota.gives_size = quota.gives_age = true;
  quota.bytes = limit_of(read.quota_bytes);
  if (const auto gigabytes = limit_of(read.quota_gigabytes); gigabytes && !quota.bytes) {
    quota.bytes = *gigabytes << 30;
  }
  quota.seconds = limit_of(read.quota_seconds);
  quota.evicts_by_size = quota.evicts_by_age = read.quota_policy == kEvicts;
  return quota;
}

// Every value is a string there, numbers too.
template <auto Member>
void set_number(RuntimeConfiguration& self, const Scalar& value) {
  self.*Member = value.as_integer();
  const auto text = value.as_text();
  if (!text) return;
  std::int64_t number = 0;
  const auto got = std::from_chars(text->data(), text->data() + text->size(), number);
  if (got.ec != std::errc{} || got.ptr != text->data() + text->size()) return;
  self.*Member = Scalar{.kind = Scalar::Kind::kInteger, .integer = number}.as_integer();
}

void set_replicator_prefix(RuntimeConfiguration& self, const Scalar& value) {
  const auto prefix = value.as_text().value_or("");
  if (!prefix.empty()) self.cursor_names.replicator_prefix = prefix;
}

void set_system_cursors(RuntimeConfiguration& self, const Scalar& value) {
  self.cursor_names.system = model::names_of_set(value.as_text().value_or(""));
}

const Shape<RuntimeConfiguration>& configuration_shape() {
  static const auto shape = [] {
    using C = RuntimeConfiguration;
    Shape<C> made;
    made.value<&C::cluster>("clusterName")
        .set<set_number<&C::retention_minutes>>("defaultRetentionTimeInMinutes")
        .set<set_number<&C::retention_megabytes>>("defaultRetentionSizeInMB")
        .set<set_number<&C::ttl_seconds>>("ttlDurationDefaultInSeconds")
        .set<set_number<&C::expiration_minutes>>("subscriptionExpirationTimeMinutes")
        .set<set_number<&C::expiration_check_minutes>>("subscriptionExpiryCheckIntervalInMinutes")
        .set<set_number<&C::expiry_check_minutes>>("messageExpiryCheckIntervalInMinutes")
        .set<set_number<&C::stats_period_seconds>>("statsUpdateFrequencyInSecs")
        .set<set_number<&C::compaction_threshold_bytes>>("brokerServiceCompactionThresholdInBytes")
        .set<set_number<&C::dedup_interval_entries>>("brokerDeduplicationEntriesInterval")
        .set<set_number<&C::quota_bytes>>("backlogQuotaDefaultLimitBytes")
        .set<set_number<&C::quota_gigabytes>>("backlogQuotaDefaultLimitGB")
        .set<set_number<&C::quota_seconds>>("backlogQuotaDefaultLimitSecond")
        .value<&C::quota_policy>("backlogQuotaDefaultRetentionPolicy")
        .value<&C::precise>("preciseTimeBasedBacklogQuotaCheck")
        .set<set_number<&C::ensemble>>("managedLedgerDefaultEnsembleSize")
        .set<set_number<&C::write_quorum>>("managedLedgerDefaultWriteQuorum")
        .set<set_number<&C::retention_check_seconds>>("retentionCheckIntervalInSeconds")
        .set<set_number<&C::min_rollover_minutes>>("managedLedgerMinLedgerRolloverTimeMinutes")
        .set<set_number<&C::max_rollover_minutes>>("managedLedgerMaxLedgerRolloverTimeMinutes")
        .set<set_number<&C::max_ledger_entries>>("managedLedgerMaxEntriesPerLedger")
        .set<set_number<&C::max_ledger_megabytes>>("managedLedgerMaxSizePerLedgerMbytes")
        .set<set_replicator_prefix>("replicatorPrefix")
        .set<set_system_cursors>("additionalSystemCursorNames");
    return made;
  }();
  return shape;
}

struct Partitions {
  std::optional<std::int64_t> count;
};

const Shape<Partitions>& partitions_shape() {
  static const auto shape = [] {
    Shape<Partitions> made;
    made.value<&Partitions::count>("partitions");
    return made;
  }();
  return shape;
}

struct Bookie {
  std::string id;
};

struct Bookies {
  std::vector<Bookie> list;
};

const Shape<Bookies>& bookies_shape() {
  static const auto bookie = [] {
    Shape<Bookie> made;
    made.value<&Bookie::id>("bookieId");
    return made;
  }();
  static const auto shape = [] {
    Shape<Bookies> made;
    made.list<&Bookies::list>("bookies", bookie);
    return made;
  }();
  return shape;
}

}  // namespace

std::string decode_version(std::string_view body) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto from = body.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  body = body.substr(from, body.find_last_not_of(kBlank) - from + 1);
  if (body.size() < 2 || body.front() != '"' || body.back() != '"') return std::string(body);
  body = body.substr(1, body.size() - 2);
  const auto plain = formats::unescape_json(body);
  return plain ? *plain : std::string(body);
}

bool is_version(std::string_view text) {
  constexpr std::size_t kLongestVersion = 64;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto belongs = [&](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view(".-_+").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.size() <= kLongestVersion && is_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), belongs);
}

Result<model::NamespaceView> decode_policies(std::string_view body) {
  Policies read;
  if (auto done = read_shape("policies", body, policies_shape(), read); done.has_error()) return done.error();
  read.quota = quota_of(read.quotas);
  if (read.persistence) {
    read.ensemble = read.persistence->ensemble;
    read.write_quorum = read.persistence->write_quorum;
  }
  read.policies_known = true;
  return model::NamespaceView(std::move(read));
}

Result<void> decode_topic_policy(Endpoint endpoint, std::string_view body, model::TopicPolicies& policies) {
  const bool none = body.empty() || body == "null";
  const auto number = [&](std::optional<std::int64_t>& figure) -> Result<void> {
    figure.reset();
    if (none) return {};
    std::int64_t value = 0;
    const auto got = std::from_chars(body.data(), body.data() + body.size(), value);
    if (got.ec != std::errc{} || got.ptr != body.data() + body.size()) {
      return Error{Errc::kMalformed, std::string(name_of(endpoint)) + ": no whole number"};
    }
    figure = Scalar{.kind = Scalar::Kind::kInteger, .integer = value}.as_integer();
    return {};
  };
  if (endpoint == Endpoint::kTopicTtl) return number(policies.ttl_seconds);
  if (endpoint == Endpoint::kTopicCompaction) return number(policies.compaction_threshold_bytes);
  if (endpoint == Endpoint::kTopicRetention) {
    policies.retention.reset();
    if (none) return {};
    return read_shape(name_of(endpoint), body, retention_shape(), policies.retention.emplace());
  }
  policies.quota.reset();
  if (none) return {};
  QuotaMap quotas;
  auto done = read_shape(name_of(endpoint), body, quota_shape(), quotas);
  if (done) policies.quota = quota_of(quotas);
  return done;
}

Result<model::BrokerDefaults> decode_runtime_configuration(std::string_view body) {
  RuntimeConfiguration read;
  if (auto done = read_shape("runtime configuration", body, configuration_shape(), read); done.has_error()) {
    return done.error();
  }
  read.quota = quota_of(read);
  if (!read.precise.empty()) read.precise_age_quota = read.precise == "true";
  if (read.retention_minutes || read.retention_megabytes) {
    read.retention = model::Retention{read.retention_minutes.value_or(0), read.retention_megabytes.value_or(0)};
  }
  return model::BrokerDefaults(std::move(read));
}

Result<int> decode_partitions(std::string_view body) {
  constexpr std::int64_t kMost = 1'000'000;
  Partitions read;
  if (auto done = read_shape("partitions", body, partitions_shape(), read); done.has_error()) return done.error();
  if (!read.count || *read.count < 0 || *read.count > kMost) {
    return Error{Errc::kMalformed, "partitions: no number of partitions"};
  }
  return static_cast<int>(*read.count);
}

Result<std::vector<std::string>> decode_bookies(std::string_view body) {
  Bookies read;
  if (auto done = read_shape("bookies", body, bookies_shape(), read); done.has_error()) return done.error();
  std::vector<std::string> names;
  for (auto& bookie : read.list) {
    if (!bookie.id.empty()) names.push_back(std::move(bookie.id));
  }
  return names;
}

}  // namespace tidemark::pulsar
