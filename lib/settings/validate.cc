// The whole of a configuration: each value by its row of the table, then what only several values together can get
// wrong.
#include <fmt/format.h>

#include <algorithm>
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

// What is found, but for what follows from an earlier mistake.
class Whole {
 public:
  explicit Whole(const Mistakes& before) : before_(before) {}

  // `what` begins with a key. `rests_on`: the keys whose values it goes by.
  void refuse(const std::vector<std::string>& rests_on, std::string what) {
    if (std::any_of(rests_on.begin(), rests_on.end(), [&](const auto& key) { return before_.concern(key); })) return;
    found_.add(Error(Errc::kConfig, std::move(what)));
  }
  // Of a value alone.
  void refuse(const Error& mistake) { refuse({mistake.text().substr(0, mistake.text().find(": "))}, mistake.text()); }

  const Mistakes& found() const { return found_; }

 private:
  const Mistakes& before_;
  Mistakes found_;
};

void check_pairs(const Auth& auth, const Tls& tls, const std::string& place, Whole& whole) {
  const auto user = place + ".auth.basic.user";
  const auto password = place + ".auth.basic.password_file";
  const auto& basic = auth.basic;
  if (basic.user.empty() != basic.password_file.empty()) {
    whole.refuse({user, password}, place + ".auth.basic: needs both 'user' and 'password_file'");
  }
  if (!basic.user.empty() && !auth.token_file.empty()) {
    whole.refuse({user, place + ".auth.token_file"},
                 place + ".auth: has 'token_file' and 'basic'; one of the two is sent, leave the other out");
  }
  if (tls.cert_file.empty() != tls.key_file.empty()) {
    whole.refuse({place + ".tls.cert_file", place + ".tls.key_file"},
                 place + ".tls: a client certificate needs both 'cert_file' and 'key_file'");
  }
}

std::string without_slashes(const std::string& url) { return url.substr(0, url.find_last_not_of('/') + 1); }

void check_part(const Cluster& cluster, const std::string& place, Whole& whole) {
  if (cluster.mode == Mode::kSidecar && !cluster.bookies.urls.empty()) {
    whole.refuse({place + ".mode"},
                 place + ".bookies.urls: a sidecar looks at no bookies; list them where 'mode: beside_sidecars' is");
  }
  if (cluster.shards > 1 && cluster.mode != Mode::kCluster) {
    whole.refuse({place + ".mode", place + ".shards"},
                 place + ".shards: only 'mode: cluster' is split; sidecars are parts already");
  }
  if (is_shard(cluster.shard) && !cluster.shard.empty() && std::stoi(cluster.shard) >= cluster.shards) {
    whole.refuse({place + ".shard", place + ".shards"},
                 fmt::format("{}.shard: {} of {} shards there is none; they are numbered from 0", place, cluster.shard,
                             cluster.shards));
  }
}

// Two clusters under one name would mix their series, and without a configured one two may call themselves the same.
void check_clusters(const Settings& settings, Whole& whole) {
  if (settings.clusters.empty()) {
    return whole.refuse({"clusters"}, "clusters: none is given; the least is  clusters: [{url: http://HOST:8080}]");
  }
  std::map<std::string, std::string> names;
  std::map<std::string, std::string> urls;
  for (std::size_t i = 0; i < settings.clusters.size(); ++i) {
    const auto& cluster = settings.clusters[i];
    const auto place = fmt::format("clusters.{}", i);
    check_pairs(cluster.auth, cluster.tls, place, whole);
    check_part(cluster, place, whole);
    const auto [same_url, new_url] = urls.emplace(without_slashes(cluster.url), place);
    if (!new_url && !cluster.url.empty()) {
      whole.refuse({place + ".url"}, fmt::format("{}.url: {} has it already", place, same_url->second));
    }
    if (cluster.name.empty() && settings.clusters.size() > 1) {
      whole.refuse({place + ".name"},
                   place + ": has no 'name'; of several clusters each needs one, for two may call themselves the same");
    }
    const auto [same_name, new_name] = names.emplace(cluster.name, place);
    if (!new_name && !cluster.name.empty()) {
      whole.refuse({place + ".name"},
                   fmt::format("{}.name: {} is called {} already", place, same_name->second, in_quotes(cluster.name)));
    }
  }
}

}  // namespace

Result<void> validate(const Settings& settings, const Mistakes& before) {
  Whole whole(before);
  std::vector<Error> values;
  for (const auto& key : keys()) key.check(settings, values);
  for (const auto& mistake : values) whole.refuse(mistake);
  check_pairs(settings.restore.auth, settings.restore.tls, "restore", whole);
  check_clusters(settings, whole);
  if (settings.detect.disk_min_history > settings.detect.disk_window) {
    whole.refuse(
        {"detect.disk_min_history", "detect.disk_window"},
        "detect.disk_min_history: is longer than 'detect.disk_window', of which nothing more is kept: no disk would "
        "ever be watched for long enough");
  }
  if (!whole.found().empty()) return whole.found().all();
  return {};
}

}  // namespace tidemark::settings
