// A simulated year of disks: a healthy cluster of which none of the rules about more than one cursor may say more than
// info, and the same with a leak that begins on a day, of which the right one has to speak in time, with shares that
// add up to what the disks really grew by. Polled every fifteen minutes, at the level of snapshots. Exits with 1 when
// something was wrong.
//
//   year [--seed S] [--days D] [--leak NAME]    D days of the healthy cluster, 0 for none; each leak takes 30, all of
//                                               them unless one is named, `none` for none
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/units.h"
#include "by_snapshots.h"
#include "detect/judge.h"
#include "disk_scene.h"

using namespace tidemark;
using namespace tidemark::weeks;

namespace {

constexpr TimeMs kDayMs = 86'400'000;
constexpr Duration kFirstCheck{std::chrono::minutes{10}};  // of a bookie's disks, and of its garbage
constexpr double kWithin = 0.1;                            // of the growth, the shares of it
constexpr int kLeakDays = 2 * kLeakDay;

constexpr std::array<std::string_view, 12> kRules{
    "subscription_count_growth", "creation_burst",      "disk_growth_flat_traffic", "disk_full_forecast",
    "bookie_read_only",          "bookie_unregistered", "writable_bookies_low",     "ttl_overdue",
    "delayed_outlives_ttl",      "quota_forecast",      "leftover_replicator",      "growth_without_publishers"};

struct Options {
  std::uint64_t seed = 1;
  int days = 365;
  std::string leak = "all";
};

double day_of(TimeMs at) { return static_cast<double>(at - kYearBegins) / static_cast<double>(kDayMs); }

std::string text_of(const model::Evidence& evidence, std::string_view key) {
  for (const auto& [name, value] : evidence) {
    if (name == key && std::holds_alternative<std::string>(value)) return std::get<std::string>(value);
  }
  return {};
}

// One cluster under watch.
class Watch {
 public:
  Watch(std::uint64_t seed, Leak leak)
      : seed_(seed),
        leak_(leak),
        world_(scene_options(seed)),
        sky_(seed),
        origins_(*detect::OriginPatterns::compile({})) {
    tell_scene(world_, leak);
    watcher_ = std::make_unique<BySnapshots>(world_, kLook);
  }

  // `look` sees each poll's time and verdicts.
  template <class Look>
  void run(int days, Look look) {
    for (std::int64_t i = 1; i <= days * (kDayMs / kLook.count()); ++i) {
      const TimeMs at = kYearBegins + i * kLook.count();
      const auto weather = sky_.next(world_);
      if (weather.away) {
        world_.advance_to(at);
        continue;
      }
      ++polls_;
      const auto seen = watcher_->poll(at, weather, sky_);
      model::Snapshot snapshot = *seen;
      snapshot.namespaces[kQuotaNamespace].quota =
          model::BacklogQuota{kQuotaBytes, false, std::nullopt, false, true, false};
      add_bookies(snapshot);
      const auto verdicts = detect::judge(snapshot, history_, origins_, limits_);
      history_.forget_unseen(snapshot.at_ms);
      leaked_[snapshot.at_ms] = leaked_bytes();
      look(at, verdicts);
    }
  }

  std::int64_t polls() const { return polls_; }
  std::uint64_t seed() const { return seed_; }

  // What the leak really took between two polls, on the disks.
  std::int64_t leaked(TimeMs from, TimeMs to) const {
    const auto first = leaked_.lower_bound(from);
    const auto last = leaked_.upper_bound(to);
    return first == leaked_.end() || last == leaked_.begin() ? 0 : std::prev(last)->second - first->second;
  }

 private:
  std::int64_t leaked_bytes() const {
    std::int64_t sum = 0;
    if (leak_ == Leak::kGarbage) {
      for (const auto& bookie : world_.bookies().list()) sum += bookie.garbage_bytes();
    }
    const auto* topic = world_.find(kLeakingTopic);
    return topic == nullptr ? sum : world_.settings().write_quorum * topic->backlog_bytes();
  }

  // What their metrics and the admin API would say.
  void add_bookies(model::Snapshot& snapshot) const {
    for (const auto& bookie : world_.bookies().list()) {
      model::BookieView view;
      view.name = bookie.address();
      view.reachable = true;
      view.status = bookie.writable() ? 1 : 0;
      view.status_since_ms = snapshot.at_ms;
      view.capacity_bytes = bookie.options().capacity_bytes;
      if (world_.now() - bookie.started_ms() >= kFirstCheck.count()) {
        view.dir_usage_ratio["_ledgers"] = bookie.usage_percent() / 100;
      }
      if (bookie.active_bytes() > 0) view.live_bytes = bookie.active_bytes();
      view.recovered_bytes = bookie.recovered_bytes();
      snapshot.bookies.push_back(std::move(view));
    }
  }

  std::uint64_t seed_;
  Leak leak_;
  sim::World world_;
  Sky sky_;
  history::History history_;
  detect::Limits limits_;
  detect::OriginPatterns origins_;
  std::unique_ptr<BySnapshots> watcher_;
  std::map<TimeMs, std::int64_t> leaked_;
  std::int64_t polls_ = 0;
};

class Judge {
 public:
  // Of a healthy cluster, until `until`.
  void healthy(TimeMs at, const model::Verdicts& verdicts, TimeMs until) {
    for (const auto& finding : verdicts.findings) {
      if (std::find(kRules.begin(), kRules.end(), finding.rule) == kRules.end()) continue;
      const auto cause = text_of(finding.evidence, "cause");
      ++said_[finding.rule + ' ' + cause + (cause.empty() ? "" : " ") + model::name_of(finding.severity)];
      if (finding.severity == model::Severity::kInfo || at >= until) continue;
      if (!reported_.insert(finding.rule + finding.subject + cause).second) continue;
      wrong(at, "healthy",
            finding.rule + " of " + finding.subject + ": " + finding.summary + " " +
                text_of(finding.evidence, "namespaces"));
    }
  }

