#include "daemon/from_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace tidemark::daemon {
namespace {

http::Credentials credentials_of(const settings::Auth& auth) {
  if (!auth.token_file.empty()) return http::Credentials::token_file(auth.token_file);
  if (!auth.basic.user.empty()) return http::Credentials::basic(auth.basic.user, auth.basic.password_file);
  return {};
}

http::TlsOptions tls_of(const settings::Tls& tls) { return {tls.ca_file, tls.verify, tls.cert_file, tls.key_file}; }

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = bad == std::errc{} && end == text.data() + text.size() && number >= 0;
  return whole ? std::optional(number) : std::nullopt;
}

Result<model::Share> share_of(const settings::Cluster& cluster, const http::Origin& seed) {
  model::Share share;
  auto shard = shard_of(cluster, host_name());
  if (!shard) return shard.error().at(cluster.url);
  share.shard = *shard;
  switch (cluster.mode) {
    case settings::Mode::kCluster:
      break;
    case settings::Mode::kSidecar:
      share.watch = model::Watch::kSidecar;
      share.broker = seed.authority();
      break;
    case settings::Mode::kBesideSidecars:
      share.watch = model::Watch::kBesideSidecars;
      break;
  }
  return share;
}

// A date counts to its end, in UTC.
std::optional<TimeMs> end_of_day(const std::string& date) {
  const auto start = parse_iso8601(date + "T00:00:00Z");
  return start ? std::optional(*start + Duration{std::chrono::hours{24}}.count()) : std::nullopt;
}

}  // namespace

detect::Limits limits_of(const settings::Settings& settings) {
  detect::Limits limits;
  limits.abandoned_after = settings.detect.abandoned_after;
  limits.stuck_after = settings.detect.stuck_after;
  limits.internal_stuck_after = settings.detect.internal_stuck_after;
  limits.lag_window = settings.detect.lag_window;
  limits.lag_floor = settings.detect.lag_floor;
  limits.growth_window = settings.detect.growth_window;
  limits.disk_window = settings.detect.disk_window;
  limits.disk_min_history = settings.detect.disk_min_history;
  limits.held_min_bytes = settings.detect.held_min_bytes;
  for (const auto& origin : settings.origins) {
    limits.origins.push_back({origin.pattern, model::origin_named(origin.origin).value_or(model::Origin::kNamed)});
  }
  for (const auto& [pattern, owner] : settings.owners) limits.owners.push_back({pattern, owner});
  for (const auto& [pattern, until, reason] : settings.exceptions) {
    limits.exceptions.push_back({pattern, {reason, end_of_day(until)}});
  }
  return limits;
}

history::Tuning tuning_of(const settings::Settings& settings) {
  history::Tuning tuning;
  tuning.rhythm_merge = settings.detect.rhythm_merge;
  tuning.lag_window = settings.detect.lag_window;
  tuning.max_bytes = static_cast<std::size_t>(settings.history.max_bytes);
  tuning.max_removed = static_cast<std::size_t>(settings.history.max_removed);
  tuning.max_figures = static_cast<std::size_t>(settings.history.max_figures);
  return tuning;
}

report::MetricLimits metric_limits_of(const settings::Settings& settings) {
  report::MetricLimits limits;
  limits.max_cursor_series = static_cast<std::size_t>(settings.metrics.max_cursor_series);
  return limits;
}

