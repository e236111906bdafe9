// One process of the soak (run.py): the simulated cluster, or a daemon that watches it. Both run on a clock that stands
// still until a line on standard input sets it, so that two daemons see one cluster at the very same moments, as fast
// as the machine can.
//
//   soak_node cluster --seed S --start MS        says its URLs; for each time on stdin: how large it is
//   soak_node daemon --start MS --set KEY=VALUE  polls; says what that came to and took; the next time on stdin, or
//   "end"
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <charconv>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "daemon/options.h"
#include "daemon/service.h"
#include "report/api_json.h"
#include "report/process_stats.h"
#include "sim/clock.h"
#include "sim/http_front.h"

using namespace tidemark;

namespace {

constexpr TimeMs kHour = 3600000;

TimeMs time_of(std::string_view text) {
  TimeMs at = 0;
  std::from_chars(text.data(), text.data() + text.size(), at);
  return at;
}

// --- The cluster ---

// Names that come and go beside the stories: an hourly topic that lives for half a day, and hourly subscriptions on one
// that stays, some removed after three hours, some left to lie for a day. And somebody removes what the stories leave
// behind after ten days, else what the cluster lists would grow, and the daemons with it.
class Churn {
 public:
  explicit Churn(sim::SimulatedCluster& cluster) : cluster_(cluster), world_(cluster.world()) {
    world_.ns("churn/names");
    world_.create_topic(kStays);
  }

  void go_on() {
    for (const auto hour = world_.now() / kHour; next_ <= hour; ++next_) {
      if (next_ == 0) next_ = hour;
      turn(next_);
    }
  }

 private:
  void turn(std::int64_t hour) {
    const auto now = world_.now();
    auto& topic = world_.create_topic(topic_name(hour));
    topic.subscribe("reader", sim::SubscriptionType::kShared, sim::Start::kEarliest, now);
    topic.publish(100, 1024, now - 1, now);
    if (world_.find(topic_name(hour - 12)) != nullptr) world_.delete_topic(topic_name(hour - 12));
    auto& stays = *world_.find(kStays);
    if (!stays.loaded()) stays.load(now);  // whoever subscribes loads it
    for (const auto* front : {"tidy-", "left-"})
      stays.subscribe(front + std::to_string(hour), sim::SubscriptionType::kShared, sim::Start::kLatest, now);
    stays.publish(10, 1024, now - 1, now);
    drop(stays, "tidy-" + std::to_string(hour - 3));
    drop(stays, "left-" + std::to_string(hour - 24));
    if (hour % 24 == 0) clean_up();
  }

  void clean_up() const {
    for (const auto& one : cluster_.truth()) {
      auto* topic = world_.find(one.topic);
      const bool old = one.abandoned_since && world_.now() - *one.abandoned_since > 240 * kHour;
      if (topic != nullptr && !one.will_return && old) drop(*topic, one.subscription);
    }
  }

  void drop(sim::Topic& topic, const std::string& subscription) const {
    if (topic.find(subscription) != nullptr) topic.unsubscribe(subscription, world_.now());
  }

  static std::string topic_name(std::int64_t hour) { return "persistent://churn/names/hour-" + std::to_string(hour); }