  void wrong(TimeMs at, std::string_view story, const std::string& text) {
    ++count_;
    std::cout << fmt::format("WRONG {} on day {:.2f}: {}\n", story, day_of(at), text) << std::flush;
  }

  int count() const { return count_; }
  const std::map<std::string, std::int64_t>& said() const { return said_; }

 private:
  int count_ = 0;
  std::set<std::string> reported_;
  std::map<std::string, std::int64_t> said_;  // findings times polls
};

bool fulfils(const model::Finding& finding, const Expectation& expected) {
  return finding.rule == expected.rule && finding.severity == expected.severity &&
         (expected.cause.empty() || text_of(finding.evidence, "cause") == expected.cause);
}

// Of the newest growth that the leak alone made.
void check_shares(Watch& watch, Judge& judge, const Story& story, TimeMs at, const model::DiskGrowth& growth) {
  const auto of = [&](model::GrowthCause cause) { return growth.by_cause.at(static_cast<std::size_t>(cause)); };
  std::int64_t attributed = 0;
  for (const auto bytes : growth.by_cause) attributed += bytes;
  const auto named = attributed - of(model::GrowthCause::kUnexplained);
  const auto real = watch.leaked(growth.from_ms, growth.to_ms);
  const auto share = [](std::int64_t bytes, std::int64_t all) {
    return static_cast<double>(bytes) / static_cast<double>(all);
  };
  const auto whole = share(named, growth.bytes);
  const auto part = share(of(growth.cause), real);
  std::cout << fmt::format("{}: disks grew by {}, {:.1f} % of it attributed; {} {}, of {} really\n", story.name,
                           format_bytes(growth.bytes), 100 * whole, model::name_of(growth.cause),
                           format_bytes(of(growth.cause)), format_bytes(real));
  if (std::abs(whole - 1) > kWithin) judge.wrong(at, story.name, "the shares do not add up to the growth");
  if (std::abs(part - 1) > kWithin) judge.wrong(at, story.name, "the share of the leak is not what it took");
}

void run_leak(const Options& options, const Story& story, Judge& judge) {
  Watch watch(options.seed, story.leak);
  const TimeMs begins = kYearBegins + kLeakDay * kDayMs;
  std::vector<std::optional<TimeMs>> first(story.expected.size());
  std::vector<std::int64_t> spoken(story.expected.size(), 0);  // polls since the first one
  std::optional<model::DiskGrowth> newest;
  std::int64_t polls = 0;
  TimeMs last = 0;
  watch.run(kLeakDays, [&](TimeMs at, const model::Verdicts& verdicts) {
    judge.healthy(at, verdicts, begins);
    last = at;
    if (!verdicts.growths.empty() && verdicts.growths.front().bookie.empty()) newest = verdicts.growths.front();
    if (at < begins) return;
    ++polls;
    for (std::size_t i = 0; i < story.expected.size(); ++i) {
      const auto& expected = story.expected[i];
      const auto is_it = [&](const auto& finding) { return fulfils(finding, expected); };
      if (std::none_of(verdicts.findings.begin(), verdicts.findings.end(), is_it)) continue;
      ++spoken[i];
      if (!first[i]) first[i] = at;
    }
  });
  for (std::size_t i = 0; i < story.expected.size(); ++i) {
    const auto& expected = story.expected[i];
    const auto after = first[i] ? Duration{*first[i] - begins} : Duration::max();
    std::cout << fmt::format("{}: {} {} after {}, due within {}; at {} of {} polls\n", story.name, expected.rule,
                             expected.cause, first[i] ? format_duration(after) : "never",
                             format_duration(expected.within), spoken[i], polls)
              << std::flush;
    if (after > expected.within) judge.wrong(last, story.name, expected.rule + " did not speak in time");
  }
  const bool of_disks = story.expected.front().rule == "disk_growth_flat_traffic";
  if (of_disks && newest) check_shares(watch, judge, story, last, *newest);
  if (of_disks && !newest) judge.wrong(last, story.name, "the disks do not grow");
}

std::optional<Options> parse(int count, char** words) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view key = words[i];
    if (key == "--leak") {
      options.leak = words[i + 1];
      continue;
    }
    char* end = nullptr;
    const auto number = std::strtoull(words[i + 1], &end, 10);
    if (*words[i + 1] == '\0' || *end != '\0') return std::nullopt;
    if (key == "--seed") {
      options.seed = number;
    } else if (key == "--days") {
      options.days = static_cast<int>(number);
    } else {
      return std::nullopt;
    }
  }
  return count % 2 == 1 ? std::optional(options) : std::nullopt;
}

}  // namespace

int main(int count, char** words) {
  const auto options = parse(count, words);
  if (!options) {
    std::cerr << "usage: year [--seed S] [--days D] [--leak NAME]\n";
    return 2;
  }
  Judge judge;
  Watch year(options->seed, Leak::kNone);
  year.run(options->days, [&](TimeMs at, const model::Verdicts& verdicts) { judge.healthy(at, verdicts, INT64_MAX); });
  std::cout << fmt::format("{} days of a healthy cluster, seed {}: {} polls; said (findings times polls):\n",
                           options->days, options->seed, year.polls());
  for (const auto& [text, times] : judge.said()) std::cout << fmt::format("  {} {}\n", text, times);
  for (const auto& story : leaks()) {
    if (options->leak == "all" || options->leak == story.name) run_leak(*options, story, judge);
  }
  std::cout << fmt::format("wrong: {}\n", judge.count());
  return judge.count() == 0 ? 0 : 1;
}
