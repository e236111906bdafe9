#pragma once
// How the survey asks: the parts of the configuration that planning needs, already resolved.

#include <string>
#include <vector>

#include "base/time.h"
#include "model/share.h"

namespace tidemark::survey {

// Empty fields let everything through. The narrowest given one counts.
struct Filter {
  std::string tenant;
  std::string ns;     // "tenant/namespace"
  std::string topic;  // "persistent://t/n/x"; its partitions too

  bool lets_tenant(const std::string& name) const;
  bool lets_namespace(const std::string& name) const;
  bool lets_topic(const std::string& name) const;
};

struct Options {
  std::string seed;     // authority of the configured URL, "host:port"
  std::string cluster;  // configured name; empty = as the cluster says
  Duration interval{60000};
  Duration topology_interval{600000};
  Duration abandoned_after{8LL * 86400000};  // the windows of the verdicts: how fresh their documents must be
  Duration stuck_after{30LL * 60000};
  double suspect_rate = 5;         // calls a second to one broker
  double internal_info_rate = 20;  // calls a second to the cluster
  double audit_share = 0.02;
  bool load_topics = false;
  model::Share share;                // what is ours to judge
  bool one_pass = false;             // scan: everything suspicious at once, however long it takes
  bool replay = false;               // documents come from a recording; nothing is asked
  Duration ledger_list_interval{0};  // between two lists of all ledgers; 0 = never
  std::vector<std::string> bookies;  // authorities; empty = ask the brokers
  int bookie_metrics_port = 8000;
  Filter filter;
};

}  // namespace tidemark::survey
