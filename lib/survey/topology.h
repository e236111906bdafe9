#pragma once
// What the cluster consists of: brokers, tenants, namespaces, policies, lists of topics and of partitioned ones.
// Refreshed slowly; any broker answers, so all of it is asked of the configured URL. Names each question at most once a
// round; a refused one waits for the next round, one that got no answer is tried again from the next poll on.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/snapshot.h"
#include "survey/ask.h"
#include "survey/options.h"

namespace tidemark::survey {

class Topology {
 public:
  explicit Topology(const Options& options);

  // Starts a round when one is due, or goes on with the last one: a poll asks only so many of these questions, so that
  // ten thousand namespaces do not hold up the sweeps.
  void begin_poll(TimeMs now);
  void refresh_soon() { next_round_ms_ = 0; }

  // What is due and follows from what is known by now. Call again after the answers came, until it is empty.
  std::vector<Ask> due();

  // Whether the broker could answer a question of ours, be it with a refusal.
  void answered(const std::string& path, bool could);

  // Answers. Topic lists go to the survey; the topology only needs to know that one came.
  void take_brokers(std::vector<std::string> brokers);
  void take_version(std::string version) { version_ = std::move(version); }
  void take_defaults(model::BrokerDefaults defaults);
  void take_clusters(const std::vector<std::string>& clusters);
  void take_tenants(std::vector<std::string> tenants);
  void take_namespaces(const std::string& tenant, std::vector<std::string> namespaces);
  void take_policies(const std::string& ns, model::NamespaceView policies);
  void take_bookies(std::vector<std::string> bookies);
  // One that an earlier run knew, until a list comes.
  void remember_bookie(const std::string& name);
  // A namespace that a sweep named. Matters where nothing is discovered: then only such namespaces' policies are asked
  // for.
  void note_namespace(const std::string& ns) { swept_namespaces_.insert(ns); }
  // Forgets those that are not listed any more and that nothing is in.
  void keep_namespaces(const std::function<bool(const std::string&)>& used);

  // Never empty: the seed stands in until the list is known.
  const std::vector<std::string>& brokers() const { return brokers_; }
  const std::vector<std::string>& bookies() const { return bookies_; }
  // The lists were read and do not have it.
  bool lacks_namespace(const std::string& tenant, const std::string& ns) const;
  const std::map<std::string, model::NamespaceView>& namespaces() const { return namespaces_; }
  // By the newest list of its tenant's.
  bool lists(const std::string& ns) const;
  const model::BrokerDefaults& defaults() const { return defaults_; }
  const std::string& version() const { return version_; }
  // The label of everything about this cluster: the configured name, else what the cluster called itself by the end of
  // the first poll, else the URL's host. It does not change afterwards, or series would break off.
  std::string cluster() const;
  void fix_label() { label_ = cluster(); }

 private:
  std::vector<Ask> follow();
  void want(std::vector<Ask>& asks, pulsar::Endpoint endpoint, std::string path);
  bool is_watched(const std::string& ns) const;
  void want_namespace(std::vector<Ask>& asks, const std::string& ns);
  void want_partitioned(std::vector<Ask>& asks);

  const Options& options_;
  TimeMs next_round_ms_ = 0;
  bool in_round_ = false;
  TimeMs next_partitioned_ms_ = 0;  // once an hour, in a round, behind everything else
  bool with_partitioned_ = false;   // this one
  std::size_t allowance_ = 0;       // questions left in this poll
  std::set<std::string> asked_;     // paths of this round
  std::set<std::string> unanswered_;
  std::string probed_;    // the last of them that was tried again
  bool probing_ = false;  // one of them is being tried again in this poll
  std::string own_name_;  // as Pulsar calls the cluster; empty while nothing tells
  std::string label_;
  std::string version_;
  std::vector<std::string> brokers_;
  std::vector<std::string> bookies_;
  std::set<std::string> tenants_;
  std::map<std::string, std::set<std::string>> namespaces_of_;
  std::set<std::string> swept_namespaces_;
  std::map<std::string, model::NamespaceView> namespaces_;
  model::BrokerDefaults defaults_;
};

}  // namespace tidemark::survey
