#include "daemon/service.h"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <utility>

#include "base/log.h"
#include "base/units.h"
#include "daemon/routes.h"
#include "settings/load.h"

namespace tidemark::daemon {
namespace {

namespace asio = boost::asio;

constexpr Duration kDrain{4000};  // of the 5 s in which we promise to end

asio::awaitable<std::shared_ptr<const Pages>> render_job(std::vector<RenderPart> parts, report::MetricLimits limits) {
  co_return render(parts, limits);
}

// "host:port" or "[v6]:port"; settings have checked the form.
std::pair<std::string, std::uint16_t> split_listen(const std::string& listen) {
  const auto colon = listen.rfind(':');
  auto host = listen.substr(0, colon);
  if (host.size() > 1 && host.front() == '[') host = host.substr(1, host.size() - 2);
  return {host, static_cast<std::uint16_t>(std::stoi(listen.substr(colon + 1)))};
}

}  // namespace

struct Service::Signals {
  explicit Signals(asio::io_context& io) : set(io, SIGTERM, SIGINT, SIGHUP) {}
  asio::signal_set set;
};

Service::Service(asio::io_context& io, const Clock& clock, settings::Settings settings, ServiceOptions options)
    : io_(io),
      clock_(clock),
      settings_(std::move(settings)),
      options_(std::move(options)),
      metrics_(TIDEMARK_VERSION, ""),
      end_timer_(io.get_executor()),
      watch_tasks_(io.get_executor()),
      tasks_(io.get_executor()),
      signals_(std::make_unique<Signals>(io)) {}

Service::~Service() { pool_.join(); }

Result<void> Service::open_state() {
  if (settings_.state.path.empty()) return {};
  auto folder = history::StateFolder::open(settings_.state.path);
  if (!folder) return folder.error();
  state_.emplace(std::move(*folder));
  if (!state_->locked())
    log::warning("state",
                 settings_.state.path + ": its file system has no locks; keep other daemons out of it yourself");
  return {};
}

std::unique_ptr<KeptState> Service::state_of(const settings::Settings& settings, const settings::Cluster& cluster,
                                             const ClusterWatch& watch) {
  if (!state_) return nullptr;
  const auto& name = cluster.name.empty() ? watch.name() : cluster.name;
  history::StateFile::Options options{state_->file_of(name), name, TIDEMARK_VERSION, settings.state.max_bytes};
  return std::make_unique<KeptState>(std::move(options), pool_, metrics_, clock_);
}

Result<std::map<std::string, Service::Watched>> Service::make_watches(const settings::Settings& settings) {
  std::map<std::string, Watched> watches;
  for (const auto& cluster : settings.clusters) {
    WatchOptions options;
    options.time_scale = options_.time_scale;
    options.need_credentials = false;
    auto watch = ClusterWatch::create(io_.get_executor(), pool_, settings, cluster, metrics_, options);
    if (!watch) return watch.error();
    auto& watched = watches[cluster.url];
    watched.watch = std::move(*watch);
    watched.state = state_of(settings, cluster, *watched.watch);
  }
  return watches;
}

Result<void> Service::start() {
  if (auto opened = open_state(); !opened) return opened;
  auto watches = make_watches(settings_);
  if (!watches) return watches.error();
  watches_ = std::move(*watches);
  RouteContext context;
  context.pages = [this] { return pages_; };
  context.now = [this] { return clock_.now(); };
  context.reload = [this] { tasks_.spawn("reload", reload()); };
  context.metrics = &metrics_;
  const auto [address, port] = split_listen(settings_.listen);
  auto server = http::Server::listen(io_.get_executor(), address, port, [context](const http::ServerRequest& request) {
    return respond(context, request);
  });
  if (!server) return server.error();
  server_ = std::move(*server);
  metrics_.config_loaded(true, clock_.now());
  log::info("serve", fmt::format("listening on {}, port {}", address, server_->port()));
  if (options_.on_listening) options_.on_listening(server_->port());
  tasks_.spawn("signals", signals());
  if (options_.run_for.count() > 0) tasks_.spawn("run-for", end_in_time());
  start_watches();
  return {};
}

void Service::start_watches() {
  ++generation_;
  timers_ = std::make_unique<http::Timers>(io_.get_executor());
  for (const auto& [key, watched] : watches_) {
    watch_tasks_.spawn("watch " + watched.watch->name(), watch(key, generation_));
  }
}

asio::awaitable<void> Service::watch(std::string key, std::uint64_t generation) {
  const auto interval = settings_.poll.interval;
  if (watches_.at(key).state) co_await watches_.at(key).state->restore(*watches_.at(key).watch);
  co_await watches_.at(key).watch->recall();
  while (!stopping_ && generation == generation_) {
    const auto before = std::chrono::steady_clock::now();
    auto& watched = watches_.at(key);
    auto outcome = co_await watched.watch->poll(clock_.now());
    if (stopping_ && watched.state) co_await watched.state->save(*watched.watch, outcome.snapshot->at_ms);
    if (stopping_ || generation != generation_) co_return;
    note(*watched.watch, outcome);
    watched.outcome = std::move(outcome);
    co_await publish();
    if (options_.on_outcome) options_.on_outcome(watched.watch->name(), watched.outcome);
    if (watched.state) co_await watched.state->save(*watched.watch, watched.outcome.snapshot->at_ms);
    const auto spent = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - before);
    const auto rest = options_.pause ? options_.pause(interval - spent) : interval - spent;
    if (rest.count() <= 0) continue;
    const bool whole = co_await timers_->sleep_for(rest);
    if (!whole) co_return;
  }
}

