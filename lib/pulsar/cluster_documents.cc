#include "pulsar/cluster_documents.h"

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

const Shape<model::NamespaceView>& policies_shape() {
  static const auto shape = [] {
    using N = model::NamespaceView;
    Shape<N> made;
    made.value<&N::deleted>("deleted")
        .object<&N::retention>("retention_policies", retention_shape())
        .value<&N::ttl_seconds>("message_ttl_in_seconds")
        .value<&N::expiration_minutes>("subscription_expiration_time_minutes")
        .texts<&N::properties>("properties");
    return made;
  }();
  return shape;
}

struct RuntimeConfiguration {
  std::string cluster;
  std::optional<std::int64_t> retention_minutes;
  std::optional<std::int64_t> retention_megabytes;
  std::optional<std::int64_t> ttl_seconds;
  std::optional<std::int64_t> expiration_minutes;
  std::optional<std::int64_t> stats_period_seconds;
};

// Every value is a string there, numbers too.
template <auto Member>
void set_number(RuntimeConfiguration& self, const Scalar& value) {
  self.*Member = value.as_integer();
  const auto text = value.as_text();
  if (!text) return;
  std::int64_t number = 0;
  const auto got = std::from_chars(text->data(), text->data() + text->size(), number);
  if (got.ec == std::errc{} && got.ptr == text->data() + text->size()) self.*Member = number;
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
        .set<set_number<&C::stats_period_seconds>>("statsUpdateFrequencyInSecs");
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

Result<model::NamespaceView> decode_policies(std::string_view body) {
  model::NamespaceView view;
  if (auto done = read_shape("policies", body, policies_shape(), view); done.has_error()) return done.error();
  view.policies_known = true;
  return view;
}

Result<model::BrokerDefaults> decode_runtime_configuration(std::string_view body) {
  RuntimeConfiguration read;
  if (auto done = read_shape("runtime configuration", body, configuration_shape(), read); done.has_error()) {
    return done.error();
  }
  model::BrokerDefaults defaults;
  defaults.cluster = std::move(read.cluster);
  defaults.ttl_seconds = read.ttl_seconds;
  defaults.expiration_minutes = read.expiration_minutes;
  defaults.stats_period_seconds = read.stats_period_seconds;
  if (read.retention_minutes || read.retention_megabytes) {
    defaults.retention = model::Retention{read.retention_minutes.value_or(0), read.retention_megabytes.value_or(0)};
  }
  return defaults;
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
