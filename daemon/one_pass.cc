#include "daemon/one_pass.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "daemon/one_poll.h"
#include "report/visible_text.h"

namespace tidemark::daemon {
namespace {

// A line on a terminal's stderr that is overwritten: how long a long pass will take, and who lets it wait.
class Progress final : public collect::Observer {
 public:
  explicit Progress(double calls_per_second) : rate_(calls_per_second), shown_(isatty(STDERR_FILENO) != 0) {}

  void begins(pulsar::Endpoint endpoint, const std::string& name) override {
    underway_.emplace_back(endpoint, name);
    show();
  }
  void ends(pulsar::Endpoint endpoint, const std::string& name) override {
    underway_.erase(std::find(underway_.begin(), underway_.end(), std::pair(endpoint, name)));
    show();
  }
  void progress(std::size_t asked, std::size_t waiting) override {
    const auto left = Duration{static_cast<std::int64_t>(2000.0 * static_cast<double>(waiting) / rate_)};
    done_ = fmt::format("asked for {} topics, {} to go, about {}; ", asked, waiting, format_duration(left));
    show();
  }
  void clear() const {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }

 private:
  // Of those that are asked, the one who was asked first.
  void show() const {
    if (!shown_ || underway_.empty()) return;
    const auto& [endpoint, name] = underway_.front();
    std::cerr << fmt::format("\r{}waiting for {} ({})\x1b[K", done_, report::visible(name), pulsar::name_of(endpoint))
              << std::flush;
  }

  double rate_;
  bool shown_;
  std::string done_;
  std::vector<std::pair<pulsar::Endpoint, std::string>> underway_;
};

std::string first_problem(const Outcome& outcome) {
  for (const auto& broker : outcome.snapshot->brokers) {
    if (!broker.problem.empty()) return broker.problem;
  }
  return "no broker answered";
}

// Of whatever tells which topics there are: the first line about what could not be read.
std::optional<std::string> unread_list(const Outcome& outcome) {
  using pulsar::Endpoint;
  for (const auto& [key, text] : outcome.problems) {
    const auto kind = key.substr(key.rfind(' ') + 1);
    for (const auto list : {Endpoint::kTenants, Endpoint::kNamespaces, Endpoint::kTopics, Endpoint::kSweep}) {
      if (kind == pulsar::name_of(list) || kind == "connection") return text;
    }
  }
  return std::nullopt;
}

// Without a topic there are no findings, which is no all-clear where the lists were not read whole; and where they
// were, a name that nothing bears is a slip of the pen.
std::optional<Error> nothing_seen(const survey::Filter& filter, const Outcome& outcome) {
  const auto& snapshot = *outcome.snapshot;
  if (!snapshot.topics.empty()) return std::nullopt;
  if (const auto why = unread_list(outcome)) return Error{Errc::kNetwork, "nothing can be judged: " + *why};
  const auto unknown = [](const std::string& flag, const std::string& name) {
    return Error{Errc::kConfig, flag + ": '" + name + "' is not in this cluster"};
  };
  if (!filter.topic.empty()) return unknown("--topic", filter.topic);
  const auto known = [&](auto&& lets) {
    return std::any_of(snapshot.namespaces.begin(), snapshot.namespaces.end(),
                       [&](const auto& ns) { return lets(ns.first); });
  };
  if (!filter.ns.empty() && !known([&](const auto& name) { return name == filter.ns; }))
    return unknown("--namespace", filter.ns);
  const auto of_tenant = [&](const auto& name) { return name.starts_with(filter.tenant + "/"); };
  if (filter.ns.empty() && !filter.tenant.empty() && !known(of_tenant)) return unknown("--tenant", filter.tenant);
  return std::nullopt;
}

}  // namespace

Result<Outcome> one_pass(const settings::Settings& settings, const settings::Cluster& cluster,
                         const survey::Filter& filter) {
  boost::asio::io_context io(1);
  boost::asio::thread_pool pool(1);
  report::SelfMetrics metrics(TIDEMARK_VERSION, "");
  Progress progress(settings.poll.suspect_rate);
  WatchOptions options;
  options.one_pass = true;
  options.filter = filter;
  options.tee = &progress;
  auto watch = ClusterWatch::create(io.get_executor(), pool, settings, cluster, metrics, options);
  if (!watch) return watch.error();
  bool interrupted = false;
  auto* running = watch->get();
  auto outcome = run_to_end(io, running->poll(SystemClock{}.now()), [running, &interrupted] {
    interrupted = true;
    running->stop();
  });
  progress.clear();
  if (interrupted) return Error{Errc::kCancelled, "interrupted; nothing is concluded from half a pass"};
  if (!outcome.reached()) return Error{Errc::kNetwork, first_problem(outcome)};
  if (auto why = nothing_seen(filter, outcome)) return *why;
  return outcome;
}

}  // namespace tidemark::daemon
