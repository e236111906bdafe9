#include "daemon/options.h"

#include <iostream>
#include <string_view>
#include <utility>

#include "daemon/from_settings.h"
#include "http/url.h"
#include "model/names.h"
#include "settings/load.h"
#include "settings/mistakes.h"

namespace tidemark::daemon {
namespace {

// The URL of the command line takes the place of the configured one, but not of a cluster's that has more: its token
// would go to another server, and its name onto another cluster's figures.
Result<void> put_url(settings::Cluster& cluster, const std::string& url) {
  auto bare = settings::Cluster{};
  bare.url = cluster.url;
  const auto configured = http::parse_url(cluster.url);
  const auto given = http::parse_url(url);  // what is wrong with it is said later
  if (cluster != bare && configured && given && configured->origin != given->origin) {
    return Error{Errc::kConfig, "the configuration's cluster is at " + cluster.url +
                                    ", and its name, auth, tls and bookies are for that one: leave the URL out, or "
                                    "give it as --set clusters.0.url=URL if they are right there too"};
  }
  cluster.url = url;
  return {};
}

Error contradiction(const std::string& flag, const std::string& value, const std::string& other,
                    const std::string& name) {
  return {Errc::kConfig, flag + ": '" + value + "' and " + other + " '" + name + "' have nothing in common"};
}

bool is_meant(const settings::Cluster& cluster, const Common& common) {
  return common.cluster.empty() || cluster.name == common.cluster || cluster.url == common.cluster;
}

// Which part of a cluster this daemon is may be told by its host.
template <class Add>
void add_shards(const settings::Settings& settings, const Common& common, const settings::Mistakes& mistakes,
                const Add& add) {
  for (std::size_t i = 0; i < settings.clusters.size(); ++i) {
    const auto& cluster = settings.clusters[i];
    const auto place = "clusters." + std::to_string(i);
    const bool unclear = mistakes.concern(place + ".shards") || mistakes.concern(place + ".shard");
    if (!is_meant(cluster, common) || !cluster.shard.empty() || unclear) continue;
    if (auto shard = shard_of(cluster, host_name()); !shard) add(shard.error().at(place + ".shard"));
  }
}

}  // namespace

void add_common(CLI::App& command, Common& common) {
  command.add_option("--config,-c", common.config, "YAML file, see docs/configuration.md")->type_name("FILE");
  command.add_option("--set", common.sets, "one configuration key, e.g. detect.abandoned_after=2d; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)  // what comes behind its one value may be the URL
      ->take_all();
}

CLI::Option* add_cluster(CLI::App& command, Common& common) {
  return command.add_option("--cluster", common.cluster, "which of the configured clusters, by name or URL")
      ->type_name("NAME");
}

void add_url(CLI::App& command, Common& common) {
  command.add_option("url", common.url, "web service of any broker, e.g. http://localhost:8080")->type_name("URL");
}

void add_filter(CLI::App& command, FilterText& filter) {
  command.add_option("--tenant", filter.tenant, "only this tenant")->type_name("T");
  command.add_option("--namespace", filter.ns, "only this namespace")->type_name("T/N");
  command.add_option("--topic", filter.topic, "only this topic and its partitions")->type_name("TOPIC");
}

void add_printing(CLI::App& command, Printing& printing) {
  command.add_option("--format", printing.format, "table, json, csv, prometheus or nagios")
      ->check(CLI::IsMember({"table", "json", "csv", "prometheus", "nagios"}));
  command
      .add_option("--fail-on", printing.fail_on,
                  "least severity that makes the exit status 1: info, warning, critical, never")
      ->check(CLI::IsMember({"info", "warning", "critical", "never"}));
  command.add_flag("--strict", printing.strict, "exit status 4 when a part of the cluster could not be judged");
}

bool asks_for_check(int count, const char* const* arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--format=nagios") return true;
    if (argument == "nagios" && std::string_view(arguments[i - 1]) == "--format") return true;
  }
  return false;
}

Result<settings::Settings> load_settings(const Common& common, bool need_cluster) {
  settings::Settings settings;
  settings::Mistakes mistakes;
  if (!common.config.empty()) {
    auto loaded = settings::load_file(common.config, mistakes);
    if (!loaded) return loaded.error();
    settings = std::move(*loaded);
  }
  if (!common.url.empty()) {
    if (settings.clusters.size() > 1) {
      return Error{Errc::kConfig,
                   "the configuration has several clusters already: choose one with --cluster instead of a URL"};
    }
    settings.clusters.resize(1);
    if (auto put = put_url(settings.clusters.front(), common.url); !put) return put.error();
  }
  if (!need_cluster && settings.clusters.empty()) {
    settings.clusters.resize(1);
    settings.clusters.front().url = "http://recording";
  }
  for (const auto& assignment : common.sets) {
    if (auto done = settings::apply_set(settings, assignment); !done) {
      mistakes.add(done.error(), assignment.substr(0, assignment.find('=')));
    }
  }
  if (settings.clusters.empty() && !mistakes.concern("clusters")) {
    mistakes.add({Errc::kConfig, "no cluster: give the URL of a broker, e.g. http://localhost:8080, or --config FILE"},
                 "clusters");
  }
  const auto add = [&](const Error& error) {
    mistakes.add(common.config.empty() ? error : settings::located(error, common.config));
  };
  if (auto done = settings::validate(settings, mistakes); !done) add(done.error());
  if (need_cluster) add_shards(settings, common, mistakes, add);
  if (!mistakes.empty()) return mistakes.all();
  return settings;
}

Result<settings::Cluster> chosen_cluster(const settings::Settings& settings, const Common& common) {
  if (common.cluster.empty() && settings.clusters.size() == 1) return settings.clusters.front();
  std::string names;
  for (const auto& cluster : settings.clusters) {
    const auto& name = cluster.name.empty() ? cluster.url : cluster.name;
    if (!common.cluster.empty() && is_meant(cluster, common)) return cluster;
    names += (names.empty() ? "" : ", ") + name;
  }
  return Error{Errc::kConfig, "--cluster: choose one of " + names};
}

Result<survey::Filter> parse_filter(const FilterText& text) {
  survey::Filter filter{text.tenant, text.ns, text.topic};
  if (!filter.tenant.empty() && filter.tenant.find('/') != std::string::npos) {
    return Error{Errc::kConfig, "--tenant: '" + filter.tenant + "' has a slash; for a namespace use --namespace"};
  }
  if (!filter.ns.empty() && filter.ns.find('/') == std::string::npos) {
    return Error{Errc::kConfig, "--namespace: '" + filter.ns + "' is not tenant/namespace"};
  }
  if (!filter.tenant.empty() && !filter.ns.empty() && !filter.ns.starts_with(filter.tenant + "/")) {
    return contradiction("--tenant", filter.tenant, "--namespace", filter.ns);
  }
  if (filter.topic.empty()) return filter;
  if (filter.topic.find("://") == std::string::npos) filter.topic = "persistent://" + filter.topic;
  const auto name = model::parse_topic(filter.topic);
  if (!name || !name->persistent) {
    return Error{Errc::kConfig, "--topic: '" + text.topic + "' is not persistent://tenant/namespace/topic"};
  }
  if (!filter.tenant.empty() && filter.tenant != name->tenant) {
    return contradiction("--tenant", filter.tenant, "--topic", text.topic);
  }
  if (!filter.ns.empty() && filter.ns != name->ns) {
    return contradiction("--namespace", filter.ns, "--topic", text.topic);
  }
  return filter;
}

int fail_input(const Error& error) {
  fail(error);
  return kUsage;
}

int fail(const Error& error) {
  std::cerr << "tidemark: " << error.text() << std::endl;
  switch (error.code()) {
    case Errc::kConfig:
    case Errc::kIo:
    case Errc::kMalformed:
      return kUsage;
    default:
      return kUnreachable;
  }
}

}  // namespace tidemark::daemon
