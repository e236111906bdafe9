#pragma once
// The running daemon: watches of all clusters, the web server, signals, reload. SIGTERM and SIGINT end it within 5 s;
// SIGHUP and
// /-/reload read the configuration anew and keep the old one when the new one is bad.

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/time.h"
#include "daemon/cluster_watch.h"
#include "daemon/kept_state.h"
#include "daemon/page_cache.h"
#include "history/state_folder.h"
#include "http/server.h"
#include "http/spawn.h"
#include "report/self_metrics.h"
#include "settings/settings.h"

namespace tidemark::daemon {

struct ServiceOptions {
  // Reads the configuration again; empty = there is nothing to reload.
  std::function<Result<settings::Settings>()> reload;
  // After each poll of a cluster, on the io thread.
  std::function<void(const std::string& cluster, const Outcome& outcome)> on_outcome;
  std::function<void(std::uint16_t port)> on_listening;
  double time_scale = 1;
  // How long to wait for the next poll instead of `rest`, the rest of the interval: for whoever sets the clock.
  std::function<Duration(Duration rest)> pause;
  Duration run_for{0};  // 0 = until a signal
};

class Service {
 public:
  Service(boost::asio::io_context& io, const Clock& clock, settings::Settings settings, ServiceOptions options);
  ~Service();

  // Listens and starts. kNetwork, kConfig, kIo.
  Result<void> start();

  // From the io thread; run() of the io_context returns when all has ended.
  void stop();

 private:
  struct Watched {
    std::unique_ptr<ClusterWatch> watch;
    std::unique_ptr<KeptState> state;  // null without state.path
    report::SeriesKeeper keeper;
    Outcome outcome;  // newest; empty snapshot before the first
  };

  Result<void> open_state();
  std::unique_ptr<KeptState> state_of(const settings::Settings& settings, const settings::Cluster& cluster,
                                      const ClusterWatch& watch);
  Result<std::map<std::string, Watched>> make_watches(const settings::Settings& settings);
  void start_watches();
  boost::asio::awaitable<void> watch(std::string key, std::uint64_t generation);
  boost::asio::awaitable<void> publish();
  boost::asio::awaitable<void> signals();
  boost::asio::awaitable<void> end_in_time();
  boost::asio::awaitable<void> finish();
  boost::asio::awaitable<void> reload();
  boost::asio::awaitable<void> reload_once();
  void note(const ClusterWatch& watch, const Outcome& outcome);
  void note_history(const std::string& cluster, const report::HistoryUse& use);
  void tell_full(const std::string& cluster, const char* key, const std::string& limit, std::int64_t refused,
                 const std::string& meaning);
  void tell_problems(const std::string& cluster, const std::map<std::string, std::string>& problems);

  boost::asio::io_context& io_;
  const Clock& clock_;
  settings::Settings settings_;
  ServiceOptions options_;
  boost::asio::thread_pool pool_{1};
  report::SelfMetrics metrics_;
  std::optional<history::StateFolder> state_;
  std::map<std::string, Watched> watches_;  // by URL
  std::uint64_t generation_ = 0;            // of the configuration; loops of an older one end
  std::shared_ptr<const Pages> pages_;
  std::map<std::string, std::string> told_;  // problems already in the log
  std::map<std::string, TimeMs> told_full_;  // limits that are in the log, and when they were last met
  std::set<std::string> told_exceptions_;    // that have ended, likewise
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<http::Timers> timers_;  // pauses between polls; a new one for each generation
  http::Timers end_timer_;
  http::Tasks watch_tasks_;
  http::Tasks tasks_;
  bool rendering_ = false;
  bool render_again_ = false;
  bool reloading_ = false;
  bool reload_again_ = false;
  bool stopping_ = false;
  struct Signals;
  std::unique_ptr<Signals> signals_;
};

}  // namespace tidemark::daemon
