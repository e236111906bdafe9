// The whole of a configuration: each value by its row of the table, then what only several values together can get
// wrong.
#include <fmt/format.h>

#include <map>
#include <string>

#include "settings/keys.h"
#include "settings/load.h"
#include "settings/suggest.h"

namespace tidemark::settings {
namespace {

Error refuse(std::string text) { return {Errc::kConfig, std::move(text)}; }

Result<void> check_pairs(const Auth& auth, const Tls& tls, const std::string& place) {
  const auto& basic = auth.basic;
  if (basic.user.empty() != basic.password_file.empty()) {
    return refuse(place + ".auth.basic: needs both 'user' and 'password_file'");
  }
  if (!basic.user.empty() && !auth.token_file.empty()) {
    return refuse(place + ".auth: has 'token_file' and 'basic'; one of the two is sent, leave the other out");
  }
  if (tls.cert_file.empty() != tls.key_file.empty()) {
    return refuse(place + ".tls: a client certificate needs both 'cert_file' and 'key_file'");
  }
  return {};
}

std::string without_slashes(const std::string& url) { return url.substr(0, url.find_last_not_of('/') + 1); }

Result<void> check_part(const Cluster& cluster, const std::string& place) {
  if (cluster.mode == Mode::kSidecar && !cluster.bookies.urls.empty()) {
    return refuse(place + ".bookies.urls: a sidecar looks at no bookies; list them where 'mode: beside_sidecars' is");
  }
  if (cluster.shards > 1 && cluster.mode != Mode::kCluster) {
    return refuse(place + ".shards: only 'mode: cluster' is split; sidecars are parts already");
  }
  if (!cluster.shard.empty() && std::stoi(cluster.shard) >= cluster.shards) {
    return refuse(fmt::format("{}.shard: {} of {} shards there is none; they are numbered from 0", place, cluster.shard,
                              cluster.shards));
  }
  return {};
}

// Two clusters under one name would mix their series, and without a configured one two may call themselves the same.
Result<void> check_clusters(const Settings& settings) {
  if (settings.clusters.empty()) {
    return refuse("clusters: none is given; the least is  clusters: [{url: http://HOST:8080}]");
  }
  std::map<std::string, std::string> names;
  std::map<std::string, std::string> urls;
  for (std::size_t i = 0; i < settings.clusters.size(); ++i) {
    const auto& cluster = settings.clusters[i];
    const auto place = fmt::format("clusters.{}", i);
    if (auto good = check_pairs(cluster.auth, cluster.tls, place); !good) return good;
    if (auto good = check_part(cluster, place); !good) return good;
    const auto [same_url, new_url] = urls.emplace(without_slashes(cluster.url), place);
    if (!new_url) return refuse(fmt::format("{}.url: {} has it already", place, same_url->second));
    if (cluster.name.empty() && settings.clusters.size() > 1) {
      return refuse(place +
                    ": has no 'name'; of several clusters each needs one, for two may call themselves the same");
    }
    const auto [same_name, new_name] = names.emplace(cluster.name, place);
    if (!new_name) {
      return refuse(fmt::format("{}.name: {} is called {} already", place, same_name->second, in_quotes(cluster.name)));
    }
  }
  return {};
}

}  // namespace

Result<void> validate(const Settings& settings) {
  for (const auto& key : keys()) {
    if (auto good = key.check(settings); !good) return good;
  }
  if (auto good = check_pairs(settings.restore.auth, settings.restore.tls, "restore"); !good) return good;
  return check_clusters(settings);
}

}  // namespace tidemark::settings
