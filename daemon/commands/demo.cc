// The daemon beside a simulated cluster whose clients leave things behind: a day a second, everything real but the
// cluster. At the end its verdicts are held against what the simulated clients really meant to do.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/log.h"
#include "base/units.h"
#include "daemon/commands/commands.h"
#include "daemon/options.h"
#include "daemon/output.h"
#include "daemon/service.h"
#include "sim/clock.h"
#include "sim/http_front.h"
#include "sim/stories.h"

namespace tidemark::daemon {
namespace {

using Found = std::map<std::pair<std::string, std::string>,
                       std::pair<TimeMs, std::string>>;  // rule and subject: first time, what was said

constexpr TimeMs kStart = 1767225600000;  // 2026-01-01T00:00:00Z
constexpr TimeMs kDay = 86400000;

struct Demo {
  Common common;
  std::string length;  // of the wall; empty = until Ctrl-C
  double days_per_second = 1;
  std::uint64_t seed = 1;
};

// Says what is new and what is over as simulated days pass.
class Reporter {
 public:
  explicit Reporter(const Clock& clock) : clock_(clock) {}

  void take(const Outcome& outcome) {
    latest_ = outcome;
    const auto at = outcome.snapshot->at_ms;
    for (const auto& finding : outcome.verdicts->findings) {
      found_.try_emplace({finding.rule, finding.subject}, std::pair(clock_.now(), finding.summary));
      if (finding.severity == model::Severity::kInfo) continue;
      const auto key = finding.rule + " " + finding.subject;
      if (!known_.contains(key)) say(at, key + ": " + finding.summary);
      known_[key] = at;
    }
    // A slope near the edge comes and goes.
    std::erase_if(known_, [&](const auto& one) {
      const bool over = at - one.second > kDay;
      if (over) say(at, "over: " + one.first);
      return over;
    });
  }

  const Outcome& latest() const { return latest_; }
  const Found& found() const { return found_; }

 private:
  static void say(TimeMs at, const std::string& what) {
    std::cout << fmt::format("day {:>3}  {}\n", (at - kStart) / kDay, what) << std::flush;
  }

