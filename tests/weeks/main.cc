// Simulated weeks: clusters with every archetype of client live on a virtual clock, are polled every five minutes
// through all kinds of faults, and every verdict is held against what the clients will do. Exits with 1 when one was
// wrong.
//
//   weeks [--seed S] [--seeds N] [--weeks W | --days D] [--way documents|snapshots] [--watch "TOPIC CURSOR"]
//
// Runs seeds S, S+1, ... A failing seed replays exactly; --watch prints what is known of one cursor whenever it
// changes.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/units.h"
#include "by_documents.h"
#include "by_snapshots.h"
#include "detect/judge.h"
#include "referee.h"
#include "sim/cluster.h"

using namespace tidemark;
using namespace tidemark::weeks;

namespace {

constexpr TimeMs kStart = 1'790'000'100'000;  // on a whole step
constexpr Duration kInterval = std::chrono::minutes{5};
constexpr Duration kDay = std::chrono::hours{24};
constexpr Duration kWeek = 7 * kDay;
constexpr Duration kKeepRemoved = history::Tuning{}.keep_removed;  // as the daemon does

struct Options {
  std::uint64_t seed = 1;
  int seeds = 1;
  int days = 70;
  bool documents = false;
  std::string watch;  // a cursor whose course is printed, "topic cursor"
};

// What a history costs at the end of each week, for as long as a cursor is remembered after it is gone.
struct Memory {
  std::size_t bytes = 0;
  std::size_t cursors = 0;
  double bytes_a_cursor() const { return static_cast<double>(bytes) / static_cast<double>(cursors); }
};

struct Totals {
  std::map<std::string, Referee::Archetype> archetypes;
  std::array<std::int64_t, model::kStates.size()> states{};
  std::array<std::int64_t, kFaults> faults{};
  std::int64_t polls = 0;
  std::int64_t judged = 0;
  std::int64_t spoiled = 0;
  std::size_t fewest_cursors = SIZE_MAX;
  std::size_t fewest_topics = SIZE_MAX;
  std::map<std::string, std::size_t> rules;  // "rule severity": subjects of which it was ever said
  std::size_t most_history_bytes = 0;
  Duration slowest{0};
  std::int64_t wrong = 0;
};

sim::ClusterOptions cluster_options(const Options& options, std::uint64_t seed) {
  sim::ClusterOptions made;
  made.world.seed = seed;
  made.world.start_ms = kStart;
  made.world.step = kInterval;
  made.world.brokers = 3;
  made.world.documents = options.documents;
  made.world.settings.ledgers.max_rollover = std::chrono::hours{12};
  made.stories = sim::Stories::everything();
  return made;
}

// What the documents say, without what changes at every poll.
std::string course_of(const model::TopicView& topic, const model::CursorView& cursor) {
  const auto time = [](std::optional<TimeMs> at) { return at.value_or(0); };
  return fmt::format(
      "loaded={} epoch={} reask={} internal={} stats={} info={} consumers={} type={} doubted={} flow={} advanced={} "
      "expired={} "
      "at {}",
      static_cast<int>(topic.loaded), topic.epoch, topic.reask.count() / 1000, topic.internal_at_ms, topic.stats_at_ms,
      topic.info_at_ms, cursor.consumers.value_or(-1), cursor.type, cursor.doubted, time(cursor.flow_ms),
      time(cursor.mark_delete_advanced_ms), cursor.expired_total.value_or(-1), time(cursor.expired_ms));
}

class Run {
 public:
  Run(const Options& options, std::uint64_t seed)
      : options_(options),
        seed_(seed),
        clock_(kStart),
        cluster_(cluster_options(options, seed), clock_),
        sky_(seed),
        referee_(cluster_.world(), kInterval, limits_.abandoned_after),
        origins_(*detect::OriginPatterns::compile({})) {
    if (options.documents) {
      watcher_ = std::make_unique<ByDocuments>(cluster_, clock_, kInterval);
    } else {
      auto made = std::make_unique<BySnapshots>(cluster_.world(), kInterval);
      snapshots_ = made.get();
      watcher_ = std::move(made);
    }
  }

  void run() {
    const auto polls = options_.days * (kDay / kInterval);
    for (std::int64_t i = 1; i <= polls; ++i) {
      poll(kStart + i * kInterval.count());
      if (i % (kWeek / kInterval) == 0) end_week(static_cast<int>(i / (kWeek / kInterval)));
    }
  }

