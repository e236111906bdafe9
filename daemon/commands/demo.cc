// The daemon beside a simulated cluster whose clients leave things behind: a day a second, everything real but the
// cluster. At the end its verdicts are held against what the simulated clients really meant to do.
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cmath>
#include <iostream>
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
  void take(const Outcome& outcome) {
    latest_ = outcome;
    std::set<std::string> now;
    for (const auto& finding : outcome.verdicts->findings) {
      if (finding.severity == model::Severity::kInfo) continue;
      const auto key = finding.rule + " " + finding.subject;
      now.insert(key);
      if (!known_.contains(key))
        say(outcome.snapshot->at_ms, finding.rule + " " + finding.subject + ": " + finding.summary);
    }
    for (const auto& key : known_) {
      if (!now.contains(key)) say(outcome.snapshot->at_ms, "over: " + key);
    }
    known_ = std::move(now);
  }

  const Outcome& latest() const { return latest_; }

 private:
  static void say(TimeMs at, const std::string& what) {
    std::cout << fmt::format("day {:>3}  {}\n", (at - kStart) / kDay, what) << std::flush;
  }

  Outcome latest_;
  std::set<std::string> known_;
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

Result<settings::Settings> demo_settings(const Demo& demo, const sim::HttpFront& front) {
  auto common = demo.common;
  common.url = front.url();
  common.sets.insert(common.sets.begin(), {"listen=127.0.0.1:10920", "poll.interval=500ms", "poll.topology_interval=2s",
                                           "log.level=warning"});
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

  Reporter reporter;
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
