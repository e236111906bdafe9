#pragma once
// Everything that watches one cluster, wired: connection, survey, poller, history, rules. One poll gives a snapshot and
// its verdicts. Lives on the io thread; judging runs on the pool while the io thread waits for it and touches no
// history.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "collect/export_source.h"
#include "collect/poller.h"
#include "daemon/from_settings.h"
#include "daemon/watch_observer.h"
#include "detect/judge.h"
#include "history/history.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "survey/survey.h"

namespace tidemark::daemon {

// What one poll came to. Shared and immutable from here on.
struct Outcome {
  std::shared_ptr<const model::Snapshot> snapshot;
  std::shared_ptr<const model::Verdicts> verdicts;
  std::map<std::string, std::string> problems;  // by broker and question
  Duration took{0};

  bool reached() const;  // at least one broker answered
  bool partial() const;  // something could not be judged
  std::vector<std::string> problem_lines() const;
};

// What differs between a daemon, a scan, a recorder and the demo.
struct WatchOptions {
  bool one_pass = false;
  survey::Filter filter;
  collect::Observer* tee = nullptr;
  // A command that does one thing ends at once when its token cannot be read; a daemon waits for the file.
  bool need_credentials = true;
  // The demo's clock runs faster than the wall: intervals of the survey are stretched by it, pauses between requests
  // dropped.
  double time_scale = 1;
};

class ClusterWatch {
 public:
  // References must outlive the watch. kConfig for what cannot work (TLS files, patterns, URLs).
  static Result<std::unique_ptr<ClusterWatch>> create(boost::asio::any_io_executor io, boost::asio::thread_pool& pool,
                                                      const settings::Settings& settings,
                                                      const settings::Cluster& cluster, report::SelfMetrics& metrics,
                                                      const WatchOptions& options);

  // Before the first poll, of a watch with a history: the survey takes up the topics that the history knows.
  boost::asio::awaitable<void> recall();

  boost::asio::awaitable<Outcome> poll(TimeMs at);

  // Ends a running poll soon: closes its connections.
  void stop();

  // The cluster's label; before the end of the first poll the configured name or the URL's host and port.
  const std::string& name() const { return observer_.cluster().empty() ? address_ : observer_.cluster(); }
  survey::Survey& survey() { return survey_; }
  collect::Fetcher& fetcher() { return fetcher_; }
  // Not while a poll runs.
  history::History& history() { return history_; }
  history::History take_history() { return std::move(history_); }
  void give_history(history::History history) {
    history_ = std::move(history);
    history_.retune(tuning_);
  }
  // What Prometheus knew of when it was last asked; empty when it never answered.
  std::optional<std::size_t> exported_cursors() const { return exported_cursors_; }
  // Exceptions of the configuration that do not hold any more: one line each.
  std::vector<std::string> ended_exceptions(TimeMs now) const { return patterns_.exceptions.ended(now); }
  // As of the last poll.
  const report::HistoryUse& history_use() const { return history_use_; }

 private:
  struct Parts {
    std::unique_ptr<http::Client> client;
    std::unique_ptr<collect::ExportSource> exports;  // null: ages are restored from nowhere
  };
  ClusterWatch(boost::asio::any_io_executor io, boost::asio::thread_pool& pool, const settings::Settings& settings,
               const settings::Cluster& cluster, report::SelfMetrics& metrics, const WatchOptions& options,
               Connection connection, Parts parts, detect::Patterns patterns);

  // Asks Prometheus for the past of cursors that are not known, when there may be such.
  boost::asio::awaitable<void> restore(TimeMs at, std::map<std::string, std::string>& problems);

  boost::asio::thread_pool& pool_;
  std::string address_;
  detect::Limits limits_;
  history::Tuning tuning_;
  detect::Patterns patterns_;
  history::History history_;
  report::HistoryUse history_use_;
  std::unique_ptr<http::Client> client_;
  std::unique_ptr<collect::ExportSource> exports_;
  Duration export_interval_;
  bool strangers_ = true;  // at the start all are
  std::optional<TimeMs> asked_exports_ms_;
  std::optional<std::size_t> exported_cursors_;
  std::string exports_problem_;
  collect::Fetcher fetcher_;
  survey::Survey survey_;
  WatchObserver observer_;
  collect::Poller poller_;
};

}  // namespace tidemark::daemon
