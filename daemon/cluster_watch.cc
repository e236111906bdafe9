#include "daemon/cluster_watch.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "detect/bookie_status.h"

namespace tidemark::daemon {
namespace {

namespace asio = boost::asio;

struct JudgeInput {
  JudgeInput(std::shared_ptr<const model::Snapshot> s, history::History& h, const detect::Patterns& p,
             const detect::Limits& l)
      : snapshot(std::move(s)), history(&h), patterns(&p), limits(&l) {}

  std::shared_ptr<const model::Snapshot> snapshot;
  history::History* history;
  const detect::Patterns* patterns;
  const detect::Limits* limits;
};

// Runs on the pool.
asio::awaitable<std::shared_ptr<const model::Verdicts>> judge(JudgeInput input) {
  auto verdicts = detect::judge(*input.snapshot, *input.history, *input.patterns, *input.limits);
  input.history->forget_unseen(input.snapshot->at_ms);
  co_return std::make_shared<const model::Verdicts>(std::move(verdicts));
}

// Those that were there in the last poll, or within `lately` of it: a poll may be torn. Runs on the pool.
asio::awaitable<std::vector<survey::FormerTopic>> former_topics(history::History* history, Duration lately) {
  std::vector<survey::FormerTopic> topics;
  TimeMs newest_ms = 0;
  history->each_packed([&](const history::PackedTopic& topic) { newest_ms = std::max(newest_ms, topic.seen_ms()); });
  history::Topic open;
  history->each_packed([&](const history::PackedTopic& topic) {
    if (newest_ms - topic.seen_ms() > lately.count() || !topic.unpack(open)) return;
    auto& former = topics.emplace_back();
    former.name = topic.name();
    former.seen_ms = topic.seen_ms();
    former.epoch = open.whole.epoch();
    former.messages_in = open.whole.messages_in();
    former.last_ledger = open.whole.last_ledger();
    for (auto& [name, cursor] : open.cursors) {
      if (cursor.removed_ms) continue;
      former.delays = former.delays || cursor.delayed_entries.value_or(0) > 0;
      former.cursors.push_back(std::move(name));
    }
  });
  co_return topics;
}

report::HistoryUse use_of(history::History& history) {
  const auto overflow = history.take_overflow();
  report::HistoryUse use;
  use.bytes = static_cast<std::int64_t>(history.bytes() + history.figures().bytes());
  use.refused_topics = static_cast<std::int64_t>(overflow.topics);
  use.refused_cursors = static_cast<std::int64_t>(overflow.cursors);
  use.refused_figures = static_cast<std::int64_t>(overflow.figures);
  use.forgotten = static_cast<std::int64_t>(overflow.gone);
  return use;
}

survey::Options stretched(survey::Options options, const WatchOptions& watch) {
  options.one_pass = watch.one_pass;
  options.filter = watch.filter;
  const auto stretch = [&](Duration length) {
    return Duration{static_cast<std::int64_t>(static_cast<double>(length.count()) * watch.time_scale)};
  };
  options.interval = stretch(options.interval);
  options.topology_interval = stretch(options.topology_interval);
  return options;
}

collect::PollOptions hurried(collect::PollOptions options, const WatchOptions& watch) {
  options.until_done = watch.one_pass;
  options.time_scale = watch.time_scale;
  if (watch.time_scale > 1) options.suspect_rate = options.internal_info_rate = 0;
  return options;
}

}  // namespace

bool Outcome::reached() const {
  for (const auto& broker : snapshot->brokers) {
    if (broker.reachable) return true;
  }
  return false;
}

bool Outcome::partial() const {
  for (const auto& broker : snapshot->brokers) {
    if (broker.partial || !broker.reachable) return true;
  }
  return verdicts->coverage.unknown > 0;
}

std::vector<std::string> Outcome::problem_lines() const {
  std::vector<std::string> lines;
  for (const auto& [key, text] : problems) lines.push_back(text);
  for (const auto& broker : snapshot->brokers) {
    if (broker.reachable && broker.partial && !broker.problem.empty() && !problems.contains(broker.name + " sweep")) {
      lines.push_back(broker.name + ": " + broker.problem);
    }
  }
  return lines;
}

Result<std::unique_ptr<ClusterWatch>> ClusterWatch::create(asio::any_io_executor io, asio::thread_pool& pool,
                                                           const settings::Settings& settings,
                                                           const settings::Cluster& cluster,
                                                           report::SelfMetrics& metrics, const WatchOptions& options) {
  auto connection = connection_of(settings, cluster);
  if (!connection) return connection.error();
  if (options.need_credentials) {
    if (auto readable = connection->credentials.authorization(); !readable) return readable.error();
  }
  auto client = http::Client::create(io, connection->tls);
  if (!client) return client.error();
  auto exports = export_source_of(io, settings.restore);
  if (!exports) return exports.error();
  auto patterns = detect::Patterns::compile(limits_of(settings));
  if (!patterns) return patterns.error();
  Parts parts{std::move(*client), std::move(*exports)};
  return std::unique_ptr<ClusterWatch>(new ClusterWatch(
      io, pool, settings, cluster, metrics, options, std::move(*connection), std::move(parts), std::move(*patterns)));
}

ClusterWatch::ClusterWatch(asio::any_io_executor io, asio::thread_pool& pool, const settings::Settings& settings,
                           const settings::Cluster& cluster, report::SelfMetrics& metrics, const WatchOptions& options,
                           Connection connection, Parts parts, detect::Patterns patterns)
    : pool_(pool),
      address_(connection.seed.authority()),
      limits_(limits_of(settings)),
      tuning_(tuning_of(settings)),
      patterns_(std::move(patterns)),
      history_(tuning_),
      client_(std::move(parts.client)),
      exports_(std::move(parts.exports)),
      export_interval_(settings.restore.interval),
      fetcher_(*client_, connection.credentials, connection.seed, connection.bookies, connection.fetch),
      survey_(stretched(survey_options_of(settings, cluster, connection), options)),
      observer_(metrics, options.tee),
      poller_(io, fetcher_, survey_, observer_, hurried(poll_options_of(settings, cluster), options)) {
  if (!cluster.name.empty()) observer_.name_cluster(cluster.name);
}

asio::awaitable<void> ClusterWatch::restore(TimeMs at, std::map<std::string, std::string>& problems) {
  const bool due = !asked_exports_ms_ || at - *asked_exports_ms_ >= export_interval_.count();
  if (exports_ && strangers_ && due) {
    asked_exports_ms_ = at;
    auto exported = co_await exports_->ask(observer_.cluster(), at);
    exports_problem_ = exported ? "" : exported.error().text();
    // A failed question is put again, whoever comes meanwhile.
    strangers_ = !exported;
    if (exported) {
      exported_cursors_ = exported->cursors();
      history_.expect(std::move(*exported));
    }
  }
  if (!exports_problem_.empty()) problems["restore"] = exports_problem_;
}

asio::awaitable<void> ClusterWatch::recall() {
  auto job = former_topics(&history_, 2 * survey_.options().interval);
  auto topics = co_await asio::co_spawn(pool_, std::move(job), asio::use_awaitable);
  for (auto& topic : topics) survey_.remember(std::move(topic));
  for (const auto& one : detect::known_bookies(history_.figures())) {
    survey_.remember_bookie(one.name, one.status, one.since_ms);
  }
}

asio::awaitable<Outcome> ClusterWatch::poll(TimeMs at) {
  const auto before = std::chrono::steady_clock::now();
  Outcome outcome;
  outcome.snapshot = co_await poller_.poll(at);
  observer_.name_cluster(outcome.snapshot->cluster);
  outcome.problems = poller_.problems();
  if (survey_.take_newcomers() > 0) strangers_ = true;
  co_await restore(at, outcome.problems);
  JudgeInput input(outcome.snapshot, history_, patterns_, limits_);
  outcome.verdicts = co_await asio::co_spawn(pool_, judge(std::move(input)), asio::use_awaitable);
  if (history_.take_strangers() > 0) strangers_ = true;
  history_use_ = use_of(history_);
  outcome.took = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - before);
  co_return outcome;
}

void ClusterWatch::stop() {
  poller_.stop();
  client_->close();
  if (exports_) exports_->stop();
}

}  // namespace tidemark::daemon
