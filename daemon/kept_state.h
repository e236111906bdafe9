#pragma once
// The state file of one cluster's watch: read on the pool before its first poll, written there after each one, and what
// goes wrong with it said once. Monitoring goes on whatever happens to the file. io thread.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <string>

#include "base/time.h"
#include "daemon/cluster_watch.h"
#include "history/state_file.h"
#include "report/self_metrics.h"

namespace tidemark::daemon {

class KeptState {
 public:
  // References must outlive it.
  KeptState(history::StateFile::Options options, boost::asio::thread_pool& pool, report::SelfMetrics& metrics,
            const Clock& clock)
      : file_(std::move(options)), pool_(pool), metrics_(metrics), clock_(clock) {}

  // Once, and not when the watch was given a history; before its first poll.
  boost::asio::awaitable<void> restore(ClusterWatch& watch);
  void skip_restore() { restored_ = true; }

  // After the poll of `at`, while no other one runs.
  boost::asio::awaitable<void> save(ClusterWatch& watch, TimeMs at);

 private:
  history::StateFile file_;
  boost::asio::thread_pool& pool_;
  report::SelfMetrics& metrics_;
  const Clock& clock_;
  bool restored_ = false;
  std::string told_;  // the problem that is in the log
};

}  // namespace tidemark::daemon