void Service::note(const ClusterWatch& watch, const Outcome& outcome) {
  metrics_.poll_done(watch.name(), outcome.took, outcome.reached(), clock_.now());
  std::int64_t partial = 0;
  for (const auto& broker : outcome.snapshot->brokers) partial += broker.partial ? 1 : 0;
  metrics_.set_brokers_partial(watch.name(), partial);
  note_history(watch.name(), watch.history_use());
  tell_problems(watch.name(), outcome.problems);
  for (const auto& line : watch.ended_exceptions(clock_.now())) {
    if (told_exceptions_.insert(line).second) log::warning("exceptions", line);
  }
}

void Service::note_history(const std::string& cluster, const report::HistoryUse& use) {
  metrics_.history_used(cluster, use);
  const auto& limits = settings_.history;
  tell_full(cluster, "max_bytes", format_bytes(limits.max_bytes), use.refused_cursors + use.refused_topics,
            fmt::format("{} subscriptions and {} topics that are new have no place and are judged as just seen",
                        use.refused_cursors, use.refused_topics));
  tell_full(cluster, "max_removed", std::to_string(limits.max_removed), use.forgotten,
            "of those that are gone the longest gone are forgotten before their time");
  tell_full(cluster, "max_figures", std::to_string(limits.max_figures), use.refused_figures,
            fmt::format("{} topics, namespaces or disks that are new are not followed", use.refused_figures));
}

// Once when a limit is met and once when it was not for a while, whatever comes and goes meanwhile.
void Service::tell_full(const std::string& cluster, const char* key, const std::string& limit, std::int64_t refused,
                        const std::string& meaning) {
  constexpr Duration kWhile{3600000};
  const auto name = fmt::format("{}: history.{}", cluster, key);
  const auto known = told_full_.find(name);
  if (refused > 0) {
    if (known == told_full_.end()) log::warning("history", fmt::format("{} ({}) is met: {}", name, limit, meaning));
    told_full_[name] = clock_.now();
  } else if (known != told_full_.end() && clock_.now() - known->second > kWhile.count()) {
    log::info("history", name + " has room again");
    told_full_.erase(known);
  }
}

// Each problem once when it comes and once when it goes, not once a poll.
void Service::tell_problems(const std::string& cluster, const std::map<std::string, std::string>& problems) {
  const auto prefix = cluster + " ";
  for (const auto& [key, text] : problems) {
    if (told_.try_emplace(prefix + key, text).second) log::warning("poll", text);
  }
  std::erase_if(told_, [&](const auto& item) {
    if (!item.first.starts_with(prefix) || problems.contains(item.first.substr(prefix.size()))) return false;
    log::info("poll", "answers again: " + item.first);
    return true;
  });
}