  void add_to(Totals& totals) const {
    for (const auto& [story, one] : referee_.archetypes()) {
      auto& sum = totals.archetypes[story];
      sum.cursors += one.cursors;
      sum.accused += one.accused;
      sum.returned += one.returned;
    }
    for (std::size_t i = 0; i < totals.states.size(); ++i) totals.states.at(i) += referee_.states().at(i);
    for (std::size_t i = 0; i < kFaults; ++i) totals.faults.at(i) += sky_.counts().at(i);
    for (const auto& [rule, subjects] : rules_) totals.rules[rule] += subjects.size();
    totals.polls += polls_;
    totals.judged += referee_.cursors_judged();
    totals.spoiled += snapshots_ != nullptr ? snapshots_->spoiled() : cluster_.faults().hits();
    totals.fewest_cursors = std::min(totals.fewest_cursors, referee_.cursors_at_most());
    totals.fewest_topics = std::min(totals.fewest_topics, referee_.topics_at_most());
    totals.most_history_bytes = std::max(totals.most_history_bytes, most_bytes_);
    totals.slowest = std::max(totals.slowest, referee_.slowest_detection());
    totals.wrong += static_cast<std::int64_t>(referee_.wrong().size()) + memory_faults_;
  }

 private:
  void poll(TimeMs due) {
    const auto weather = sky_.next(cluster_.world());
    if (weather.away) {
      clock_.set(due);
      return cluster_.advance_to(due);
    }
    ++polls_;
    const auto snapshot = watcher_->poll(due + weather.phase.count(), weather, sky_);
    const auto verdicts = detect::judge(*snapshot, history_, origins_, limits_);
    history_.forget_unseen(snapshot->at_ms);
    referee_.look(*snapshot, verdicts);
    count_rules(verdicts);
    for (; printed_ < referee_.wrong().size(); ++printed_) print(referee_.wrong()[printed_]);
    if (!options_.watch.empty()) watch(*snapshot, verdicts);
    most_bytes_ = std::max(most_bytes_, history_.bytes());
  }

  void count_rules(const model::Verdicts& verdicts) {
    for (const auto& finding : verdicts.findings) {
      const auto name = finding.rule + ' ' + model::name_of(finding.severity);
      rules_[name].insert(finding.topic.value_or("") + ' ' + finding.subject);
    }
  }

  void watch(const model::Snapshot& snapshot, const model::Verdicts& verdicts) {
    for (const auto& topic : snapshot.topics) {
      for (const auto& cursor : topic->cursors) {
        if (topic->name + ' ' + cursor.name != options_.watch) continue;
        auto text = course_of(*topic, cursor);
        for (const auto& verdict : verdicts.cursors) {
          if (verdict.topic == topic->name && verdict.cursor == cursor.name) text += " " + text_of(verdict);
        }
        if (text != watched_) std::cout << snapshot.at_ms << ' ' << text << '\n';
        watched_ = text;
      }
    }
  }

  // Nobody is remembered for longer than kKeepRemoved, and nobody's history grows.
  void end_week(int week) {
    const Memory memory{history_.bytes(), history_.cursors()};
    const auto known = referee_.durable_within(kKeepRemoved + 2 * kInterval);
    const auto others = cluster_.world().namespaces().size();  // __compaction of the system topic
    if (memory.cursors > known + others)
      memory_fault(week, fmt::format("{} cursors are remembered of {}", memory.cursors, known + others));
    if (week == 1) first_week_ = memory;
    // Names differ in length, histories do not, but for a rhythm: 8 gaps of up to 6 bytes, learnt over 9 weeks.
    if (memory.bytes_a_cursor() > first_week_.bytes_a_cursor() + 8 * 6)
      memory_fault(week, fmt::format("a cursor costs {:.0f} bytes, {:.0f} in the first week", memory.bytes_a_cursor(),
                                     first_week_.bytes_a_cursor()));
  }

  void memory_fault(int week, const std::string& text) {
    ++memory_faults_;
    std::cout << fmt::format("WRONG seed {} week {}: memory: {}\n", seed_, week, text);
  }

