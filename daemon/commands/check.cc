// What can be reached and read with the given address and token, and what is lost where it cannot.
#include <fmt/format.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

#include "daemon/cluster_watch.h"
#include "daemon/commands/commands.h"
#include "daemon/one_poll.h"
#include "daemon/options.h"

namespace tidemark::daemon {
namespace {

namespace asio = boost::asio;
using pulsar::Endpoint;

struct Kind {
  Endpoint endpoint;
  const char* title;
  const char* lost;  // without it
};

// Of each kind of question one is asked; the order is the one in which they matter.
constexpr std::array<Kind, 15> kKinds{{
    {Endpoint::kVersion, "broker version", "rules that differ by version follow the newest"},
    {Endpoint::kRuntimeConfiguration, "broker configuration",
     "the brokers' own retention, TTL and expiration defaults stay unknown"},
    {Endpoint::kClusters, "cluster list", "the cluster's name is taken from the URL"},
    {Endpoint::kBrokers, "broker list", "only the broker of the URL is watched"},
    {Endpoint::kSweep, "bulk statistics of a broker", "nothing is known of consumers: no subscription can be judged"},
    {Endpoint::kLoadedTopics, "loaded topics of a broker",
     "unloaded topics cannot be told from others: none is judged"},
    {Endpoint::kTenants, "tenant list", "unloaded topics are not found"},
    {Endpoint::kNamespaces, "namespace list", "unloaded topics are not found"},
    {Endpoint::kPolicies, "namespace policies", "retention is unknown, so nothing is said of reclaimable bytes"},
    {Endpoint::kTopics, "topic list", "unloaded topics are not found"},
    {Endpoint::kPartitionedTopics, "list of partitioned topics", "no `stale_topic_metadata`"},
    {Endpoint::kPartitions, "partitions of a topic",
     "of a partitioned topic only gaps are noticed, not that the last partitions are missing"},
    {Endpoint::kInternalInfo, "stored metadata of a topic", "unloaded topics and creation times stay unknown"},
    {Endpoint::kInternalStats, "positions of a loaded topic",
     "no position, so nothing is `abandoned` and no bytes are counted"},
    {Endpoint::kStats, "statistics of a loaded topic",
     "no clocks and no durable flag: nothing is `abandoned` by one pass"},
}};

class Witness final : public collect::Observer {
 public:
  struct Seen {
    std::optional<int> status;  // 200 when any was answered so
    int refusals = 0;           // 401 and 403: a role may be allowed one namespace and not the next
    int refusal = 0;
    std::string error;
  };

  void answered(Endpoint endpoint, int status, Duration) override {
    auto& seen = seen_[endpoint];
    if (!seen.status || status == 200) seen.status = status;
    if (status != 401 && status != 403) return;
    ++seen.refusals;
    seen.refusal = status;
  }
  void failed(Endpoint endpoint, const Error& error, Duration) override { seen_[endpoint].error = error.text(); }
  void rejected(Endpoint endpoint, const Error& error, std::int64_t) override { seen_[endpoint].error = error.text(); }

  const Seen* of(Endpoint endpoint) const {
    const auto at = seen_.find(endpoint);
    return at == seen_.end() ? nullptr : &at->second;
  }