asio::awaitable<void> Service::publish() {
  // One rendering at a time; polls that end meanwhile are in the next one.
  if (std::exchange(render_again_, true) || rendering_) co_return;
  rendering_ = true;
  while (std::exchange(render_again_, false)) {
    std::vector<RenderPart> parts;
    for (auto& [key, watched] : watches_) {
      if (!watched.outcome.snapshot) continue;
      parts.push_back({watched.outcome.snapshot->cluster, watched.outcome, &watched.keeper});
    }
    if (parts.empty()) break;
    auto job = render_job(std::move(parts), metric_limits_of(settings_));
    auto pages = co_await asio::co_spawn(pool_, std::move(job), asio::use_awaitable);
    pages_ = std::move(pages);
  }
  rendering_ = false;
  render_again_ = false;
}

asio::awaitable<void> Service::signals() {
  while (!stopping_) {
    const auto got = co_await signals_->set.async_wait(asio::as_tuple(asio::use_awaitable));
    if (std::get<0>(got)) co_return;
    if (std::get<1>(got) == SIGHUP) {
      co_await reload();
      continue;
    }
    log::info("serve", "told to end");
    stop();
  }
}

asio::awaitable<void> Service::end_in_time() {
  // Named, because g++ 12 loses the frame of a coroutine whose whole body is one `if (co_await ...)`:
  // docs/coroutines.md.
  const bool whole = co_await end_timer_.sleep_for(options_.run_for);
  if (whole) stop();
}

void Service::stop() {
  if (std::exchange(stopping_, true)) return;
  if (timers_) timers_->close();
  end_timer_.close();
  for (auto& [key, watched] : watches_) watched.watch->stop();
  if (server_) server_->stop();
  if (signals_) signals_->set.cancel();
  http::spawn(io_.get_executor(), "finish", finish());
}

asio::awaitable<void> Service::finish() {
  co_await server_->drained(kDrain / 2);
  const bool ended = co_await watch_tasks_.idle(kDrain / 2);
  if (!ended) log::warning("serve", "a poll did not end in time");
  io_.stop();
}

asio::awaitable<void> Service::reload() {
  // One at a time; who asks meanwhile gets another one after it.
  reload_again_ = true;
  if (!options_.reload || std::exchange(reloading_, true)) co_return;
  while (std::exchange(reload_again_, false) && !stopping_) co_await reload_once();
  reloading_ = false;
}

asio::awaitable<void> Service::reload_once() {
  auto settings = options_.reload();
  auto watches = settings ? make_watches(*settings) : Result<std::map<std::string, Watched>>(settings.error());
  metrics_.config_loaded(watches.has_value(), clock_.now());
  if (!watches) {
    log::error("reload", watches.error().text() + "; the old configuration stays");
    co_return;
  }
  if (settings->listen != settings_.listen) log::warning("reload", "listen changes at the next start only");
  if (settings->state.path != settings_.state.path) log::warning("reload", "state.path changes at the next start only");
  // The running loops belong to the old generation: they end, then the new ones take over what was learnt.
  ++generation_;
  timers_->close();
  for (auto& [key, watched] : watches_) watched.watch->stop();
  for (bool ended = false; !ended;) {
    ended = co_await watch_tasks_.idle(std::chrono::seconds{30});
    if (!ended) log::warning("reload", "a poll takes long to end");
  }
  for (auto& [key, watched] : *watches) {
    const auto old = watches_.find(key);
    if (old == watches_.end()) continue;
    watched.watch->give_history(old->second.watch->take_history());
    if (watched.state) watched.state->skip_restore();
    watched.keeper = std::move(old->second.keeper);
    watched.outcome = std::move(old->second.outcome);
  }
  watches_ = std::move(*watches);
  settings_ = std::move(*settings);
  log::set_level(settings_.log.level);
  if (stopping_) co_return;
  log::info("reload", fmt::format("watching {} cluster(s) by the new configuration", watches_.size()));
  start_watches();
}

}  // namespace tidemark::daemon