// A container's HOSTNAME is its pod's name, whatever the network calls it.
std::string host_name() {
  if (const char* given = std::getenv("HOSTNAME"); given != nullptr && *given != '\0')
    return given;  // NOLINT(concurrency-mt-unsafe)
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Result<model::Shard> shard_of(const settings::Cluster& cluster, std::string_view host) {
  if (cluster.shards <= 1) return model::Shard{};
  const auto dash = host.rfind('-');
  const auto ordinal = dash == std::string_view::npos ? std::nullopt : whole_number(host.substr(dash + 1));
  const auto index = cluster.shard.empty() ? ordinal : whole_number(cluster.shard);
  if (index && *index < cluster.shards) return model::Shard{*index, cluster.shards};
  return Error{
      Errc::kConfig,
      fmt::format("which of the {} shards is this? The host '{}' {}. Give its number, 0 to {}, or for all of it "
                  "'shards: 1'",
                  cluster.shards, host, ordinal ? "has the number of none" : "does not end in '-' and a number",
                  cluster.shards - 1)};
}

Result<Connection> connection_of(const settings::Settings& settings, const settings::Cluster& cluster) {
  Connection made;
  auto url = http::parse_url(cluster.url);
  if (!url) return url.error();
  made.seed = url->origin;
  auto share = share_of(cluster, made.seed);
  if (!share) return share.error();
  made.share = std::move(*share);
  for (const auto& text : cluster.bookies.urls) {
    auto bookie = http::parse_url(text);
    if (!bookie) return bookie.error();
    made.bookies[bookie->origin.authority()] = bookie->origin;
  }
  made.credentials = credentials_of(cluster.auth);
  made.tls = tls_of(cluster.tls);
  made.fetch.document_timeout = settings.poll.document_timeout;
  made.fetch.sweep_idle_timeout = settings.poll.sweep_idle_timeout;
  made.fetch.sweep_timeout = settings.poll.sweep_timeout;
  made.fetch.max_document_bytes = static_cast<std::size_t>(settings.poll.max_document_bytes);
  made.fetch.gzip_sweeps = settings.poll.compression == settings::Compression::kGzip;
  return made;
}

Result<std::unique_ptr<collect::ExportSource>> export_source_of(boost::asio::any_io_executor io,
                                                                const settings::Restore& restore) {
  if (restore.prometheus_url.empty()) return std::unique_ptr<collect::ExportSource>{};
  auto base = http::parse_url(restore.prometheus_url);
  if (!base) return base.error().at("restore.prometheus_url");
  collect::ExportOptions options;
  options.base = *base;
  options.credentials = credentials_of(restore.auth);
  options.tls = tls_of(restore.tls);
  options.lookback = restore.lookback;
  options.timeout = restore.timeout;
  return collect::ExportSource::create(std::move(io), std::move(options));
}

survey::Options survey_options_of(const settings::Settings& settings, const settings::Cluster& cluster,
                                  const Connection& connection) {
  survey::Options options;
  options.seed = connection.seed.authority();
  options.cluster = cluster.name;
  options.interval = settings.poll.interval;
  options.topology_interval = settings.poll.topology_interval;
  options.abandoned_after = settings.detect.abandoned_after;
  options.stuck_after = settings.detect.stuck_after;
  options.suspect_rate = settings.poll.suspect_rate / cluster.shards;
  options.internal_info_rate = settings.poll.internal_info_rate / cluster.shards;
  options.audit_share = settings.poll.audit_share;
  options.load_topics = settings.poll.load_topics;
  options.share = connection.share;
  for (const auto& [authority, origin] : connection.bookies) options.bookies.push_back(authority);
  options.ledger_list_interval = settings.poll.ledger_list_interval;
  options.bookie_metrics_port = cluster.bookies.metrics_port;
  return options;
}

collect::PollOptions poll_options_of(const settings::Settings& settings, const settings::Cluster& cluster) {
  collect::PollOptions options;
  // Rates are the brokers' to bear: all shards together keep to them.
  options.suspect_rate = settings.poll.suspect_rate / cluster.shards;
  options.internal_info_rate = settings.poll.internal_info_rate / cluster.shards;
  options.requests_in_flight = settings.poll.requests_in_flight;
  options.max_topic_bytes = static_cast<std::size_t>(settings.poll.max_topic_bytes);
  options.suspects_until = settings.poll.interval * 9 / 10;
  return options;
}

}  // namespace tidemark::daemon
