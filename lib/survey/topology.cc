#include "survey/topology.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tidemark::survey {
namespace {

constexpr std::size_t kLeastQuestions = 200;  // in one poll
constexpr Duration kPartitionedAge{3600000};

}  // namespace

bool Filter::lets_tenant(const std::string& name) const {
  if (!topic.empty()) return topic.find("://" + name + "/") != std::string::npos;
  if (!ns.empty()) return ns.starts_with(name + "/");
  return tenant.empty() || tenant == name;
}

bool Filter::lets_namespace(const std::string& name) const {
  if (!topic.empty()) return topic.find("://" + name + "/") != std::string::npos;
  if (!ns.empty()) return ns == name;
  return tenant.empty() || name.starts_with(tenant + "/");
}

bool Filter::lets_topic(const std::string& name) const {
  if (!topic.empty()) return name == topic || name.starts_with(topic + "-partition-");
  const auto parsed = model::parse_topic(name);
  return parsed && lets_namespace(std::string(parsed->ns));
}

Topology::Topology(const Options& options) : options_(options), brokers_{options.seed} {
  if (options.share.speaks_for_cluster()) bookies_ = options.bookies;
}

void Topology::begin_poll(TimeMs now) {
  const auto seconds = static_cast<double>(options_.interval.count()) / 1000;
  const auto share = static_cast<std::size_t>(options_.internal_info_rate * seconds);
  allowance_ = options_.one_pass ? std::numeric_limits<std::size_t>::max() : std::max(kLeastQuestions, share);
  probing_ = false;
  if (in_round_) return;
  if (now >= next_round_ms_) {
    in_round_ = true;
    next_round_ms_ = now + options_.topology_interval.count();
    // What they are compared for takes two rounds.
    with_partitioned_ = !options_.one_pass && options_.share.discovers() && now >= next_partitioned_ms_;
    if (with_partitioned_) next_partitioned_ms_ = now + kPartitionedAge.count();
    asked_.clear();
    unanswered_.clear();
    return;
  }
  if (unanswered_.empty()) return;
  // One question tells whether the broker is back; the others follow when it is.
  auto probe = unanswered_.upper_bound(probed_);
  if (probe == unanswered_.end()) probe = unanswered_.begin();
  in_round_ = probing_ = true;
  probed_ = *probe;
  asked_.erase(probed_);
  unanswered_.erase(probe);
}

void Topology::answered(const std::string& path, bool could) {
  if (!could) {
    unanswered_.insert(path);
  } else if (std::exchange(probing_, false)) {
    for (const auto& other : unanswered_) asked_.erase(other);
    unanswered_.clear();
  }
}

void Topology::want(std::vector<Ask>& asks, pulsar::Endpoint endpoint, std::string path) {
  if (allowance_ == 0 || !asked_.insert(path).second) return;
  --allowance_;
  asks.push_back({endpoint, model::Target::kBroker, options_.seed, std::move(path)});
}

bool Topology::is_watched(const std::string& ns) const {
  const bool is_name = ns.find('/') != std::string::npos;
  return is_name && !model::is_excluded_namespace(ns) && options_.filter.lets_namespace(ns);
}

void Topology::want_namespace(std::vector<Ask>& asks, const std::string& ns) {
  if (!is_watched(ns)) return;
  const auto& share = options_.share;
  // Who speaks for the cluster needs all policies: the largest ensemble in use is a namespace's.
  const bool ours = share.owns_namespace(ns);
  if (ours || share.speaks_for_cluster()) want(asks, pulsar::Endpoint::kPolicies, pulsar::policies_path(ns));
  if (ours && share.discovers()) want(asks, pulsar::Endpoint::kTopics, pulsar::topics_path(ns));
}

void Topology::want_partitioned(std::vector<Ask>& asks) {
  for (const auto& [tenant, namespaces] : namespaces_of_) {
    for (const auto& ns : namespaces) {
      if (is_watched(ns) && options_.share.owns_namespace(ns))
        want(asks, pulsar::Endpoint::kPartitionedTopics, pulsar::partitioned_topics_path(ns));
    }
  }
}

std::vector<Ask> Topology::due() {
  if (!in_round_) return {};
  auto asks = follow();
  // Nothing left to ask, and not for want of leave: the round is over.
  if (asks.empty() && allowance_ > 0) in_round_ = false;
  return asks;
}

