// The whole of a configuration: each value by its row of the table, then what only several values together can get
// wrong.
#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "settings/keys.h"
#include "settings/load.h"
#include "settings/mistakes.h"
#include "settings/suggest.h"
#include "settings/texts.h"

namespace tidemark::settings {
namespace {

using Mistakes = std::vector<Error>;

void refuse(Mistakes& mistakes, std::string text) { mistakes.emplace_back(Errc::kConfig, std::move(text)); }

void check_pairs(const Auth& auth, const Tls& tls, const std::string& place, Mistakes& mistakes) {
  const auto& basic = auth.basic;
  if (basic.user.empty() != basic.password_file.empty()) {
    refuse(mistakes, place + ".auth.basic: needs both 'user' and 'password_file'");
  }
  if (!basic.user.empty() && !auth.token_file.empty()) {
    refuse(mistakes, place + ".auth: has 'token_file' and 'basic'; one of the two is sent, leave the other out");
  }
  if (tls.cert_file.empty() != tls.key_file.empty()) {
    refuse(mistakes, place + ".tls: a client certificate needs both 'cert_file' and 'key_file'");
  }
}

std::string without_slashes(const std::string& url) { return url.substr(0, url.find_last_not_of('/') + 1); }

void check_part(const Cluster& cluster, const std::string& place, Mistakes& mistakes) {
  if (cluster.mode == Mode::kSidecar && !cluster.bookies.urls.empty()) {
    refuse(mistakes,
           place + ".bookies.urls: a sidecar looks at no bookies; list them where 'mode: beside_sidecars' is");
  }
  if (cluster.shards > 1 && cluster.mode != Mode::kCluster) {
    refuse(mistakes, place + ".shards: only 'mode: cluster' is split; sidecars are parts already");
  }
  if (is_shard(cluster.shard) && !cluster.shard.empty() && std::stoi(cluster.shard) >= cluster.shards) {
    refuse(mistakes, fmt::format("{}.shard: {} of {} shards there is none; they are numbered from 0", place,
                                 cluster.shard, cluster.shards));
  }
}

// Two clusters under one name would mix their series, and without a configured one two may call themselves the same.
void check_clusters(const Settings& settings, Mistakes& mistakes) {
  if (settings.clusters.empty()) {
    return refuse(mistakes, "clusters: none is given; the least is  clusters: [{url: http://HOST:8080}]");
  }
  std::map<std::string, std::string> names;
  std::map<std::string, std::string> urls;
  for (std::size_t i = 0; i < settings.clusters.size(); ++i) {
    const auto& cluster = settings.clusters[i];
    const auto place = fmt::format("clusters.{}", i);
    check_pairs(cluster.auth, cluster.tls, place, mistakes);
    check_part(cluster, place, mistakes);
    const auto [same_url, new_url] = urls.emplace(without_slashes(cluster.url), place);
    if (!new_url && !cluster.url.empty()) {
      refuse(mistakes, fmt::format("{}.url: {} has it already", place, same_url->second));
    }
    if (cluster.name.empty() && settings.clusters.size() > 1) {
      refuse(mistakes,
             place + ": has no 'name'; of several clusters each needs one, for two may call themselves the same");
    }
    const auto [same_name, new_name] = names.emplace(cluster.name, place);
    if (!new_name && !cluster.name.empty()) {
      refuse(mistakes,
             fmt::format("{}.name: {} is called {} already", place, same_name->second, in_quotes(cluster.name)));
    }
  }
}

}  // namespace

Result<void> validate(const Settings& settings) {
  Mistakes mistakes;
  for (const auto& key : keys()) key.check(settings, mistakes);
  check_pairs(settings.restore.auth, settings.restore.tls, "restore", mistakes);
  check_clusters(settings, mistakes);
  if (settings.detect.disk_min_history > settings.detect.disk_window) {
    refuse(mistakes,
           "detect.disk_min_history: is longer than 'detect.disk_window', of which nothing more is kept: no disk would "
           "ever be watched for long enough");
  }
  if (!mistakes.empty()) return all_of(mistakes);
  return {};
}

}  // namespace tidemark::settings
