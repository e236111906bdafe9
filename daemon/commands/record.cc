// A tee on the live stream: the cluster's answers into a file that `replay` judges later, here or elsewhere. With
// --from the stream is a recording that is there already, so that names can be taken out of it afterwards.
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <iostream>
#include <memory>

#include "base/log.h"
#include "base/units.h"
#include "daemon/cluster_watch.h"
#include "daemon/commands/commands.h"
#include "daemon/one_poll.h"
#include "daemon/options.h"
#include "daemon/output_file.h"
#include "http/spawn.h"
#include "survey/anonymizer.h"
#include "survey/recording.h"

namespace tidemark::daemon {
namespace {

namespace asio = boost::asio;

struct Record {
  Common common;
  FilterText filter;
  std::string out;
  std::string length = "0s";
  std::string from;
  bool anonymize = false;
};

class Tee final : public collect::Observer {
 public:
  Tee(std::ostream& out, survey::Anonymizer* anonymizer) : writer_(out, anonymizer) {}

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

struct Introduction {
  std::string name;
  std::string version;
  std::string problem;  // the first; empty: none
  bool reached = false;
};

// Asks once for name and version, so that the head of the file can be written before the first line.
asio::awaitable<Introduction> introduce(ClusterWatch* watch) {
  survey::Survey& survey = watch->survey();
  Introduction made;
  survey.begin_poll(0);
  for (const auto& ask : survey.topology()) {
    auto response = co_await watch->fetcher().get(ask);
    if (!response && made.problem.empty()) made.problem = response.error().text();
    if (!response) continue;
    made.reached = true;
    model::Exchange exchange{0, ask.target, ask.name, ask.path, response->head.status, std::move(response->body)};
    (void)survey.take(exchange);
  }
  made.name = survey.known().cluster();
  made.version = survey.known().version();
  co_return made;
}

int copy(const Record& options) {
  if (auto writable = OutputFile::check(options.out, {options.from}); !writable) return fail(writable.error());
  OutputFile file;
  std::unique_ptr<survey::RecordingWriter> writer;
  survey::Anonymizer anonymizer;
  std::int64_t lines = 0;
  auto done = survey::RecordingReader::read_file(
      options.from,
      [&](const survey::RecordingHead& head) -> Result<void> {
        // Only now is it known to be a recording, so that a slip of the pen costs no file.
        if (auto opened = file.open(options.out, OutputFile::Way::kWhole); !opened) return opened.error();
        writer = std::make_unique<survey::RecordingWriter>(file.stream(), options.anonymize ? &anonymizer : nullptr);
        writer->head(head.cluster, head.version);
        return {};
      },
      [&](const model::Exchange& exchange) -> Result<bool> {
        writer->write(exchange);
        ++lines;
        return true;
      });
  if (!done && done.error().code() == Errc::kTruncated)
    done = Error{Errc::kTruncated, done.error().text() + "; take its last line away to copy what is whole"};
  if (done) done = file.finish();
  if (!done) return fail_input(done.error());
  std::cerr << "copied " << lines << (lines == 1 ? " answer" : " answers") << " of " << options.from << std::endl;
  return kClean;
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
  if (auto writable = OutputFile::check(record_options.out, {record_options.common.config}); !writable)
    return fail(writable.error());

  asio::io_context io(1);
  asio::thread_pool pool(1);
  report::SelfMetrics metrics(TIDEMARK_VERSION, "");
  auto introduction = ClusterWatch::create(io.get_executor(), pool, *settings, *cluster, metrics, WatchOptions{});
  if (!introduction) return fail(introduction.error());
  bool interrupted = false;
  const auto known = run_to_end(io, introduce(introduction->get()), [&] {
    interrupted = true;
    (*introduction)->stop();
  });
  if (interrupted) return fail(Error{Errc::kCancelled, "interrupted; nothing was recorded"});
  // Only now, so that a cluster that is down costs no recording that is there.
  if (!known.reached) return fail(Error{Errc::kNetwork, known.problem});
  OutputFile file;
  if (auto opened = file.open(record_options.out, OutputFile::Way::kAsItComes); !opened) return fail(opened.error());
  io.restart();

  survey::Anonymizer anonymizer;
  Tee tee(file.stream(), record_options.anonymize ? &anonymizer : nullptr);
  WatchOptions options;
  options.filter = *filter;
  options.tee = &tee;
  options.one_pass = length->count() == 0;
  auto watch = ClusterWatch::create(io.get_executor(), pool, *settings, *cluster, metrics, options);
  if (!watch) return fail(watch.error());
  tee.writer().head(known.name, known.version);

  http::Timers timers(io.get_executor());
  auto job = std::make_shared<Job>();
  job->watch = watch->get();
  job->out = &file.stream();
  job->timers = &timers;
  job->interval = settings->poll.interval;
  job->length = *length;
  const int polls = run_to_end(io, record(job), [&] {
    timers.close();
    job->watch->stop();
  });
  if (auto done = file.finish(); !done) return fail(done.error());
  if (!job->reached) return fail(Error{Errc::kNetwork, cluster->url + ": no broker answered"});
  std::cerr << "recorded " << polls << (polls == 1 ? " poll" : " polls") << " of " << known.name << " ("
            << known.version << ")" << std::endl;
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
  command->add_flag("--anonymize", options->anonymize, "other names for all that have one; the verdicts stay the same");
  add_common(*command, options->common);
  add_cluster(*command, options->common);
  add_filter(*command, options->filter);
  auto* from = command->add_option("--from", options->from, "copy this recording instead of asking a cluster");
  from->type_name("FILE");
  for (const auto* of_a_cluster :
       {"url", "--for", "--config", "--set", "--cluster", "--tenant", "--namespace", "--topic"})
    from->excludes(command->get_option(of_a_cluster));
  command->callback([options, &status] { status = options->from.empty() ? run(*options) : copy(*options); });
}

}  // namespace tidemark::daemon