  static constexpr const char* kStays = "persistent://churn/names/stays";
  sim::SimulatedCluster& cluster_;
  sim::World& world_;
  std::int64_t next_ = 0;
};

std::size_t subscriptions_in(const sim::World& world) {
  std::size_t count = 0;
  for (const auto* topic : world.topics()) count += topic->subscriptions().size();
  return count;
}

int run_cluster(std::uint64_t seed, TimeMs start) {
  boost::asio::io_context io(1);
  sim::VirtualClock clock(start);
  sim::ClusterOptions options;
  options.world.seed = seed;
  options.world.start_ms = start;
  options.world.step = std::chrono::minutes{5};
  options.world.brokers = 3;
  options.world.settings.ledgers.max_rollover = std::chrono::hours{12};
  options.stories = sim::Stories::everything();
  sim::SimulatedCluster cluster(options, clock);
  auto front = sim::HttpFront::open(io.get_executor(), cluster);
  if (!front) return daemon::fail(front.error());
  std::cout << (*front)->url();
  for (const auto& bookie : (*front)->bookie_urls()) std::cout << ' ' << bookie;
  std::cout << std::endl;

  Churn churn(cluster);
  boost::asio::posix::stream_descriptor input(io, ::dup(STDIN_FILENO));
  std::string text;
  std::function<void()> read = [&] {
    boost::asio::async_read_until(input, boost::asio::dynamic_buffer(text), '\n', [&](auto error, std::size_t size) {
      if (error) return (*front)->stop();
      clock.set(time_of(std::string_view(text).substr(0, size)));
      text.erase(0, size);
      cluster.advance_to(clock.now());
      churn.go_on();
      std::cout << fmt::format("{} {} {} {} {}\n", cluster.world().topics().size(), subscriptions_in(cluster.world()),
                               (*front)->requests(), cluster.loads_by_get(), cluster.loads_of_unlisted())
                << std::flush;
      read();
    });
  };
  read();
  io.run();
  return 0;
}

// --- A daemon ---

std::int64_t cpu_us() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto us = [](const timeval& time) { return time.tv_sec * 1000000LL + time.tv_usec; };
  return us(used.ru_utime) + us(used.ru_stime);
}

struct Said {
  std::string findings;
  std::int64_t waiting = 0;  // topics that were to be asked and were not: their broker is left alone
};

// What the last poll came to, once its state is written: how it stands with this process, and all verdicts.
void say(const Said& said, std::int64_t cpu) {
  const auto stats = report::read_process_stats();
  std::cout << fmt::format("{} {} {} {} {} {}\n", cpu, mallinfo2().uordblks, stats.resident_bytes.value_or(0),
                           stats.open_fds.value_or(0), said.waiting, said.findings.size())
            << said.findings << std::flush;
}

int run_daemon(TimeMs start, const daemon::Common& common) {
  mallopt(M_ARENA_MAX, 1);  // so that all that is allocated is counted
  auto settings = daemon::load_settings(common);
  if (!settings) return daemon::fail(settings.error());
  log::set_level(settings->log.level);
  boost::asio::io_context io(1);
  sim::VirtualClock clock(start);
  daemon::ServiceOptions options;
  std::unique_ptr<daemon::Service> service;
  Said said;
  auto cpu_before = cpu_us();
  options.on_outcome = [&](const std::string&, const daemon::Outcome& outcome) {
    said = {report::findings_json(*outcome.verdicts), outcome.snapshot->suspects_waiting};
  };
  options.pause = [&](Duration) {
    say(said, cpu_us() - cpu_before);
    std::string line;
    if (std::getline(std::cin, line) && line != "end") {
      clock.set(time_of(line));
    } else {
      service->stop();
    }
    cpu_before = cpu_us();
    return Duration{0};
  };
  service = std::make_unique<daemon::Service>(io, clock, *settings, options);
  if (auto started = service->start(); !started) return daemon::fail(started.error());
  io.run();
  return 0;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("one process of the soak");
  std::uint64_t seed = 1;
  TimeMs start = 0;
  daemon::Common common;
  int status = 0;
  auto* cluster = app.add_subcommand("cluster");
  cluster->add_option("--seed", seed);
  cluster->add_option("--start", start)->required();
  cluster->callback([&] { status = run_cluster(seed, start); });
  auto* watch = app.add_subcommand("daemon");
  watch->add_option("--start", start)->required();
  daemon::add_common(*watch, common);
  daemon::add_url(*watch, common);
  watch->callback([&] { status = run_daemon(start, common); });
  app.require_subcommand(1);
  CLI11_PARSE(app, count, words);
  return status;
}
