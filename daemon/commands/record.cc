// A tee on the live stream: the cluster's answers into a file that `replay` judges later, here or elsewhere.
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "base/log.h"
#include "base/units.h"
#include "daemon/cluster_watch.h"
#include "daemon/commands/commands.h"
#include "daemon/one_poll.h"
#include "daemon/options.h"
#include "http/spawn.h"
#include "survey/recording.h"

namespace tidemark::daemon {
namespace {

namespace asio = boost::asio;

struct Record {
  Common common;
  FilterText filter;
  std::string out;
  std::string length = "0s";
};

class Tee final : public collect::Observer {
 public:
  explicit Tee(std::ostream& out) : writer_(out) {}

  survey::RecordingWriter& writer() { return writer_; }

  void exchange(const model::Exchange& exchange) override { writer_.write(exchange); }
  void sweep_begins(const model::Exchange& exchange) override { writer_.begin_sweep(exchange); }
  void sweep_topic(std::span<const std::string> path, std::string_view object) override {
    writer_.sweep_topic(path, object);
  }
  void sweep_ends() override { writer_.end_sweep(); }
  bool records() const override { return true; }

 private:
  survey::RecordingWriter writer_;
};

struct Job {
  ClusterWatch* watch = nullptr;
  std::ostream* out = nullptr;
  http::Timers* timers = nullptr;
  Duration interval{0};
  Duration length{0};
  bool reached = false;
};

// Polls until the time is over; at least once.
asio::awaitable<int> record(std::shared_ptr<Job> job) {
  const SystemClock clock;
  const auto start = clock.now();
  int polls = 0;
  while (true) {
    const auto at = clock.now();
    const auto outcome = co_await job->watch->poll(at);
    ++polls;
    job->reached = job->reached || outcome.reached();
    job->out->flush();
    const auto next = at + job->interval.count();
    if (!*job->out || next - start > job->length.count()) break;
    const bool whole = co_await job->timers->sleep_for(Duration{std::max<std::int64_t>(0, next - clock.now())});
    if (!whole) break;
  }
  co_return polls;
}

// Asks once for name and version, so that the head of the file can be written before the first line.
asio::awaitable<std::pair<std::string, std::string>> introduce(ClusterWatch* watch) {
  survey::Survey& survey = watch->survey();
  survey.begin_poll(0);
  for (const auto& ask : survey.topology()) {
    auto response = co_await watch->fetcher().get(ask);
    if (!response) continue;
    model::Exchange exchange{0, ask.target, ask.name, ask.path, response->head.status, std::move(response->body)};
    (void)survey.take(exchange);
  }
  co_return std::pair<std::string, std::string>(survey.known().cluster(), survey.known().version());
}

int run(const Record& record_options) {
  auto settings = load_settings(record_options.common);
  if (!settings) return fail(settings.error());
  auto cluster = chosen_cluster(*settings, record_options.common);
  if (!cluster) return fail(cluster.error());
  auto filter = parse_filter(record_options.filter);
  if (!filter) return fail(filter.error());
  auto length = parse_duration(record_options.length);
  if (!length) return fail(length.error().at("--for"));
  log::set_level(settings->log.level);
  std::ofstream file;
  if (record_options.out != "-") {
    file.open(record_options.out, std::ios::binary | std::ios::trunc);
    if (!file) return fail(Error{Errc::kIo, record_options.out + ": cannot be written"});
  }
  std::ostream& out = record_options.out == "-" ? std::cout : file;

  asio::io_context io(1);
  asio::thread_pool pool(1);
  report::SelfMetrics metrics(TIDEMARK_VERSION, "");
  Tee tee(out);
  WatchOptions options;
  options.filter = *filter;
  options.tee = &tee;
  options.one_pass = length->count() == 0;
  auto introduction = ClusterWatch::create(io.get_executor(), pool, *settings, *cluster, metrics, WatchOptions{});
  auto watch = ClusterWatch::create(io.get_executor(), pool, *settings, *cluster, metrics, options);
  if (!watch) return fail(watch.error());
  const auto [name, version] = run_to_end(io, introduce(introduction->get()), [] {});
  tee.writer().head(name, version);
  io.restart();

  http::Timers timers(io.get_executor());
  auto job = std::make_shared<Job>();
  job->watch = watch->get();
  job->out = &out;
  job->timers = &timers;
  job->interval = settings->poll.interval;
  job->length = *length;
  const int polls = run_to_end(io, record(job), [&] {
    timers.close();
    job->watch->stop();
  });
  out.flush();
  if (!out) return fail(Error{Errc::kIo, record_options.out + ": writing failed, is the disk full?"});
  if (!job->reached) return fail(Error{Errc::kNetwork, cluster->url + ": no broker answered"});
  std::cerr << "recorded " << polls << (polls == 1 ? " poll" : " polls") << " of " << name << " (" << version << ")"
            << std::endl;
  return kClean;
}

}  // namespace

void add_record(CLI::App& app, int& status) {
  auto options = std::make_shared<Record>();
  auto* command =
      app.add_subcommand("record", "write what the cluster answers into a file for replay; no secrets, no addresses");
  add_url(*command, options->common);
  command->add_option("--out,-o", options->out, "the file, - for standard output")->required()->type_name("FILE");
  command->add_option("--for", options->length, "how long; without it one complete pass")->type_name("TIME");
  add_common(*command, options->common);
  add_filter(*command, options->filter);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tidemark::daemon