std::vector<Ask> Topology::follow() {
  std::vector<Ask> asks;
  const bool asked_for_name = asked_.contains(pulsar::clusters_path());
  want(asks, pulsar::Endpoint::kVersion, pulsar::version_path());
  want(asks, pulsar::Endpoint::kRuntimeConfiguration, pulsar::runtime_configuration_path());
  want(asks, pulsar::Endpoint::kClusters, pulsar::clusters_path());
  const auto& share = options_.share;
  // With authorization a broker knows no cluster but its own. The label may be the name, where nothing tells that.
  const auto& name = own_name_.empty() && asked_for_name ? options_.cluster : own_name_;
  if (share.discovers() && !name.empty()) want(asks, pulsar::Endpoint::kBrokers, pulsar::brokers_path(name));
  if (options_.bookies.empty() && share.speaks_for_cluster()) {
    want(asks, pulsar::Endpoint::kBookies, pulsar::bookies_path());
  }
  if (!share.discovers()) {
    for (const auto& ns : swept_namespaces_) want_namespace(asks, ns);
    return asks;
  }
  want(asks, pulsar::Endpoint::kTenants, pulsar::tenants_path());
  for (const auto& tenant : tenants_) {
    if (options_.filter.lets_tenant(tenant)) want(asks, pulsar::Endpoint::kNamespaces, pulsar::namespaces_path(tenant));
  }
  for (const auto& [tenant, namespaces] : namespaces_of_) {
    for (const auto& ns : namespaces) want_namespace(asks, ns);
  }
  if (with_partitioned_) want_partitioned(asks);
  return asks;
}

void Topology::take_brokers(std::vector<std::string> brokers) {
  if (brokers.empty()) return;
  std::sort(brokers.begin(), brokers.end());
  brokers_ = std::move(brokers);
}

void Topology::take_defaults(model::BrokerDefaults defaults) {
  if (!defaults.cluster.empty()) own_name_ = defaults.cluster;
  defaults_ = std::move(defaults);
}

void Topology::take_clusters(const std::vector<std::string>& clusters) {
  // With one cluster there is no question which is ours; with more the runtime configuration tells.
  if (own_name_.empty() && clusters.size() == 1) own_name_ = clusters.front();
}

void Topology::take_tenants(std::vector<std::string> tenants) {
  tenants_ = {std::make_move_iterator(tenants.begin()), std::make_move_iterator(tenants.end())};
  std::erase_if(namespaces_of_, [&](const auto& item) { return !tenants_.contains(item.first); });
}

void Topology::take_namespaces(const std::string& tenant, std::vector<std::string> namespaces) {
  namespaces_of_[tenant] = {std::make_move_iterator(namespaces.begin()), std::make_move_iterator(namespaces.end())};
}

bool Topology::lacks_namespace(const std::string& tenant, const std::string& ns) const {
  if (tenants_.empty()) return false;
  const auto of_tenant = namespaces_of_.find(tenant);
  if (of_tenant != namespaces_of_.end()) return !of_tenant->second.contains(ns);
  return !tenants_.contains(tenant);
}

bool Topology::lists(const std::string& ns) const {
  const auto known = namespaces_of_.find(ns.substr(0, ns.find('/')));
  return known != namespaces_of_.end() && known->second.contains(ns);
}

void Topology::keep_namespaces(const std::function<bool(const std::string&)>& used) {
  std::erase_if(swept_namespaces_, [&](const auto& ns) { return !used(ns); });
  std::erase_if(namespaces_,
                [&](const auto& item) { return !lists(item.first) && !swept_namespaces_.contains(item.first); });
}

void Topology::take_policies(const std::string& ns, model::NamespaceView policies) {
  policies.name = ns;
  policies.policies_known = true;
  namespaces_[ns] = std::move(policies);
}

void Topology::remember_bookie(const std::string& name) {
  const bool reads_lists = options_.bookies.empty() && options_.share.speaks_for_cluster();
  if (reads_lists) bookies_.push_back(name);
}

void Topology::take_bookies(std::vector<std::string> bookies) {
  for (auto& bookie : bookies) {
    // The list has bookie ports; metrics are served on a port of their own.
    const auto colon = bookie.rfind(':');
    if (colon != std::string::npos) bookie.resize(colon);
    bookie += ":" + std::to_string(options_.bookie_metrics_port);
  }
  std::sort(bookies.begin(), bookies.end());
  bookies.erase(std::unique(bookies.begin(), bookies.end()), bookies.end());
  bookies_ = std::move(bookies);
}

std::string Topology::cluster() const {
  if (!options_.cluster.empty()) return options_.cluster;
  if (!label_.empty()) return label_;
  return own_name_.empty() ? options_.seed : own_name_;
}

}  // namespace tidemark::survey
