#pragma once
// The configuration in the terms of the rooms that work by it.

#include "base/result.h"
#include "collect/export_source.h"
#include "collect/fetch.h"
#include "collect/poller.h"
#include "detect/limits.h"
#include "history/cursor_history.h"
#include "http/client.h"
#include "http/credentials.h"
#include "model/share.h"
#include "report/cluster_metrics.h"
#include "settings/settings.h"
#include "survey/options.h"

namespace tidemark::daemon {

detect::Limits limits_of(const settings::Settings& settings);
history::Tuning tuning_of(const settings::Settings& settings);
report::MetricLimits metric_limits_of(const settings::Settings& settings);

struct Connection {
  http::Origin seed;
  model::Share share;                           // of the cluster
  std::map<std::string, http::Origin> bookies;  // by authority
  http::Credentials credentials;
  http::TlsOptions tls;
  collect::FetchOptions fetch;
};
std::string host_name();
// `host`: of this process, where a shard is told by it.
Result<model::Shard> shard_of(const settings::Cluster& cluster, std::string_view host);
Result<Connection> connection_of(const settings::Settings& settings, const settings::Cluster& cluster);

// Null: ages are restored from nowhere.
Result<std::unique_ptr<collect::ExportSource>> export_source_of(boost::asio::any_io_executor io,
                                                                const settings::Restore& restore);

survey::Options survey_options_of(const settings::Settings& settings, const settings::Cluster& cluster,
                                  const Connection& connection);
collect::PollOptions poll_options_of(const settings::Settings& settings, const settings::Cluster& cluster);

}  // namespace tidemark::daemon