  const Clock& clock_;
  Outcome latest_;
  std::map<std::string, TimeMs> known_;  // and when last
  Found found_;
};

// How many of the subscriptions whose clients will never return were found, and whether any that will was accused.
void print_truth(const model::Verdicts& verdicts, const std::vector<sim::GroundTruth>& truth) {
  std::set<std::pair<std::string, std::string>> accused;
  for (const auto& cursor : verdicts.cursors) {
    const auto state = cursor.last_state.value_or(cursor.state);
    if (state == model::State::kAbandoned || state == model::State::kUnused)
      accused.insert({cursor.topic.str(), cursor.cursor.str()});
  }
  std::size_t gone = 0;
  std::size_t found = 0;
  std::size_t wronged = 0;
  std::string missed;
  for (const auto& one : truth) {
    const bool is_accused = accused.contains({one.topic, one.subscription});
    if (one.will_return) {
      wronged += is_accused ? 1 : 0;
      if (is_accused) missed += fmt::format("  accused: {} [{}], {}\n", one.topic, one.subscription, one.story);
    } else if (one.abandoned_since && verdicts.at_ms - *one.abandoned_since > 9 * kDay) {
      ++gone;
      found += is_accused ? 1 : 0;
      if (!is_accused) missed += fmt::format("  missed: {} [{}], {}\n", one.topic, one.subscription, one.story);
    }
  }
  std::cout
      << fmt::format(
             "truth: {} of {} clients gone for 9 days or more were found, {} of those that will return were accused\n",
             found, gone, wronged)
      << missed << std::flush;
}

// Likewise of what goes wrong beyond single clients: whether it was found, once it had to be, and whether anything else
// was said by the same rules.
void print_troubles(const Found& found, const sim::World& world) {
  std::map<std::string, std::map<std::string, TimeMs>> real;  // rule, subject, from when on
  std::size_t due = 0;
  std::size_t seen = 0;
  std::string missed;
  for (const auto& trouble : world.troubles()) {
    const std::string rule(model::name_of(trouble.rule));
    const auto subject = sim::subject_of(world, trouble);
    real[rule][subject] = trouble.from_ms;
    if (trouble.due_ms == 0 || world.now() < trouble.due_ms) continue;
    const bool is_found = found.contains({rule, subject});
    ++due;
    seen += is_found ? 1 : 0;
    if (!is_found) missed += fmt::format("  missed: {} {}\n", rule, subject);
  }
  std::size_t wronged = 0;
  for (const auto& [key, first] : found) {
    const auto rule = real.find(key.first);
    if (rule == real.end()) continue;
    const auto subject = rule->second.find(key.second);
    if (subject != rule->second.end() && first.first >= subject->second) continue;
    ++wronged;
    missed += fmt::format("  accused: {} {}, on day {}: {}\n", key.first, key.second, (first.first - kStart) / kDay,
                          first.second);
  }
  std::cout << fmt::format(
                   "       {} of {} troubles of topics, disks, bookies and brokers were found, {} of what is healthy "
                   "was accused\n",
                   seen, due, wronged)
            << missed << std::flush;
}

Result<settings::Settings> demo_settings(const Demo& demo, const sim::HttpFront& front) {
  auto common = demo.common;
  common.url = front.url();
  // Polls are hours apart there, and a broker hangs for days: what is measured in minutes needs longer ones.
  common.sets.insert(common.sets.begin(),
                     {"listen=127.0.0.1:10920", "poll.interval=250ms", "poll.topology_interval=2s",
                      "poll.document_timeout=2s", "poll.sweep_idle_timeout=2s", "detect.lag_window=1d",
                      "detect.lag_floor=6h", "detect.growth_window=14d", "log.level=error"});

  const auto bookies = front.bookie_urls();
  for (std::size_t i = 0; i < bookies.size(); ++i)
    common.sets.push_back(fmt::format("clusters.0.bookies.urls.{}={}", i, bookies[i]));
  return load_settings(common);
}

int run(const Demo& demo) {
  if (!std::isfinite(demo.days_per_second)) return fail(Error{Errc::kConfig, "--days-per-second: not a number"});
  Duration length{0};
  if (!demo.length.empty()) {
    auto parsed = parse_duration(demo.length);
    if (!parsed) return fail(parsed.error().at("--for"));
    length = *parsed;
    if (length.count() <= 0) return fail(Error{Errc::kConfig, "--for: longer than 0, or left out to run until Ctrl-C"});
  }
  boost::asio::io_context io(1);
  const double factor = demo.days_per_second * static_cast<double>(kDay) / 1000;
  sim::ScaledClock clock(kStart, factor);
  sim::SimulatedCluster cluster(sim::demo(kStart, demo.seed), clock);
  sim::FrontOptions fronted;
  fronted.pace = &clock;
  auto front = sim::HttpFront::open(io.get_executor(), cluster, fronted);
  if (!front) return fail(front.error());
  auto settings = demo_settings(demo, **front);
  if (!settings) return fail(settings.error());
  log::set_level(settings->log.level);

  Reporter reporter(clock);
  ServiceOptions options;
  options.time_scale = factor;
  options.run_for = length;
  options.on_outcome = [&](const std::string&, const Outcome& outcome) { reporter.take(outcome); };
  options.on_listening = [&](std::uint16_t port) {
    std::cout << fmt::format("a simulated cluster at {}, {} day(s) a second; findings at http://127.0.0.1:{}/\n",
                             (*front)->url(), demo.days_per_second, port)
              << std::flush;
  };
  auto service = std::make_unique<Service>(io, clock, *settings, options);
  auto started = service->start();
  if (!started && started.error().code() == Errc::kNetwork && demo.common.sets.empty()) {
    // Somebody has the port already, perhaps another demo: any other will do.
    settings->listen = "127.0.0.1:0";
    service = std::make_unique<Service>(io, clock, *settings, options);
    started = service->start();
  }
  if (!started) return fail(started.error());
  io.run();
  (*front)->stop();
  if (!reporter.latest().verdicts) return fail(Error{Errc::kCancelled, "ended before the first poll did"});
  std::cout << "\n";
  const auto& latest = reporter.latest();
  print_verdicts({*latest.snapshot, *latest.verdicts, latest.problem_lines(), false, false, {}}, Printing{});
  print_truth(*reporter.latest().verdicts, cluster.truth());
  print_troubles(reporter.found(), cluster.world());
  return kClean;
}

}  // namespace

void add_demo(CLI::App& app, int& status) {
  auto demo = std::make_shared<Demo>();
  auto* command = app.add_subcommand("demo", "watch a simulated cluster; needs nothing else");
  command->add_option("--for", demo->length, "end after this time, e.g. 60s; without it at Ctrl-C")->type_name("TIME");
  command->add_option("--days-per-second", demo->days_per_second, "simulated days a second")
      ->check(CLI::Range(0.01, 30.0));
  command->add_option("--seed", demo->seed, "another seed, another cluster");
  add_common(*command, demo->common);
  command->callback([demo, &status] { status = run(*demo); });
}

}  // namespace tidemark::daemon