 private:
  std::map<Endpoint, Seen> seen_;
};

std::string say(const Witness::Seen& seen) {
  if (!seen.error.empty()) return seen.error;
  if (seen.refusals > 0 && seen.status == 200) {
    return fmt::format("{}: not everywhere, refused {} times", seen.refusal, seen.refusals);
  }
  if (*seen.status == 401) return "401: the token is missing, wrong, or not allowed this";
  if (*seen.status == 403) return "403: the role is not allowed this";
  return std::to_string(*seen.status);
}

struct Tally {
  int refused = 0;
  bool reached = false;
};

void print_kind(const Kind& kind, const Witness& witness, Tally& tally) {
  const auto* seen = witness.of(kind.endpoint);
  if (seen == nullptr) {
    std::cout << fmt::format("  -     {:<30} nothing to try it on\n", kind.title);
    return;
  }
  tally.reached = tally.reached || seen->status.has_value();
  if (seen->status == 200 && seen->refusals == 0 && seen->error.empty()) {
    std::cout << fmt::format("  ok    {}\n", kind.title);
    return;
  }
  ++tally.refused;
  std::cout << fmt::format("  FAIL  {:<30} {}\n        without it: {}\n", kind.title, say(*seen), kind.lost);
}

void print_restore(const ClusterWatch& watch, const Outcome& outcome, Tally& tally) {
  if (const auto problem = outcome.problems.find("restore"); problem != outcome.problems.end()) {
    ++tally.refused;
    std::cout << fmt::format("  FAIL  {:<30} {}\n        without it: ages begin anew with each start\n",
                             "exported ages", problem->second);
  } else if (const auto cursors = watch.exported_cursors()) {
    std::cout << fmt::format("  ok    exported ages of {} cursors at Prometheus\n", *cursors);
  }
}

// What it takes to ask one cluster.
struct Trial {
  asio::io_context io{1};
  asio::thread_pool pool{1};
  report::SelfMetrics metrics{TIDEMARK_VERSION, ""};
  Witness witness;
  std::unique_ptr<ClusterWatch> watch;
};

// An error is one of the configuration: a file that it names cannot be used.
Result<std::unique_ptr<Trial>> prepare(const settings::Settings& settings, const settings::Cluster& cluster) {
  auto trial = std::make_unique<Trial>();
  WatchOptions options;
  options.one_pass = false;  // the budget of one poll is plenty to try each kind
  options.tee = &trial->witness;
  auto hurried = settings;
  hurried.poll.interval = std::min(settings.poll.interval, Duration{10000});
  auto watch = ClusterWatch::create(trial->io.get_executor(), trial->pool, hurried, cluster, trial->metrics, options);
  if (!watch) return watch.error();
  trial->watch = std::move(*watch);
  return trial;
}

int check_cluster(const settings::Cluster& cluster, Trial& trial) {
  auto* running = trial.watch.get();
  const auto outcome = run_to_end(trial.io, running->poll(SystemClock{}.now()), [running] { running->stop(); });
  std::cout << cluster.url << " is cluster " << outcome.snapshot->cluster << ", Pulsar "
            << (outcome.snapshot->version.empty() ? "of unknown version" : outcome.snapshot->version) << "\n";
  Tally tally;
  const bool sweeps = running->survey().options().share.sees_loaded_topics();
  const auto instead = sweeps ? Endpoint::kLoadedTopics : Endpoint::kSweep;  // is not asked for
  for (const auto& kind : kKinds) {
    if (kind.endpoint != instead) print_kind(kind, trial.witness, tally);
  }
  for (const auto& broker : outcome.snapshot->brokers) {
    std::cout << fmt::format("  {}  broker {}: {}\n", broker.partial ? "FAIL" : "ok  ", broker.name,
                             broker.problem.empty() ? fmt::format("{} topics loaded", broker.topics) : broker.problem);
  }
  for (const auto& bookie : outcome.snapshot->bookies) {
    const bool configured = !cluster.bookies.urls.empty();
    const auto* mark = bookie.reachable ? "ok  " : (configured ? "FAIL" : "-   ");
    const auto* hint = configured ? "no metrics there"
                                  : "no metrics there; set bookies.urls or bookies.metrics_port if they are elsewhere";
    std::cout << fmt::format("  {}  bookie {}: {}\n", mark, bookie.name, bookie.reachable ? "metrics readable" : hint);
  }
  print_restore(*running, outcome, tally);
  std::cout << std::flush;
  for (const auto& broker : outcome.snapshot->brokers) tally.refused += broker.partial ? 1 : 0;
  for (const auto& bookie : outcome.snapshot->bookies) {
    tally.refused += !bookie.reachable && !cluster.bookies.urls.empty() ? 1 : 0;
  }
  if (!tally.reached) return kUnreachable;
  return tally.refused > 0 ? kFindings : kClean;
}

int run(const Common& common) {
  auto settings = load_settings(common);
  if (!settings) return fail(settings.error());
  std::vector<std::unique_ptr<Trial>> trials;
  for (const auto& cluster : settings->clusters) {
    auto trial = prepare(*settings, cluster);
    if (!trial) return fail(trial.error());
    trials.push_back(std::move(*trial));
  }
  std::cout << "configuration ok\n";
  int worst = kClean;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    worst = std::max(worst, check_cluster(settings->clusters[i], *trials[i]));
  }
  return worst;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto common = std::make_shared<Common>();
  auto* command = app.add_subcommand(
      "check", "try the configuration: what can be reached, what the token may read, what is lost if not");
  add_url(*command, *common);
  add_common(*command, *common);
  command->callback([common, &status] { status = run(*common); });
}

}  // namespace tidemark::daemon