  void print(const Wrong& wrong) const {
    const auto& truth = wrong.truth;
    std::string plan;
    if (truth.abandoned_since) plan += fmt::format(" left={}", *truth.abandoned_since);
    if (truth.next_act_ms) plan += fmt::format(" next_act={}", *truth.next_act_ms);
    if (truth.visits > 0)
      plan += fmt::format(" visits={} longest_pause={}", truth.visits, format_duration(truth.longest_pause));
    std::cout << fmt::format("WRONG seed {} day {:.3f} at {}: {}: {} [{}] {}: connected={} will_return={}{}: {}\n",
                             wrong.seed, static_cast<double>(wrong.at - kStart) / 86'400'000, wrong.at, wrong.reason,
                             truth.topic, truth.subscription, truth.story.empty() ? "-" : truth.story, truth.connected,
                             truth.will_return, plan, wrong.verdict)
              << std::flush;
  }

  const Options& options_;
  std::uint64_t seed_;
  detect::Limits limits_;
  sim::VirtualClock clock_;
  sim::SimulatedCluster cluster_;
  Sky sky_;
  Referee referee_;
  history::History history_;
  detect::OriginPatterns origins_;
  std::unique_ptr<Watcher> watcher_;
  const BySnapshots* snapshots_ = nullptr;
  std::map<std::string, std::set<std::string>> rules_;
  std::int64_t polls_ = 0;
  std::size_t most_bytes_ = 0;
  Memory first_week_;
  std::string watched_;
  std::size_t printed_ = 0;  // of the wrong verdicts
  std::int64_t memory_faults_ = 0;
};

std::optional<Options> parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; i += 2) {
    const std::string_view key = words[i];
    if (i + 1 >= count) return std::nullopt;
    const std::string value = words[i + 1];
    if (key == "--watch") {
      options.watch = value;
      continue;
    }
    if (key == "--way") {
      options.documents = value == "documents";
      if (!options.documents && value != "snapshots") return std::nullopt;
      continue;
    }
    char* end = nullptr;
    const auto number = std::strtoull(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || number == 0) return std::nullopt;
    if (key == "--seed") {
      options.seed = number;
    } else if (key == "--seeds") {
      options.seeds = static_cast<int>(number);
    } else if (key == "--weeks") {
      options.days = static_cast<int>(number) * 7;
    } else if (key == "--days") {
      options.days = static_cast<int>(number);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

void print(const Options& options, const Totals& totals) {
  std::cout << fmt::format("{:.1f} cluster-weeks through {}: seeds {} to {}, {} days each\n",
                           options.seeds * options.days / 7.0, options.documents ? "documents" : "snapshots",
                           options.seed, options.seed + static_cast<std::uint64_t>(options.seeds) - 1, options.days);
  std::cout << fmt::format("clusters of at least {} topics and {} cursors; {} polls, {} verdicts on cursors\n",
                           totals.fewest_topics, totals.fewest_cursors, totals.polls, totals.judged);
  std::cout << "archetype (cursors, ever abandoned, of these by a job whose rhythm was not known yet):\n";
  for (const auto& [story, one] : totals.archetypes)
    std::cout << fmt::format("  {:18} {:6} {:6} {:4}\n", story, one.cursors, one.accused, one.returned);
  std::cout << "faults:";
  for (std::size_t i = 0; i < kFaults; ++i)
    std::cout << fmt::format(" {} {}", name_of(static_cast<Fault>(i)), totals.faults.at(i));
  std::cout << fmt::format("; answers spoiled {}\nstates (cursors x polls):", totals.spoiled);
  for (std::size_t i = 0; i < totals.states.size(); ++i)
    std::cout << fmt::format(" {} {}", model::kStates.at(i).name, totals.states.at(i));
  std::cout << "\nfindings (subjects):";
  for (const auto& [rule, subjects] : totals.rules) std::cout << fmt::format(" {} {};", rule, subjects);
  std::cout << fmt::format("\nhistory: at most {} bytes; slowest detection after it was due: {}\nwrong verdicts: {}\n",
                           totals.most_history_bytes, format_duration(totals.slowest), totals.wrong);
}

}  // namespace

int main(int count, char** words) {
  const auto options = parse(count, words);
  if (!options) {
    std::cerr << "usage: weeks [--seed S] [--seeds N] [--weeks W | --days D] [--way documents|snapshots] [--watch "
                 "\"TOPIC CURSOR\"]\n";
    return 2;
  }
  Totals totals;
  for (int i = 0; i < options->seeds; ++i) {
    Run run(*options, options->seed + static_cast<std::uint64_t>(i));
    run.run();
    run.add_to(totals);
  }
  print(*options, totals);
  return totals.wrong == 0 ? 0 : 1;
}
