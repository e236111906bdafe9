// A simulated year of disks: a healthy cluster of which none of the rules about more than one cursor may say more than
// info, and the same with a leak that begins on a day, of which the right rules have to speak in time, with shares that
// add up to what the disks really grew by. Polled every fifteen minutes, at the level of snapshots. Ends with how often
// each rule spoke, and what made it fire how soon. Exits with 1 when something was wrong.
//
//   year [--seed S] [--days D] [--leak NAME]    D days of the healthy cluster, 0 for none, and the leaks, all of
//                                               them unless one is named, `none` for none
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "disk_scene.h"
#include "disk_watch.h"

using namespace tidemark;
using namespace tidemark::weeks;

namespace {

constexpr TimeMs kDayMs = 86'400'000;
constexpr double kWithin = 0.1;  // of the growth, the shares of it
constexpr TimeMs kLeakBegins = kYearBegins + kLeakDay * kDayMs;

// Those of disks and growth.
constexpr std::array<std::string_view, 17> kRules{"subscription_count_growth",
                                                  "creation_burst",
                                                  "disk_growth_flat_traffic",
                                                  "disk_full_forecast",
                                                  "bookie_read_only",
                                                  "bookie_unregistered",
                                                  "writable_bookies_low",
                                                  "reclaim_pending",
                                                  "reclaim_stuck",
                                                  "ttl_retention",
                                                  "ttl_overdue",
                                                  "delayed_outlives_ttl",
                                                  "quota_forecast",
                                                  "leftover_replicator",
                                                  "growth_without_publishers",
                                                  "read_cache_thrash",
                                                  "admin_api_stall"};

struct Options {
  std::uint64_t seed = 1;
  int days = 365;
  std::string leak = "all";
};

double day_of(TimeMs at) { return static_cast<double>(at - kYearBegins) / static_cast<double>(kDayMs); }

std::string text_of(const model::Evidence& evidence, std::string_view key) {
  for (const auto& [name, value] : evidence) {
    if (name != key) continue;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  }
  return {};
}

std::string cause_of(const model::Finding& finding) {
  const auto cause = text_of(finding.evidence, "cause");
  return cause.empty() ? text_of(finding.evidence, "quota") : cause;
}

bool is_watched(std::string_view rule) { return std::find(kRules.begin(), kRules.end(), rule) != kRules.end(); }

bool fulfils(const model::Finding& finding, const Expectation& expected) {
  return finding.rule == expected.rule && finding.severity == expected.severity &&
         (expected.cause.empty() || cause_of(finding) == expected.cause);
}

// When something spoke, and how often it fell silent in between: what an alert has to ride out.
struct Spells {
  std::optional<TimeMs> first;
  TimeMs last = 0;
  std::int64_t polls = 0;
  int count = 0;
  Duration longest_gap{0};

  // `before` is the poll before this one.
  void spoke(TimeMs at, TimeMs before) {
    if (last == at) return;
    if (!first) first = at;
    if (last == 0 || last < before) ++count;
    if (last != 0 && last < before) longest_gap = std::max(longest_gap, Duration{at - last});
    last = at;
    ++polls;
  }
};

std::string text_of(const Spells& spells) {
  if (spells.count < 2) return fmt::format("{} polls", spells.polls);
  return fmt::format("{} polls in {} spells, up to {} apart", spells.polls, spells.count,
                     format_duration(spells.longest_gap));
}

// What one rule says of a leak, by alert: one for each bookie, for all others one of the cluster, as in
// deploy/prometheus.
class Alerts {
 public:
  void spoke(const model::Finding& finding, TimeMs at, TimeMs before) {
    const bool of_bookie = finding.level == model::Level::kBookie && finding.rule != "disk_growth_flat_traffic";
    all_[of_bookie ? finding.subject : std::string()].spoke(at, before);
  }

  std::optional<TimeMs> first() const {
    std::optional<TimeMs> first;
    for (const auto& [name, spells] : all_) first = std::min(first.value_or(*spells.first), *spells.first);
    return first;
  }

  // Which was silent for longest in between.
  Spells worst() const {
    Spells worst;
    for (const auto& [name, spells] : all_) {
      if (worst.polls == 0 || spells.longest_gap > worst.longest_gap) worst = spells;
    }
    return worst;
  }

 private:
  std::map<std::string, Spells> all_;
};

class Judge {
 public:
  // Of a healthy cluster, until `until`.
  void healthy(TimeMs at, const model::Verdicts& verdicts, TimeMs until) {
    for (const auto& finding : verdicts.findings) {
      if (finding.severity == model::Severity::kInfo || at >= until || !is_watched(finding.rule)) continue;
      const auto cause = cause_of(finding);
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

 private:
  int count_ = 0;
  std::set<std::string> reported_;
};

// By rule, then by whatever tells its findings apart.
using Said = std::map<std::string, std::map<std::string, Spells>>;

// What is told of each rule in the end.
struct Table {
  Said healthy;
  std::map<std::string, std::vector<std::string>> fired;  // by rule, or by the state of a cursor
  // For how long one that has an alert fell silent during a leak and spoke again: what keep_firing_for has to bridge.
  std::map<std::pair<std::string, model::Severity>, Spells> paused;
};

void run_year(const Options& options, Judge& judge, Table& table) {
  DiskWatch year(options.seed, Leak::kNone);
  TimeMs before = 0;
  year.run(options.days, [&](TimeMs at, const model::Verdicts& verdicts) {
    judge.healthy(at, verdicts, INT64_MAX);
    std::set<std::pair<std::string, std::string>> now;
    for (const auto& finding : verdicts.findings) {
      if (!is_watched(finding.rule)) continue;
      auto what = cause_of(finding);
      what += (what.empty() ? "" : " ") + std::string(model::name_of(finding.severity));
      now.emplace(finding.rule, std::move(what));
    }
    for (const auto& [rule, what] : now) table.healthy[rule][what].spoke(at, before);
    before = at;
  });
  std::cout << fmt::format("{} days of a healthy cluster, seed {}: {} polls\n", options.days, options.seed,
                           year.polls());
}

// Of the newest growth that the leak alone made.
void check_shares(const DiskWatch& watch, Judge& judge, const Story& story, TimeMs at,
                  const model::DiskGrowth& growth) {
  const auto of = [&](model::GrowthCause cause) { return growth.by_cause.at(static_cast<std::size_t>(cause)); };
  std::int64_t attributed = 0;
  for (const auto bytes : growth.by_cause) attributed += bytes;
  const bool is_unexplained = growth.cause == model::GrowthCause::kUnexplained;
  const auto named = attributed - (is_unexplained ? 0 : of(model::GrowthCause::kUnexplained));
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

void run_leak(const Options& options, const Story& story, Judge& judge, Table& table) {
  DiskWatch watch(options.seed, story.leak);
  std::vector<Alerts> alerts(story.expected.size());
  std::map<std::pair<std::string, model::Severity>, Alerts> all;
  std::optional<model::DiskGrowth> newest;
  TimeMs last = 0;
  watch.run(kLeakDay + story.days, [&](TimeMs at, const model::Verdicts& verdicts) {
    judge.healthy(at, verdicts, kLeakBegins);
    const auto before = std::exchange(last, at);
    if (!verdicts.growths.empty() && verdicts.growths.front().bookie.empty()) newest = verdicts.growths.front();
    if (at < kLeakBegins) return;
    for (const auto& finding : verdicts.findings) {
      for (std::size_t i = 0; i < alerts.size(); ++i) {
        if (fulfils(finding, story.expected[i])) alerts[i].spoke(finding, at, before);
      }
      if (!is_watched(finding.rule) || finding.severity == model::Severity::kInfo) continue;
      all[{finding.rule, finding.severity}].spoke(finding, at, before);
    }
  });
  for (std::size_t i = 0; i < alerts.size(); ++i) {
    const auto& expected = story.expected[i];
    const auto first = alerts[i].first();
    const auto after = first ? Duration{*first - kLeakBegins} : Duration::max();
    table.fired[expected.rule].push_back(fmt::format(
        "{} {}: {} after {}, due within {}; {}", story.name, expected.cause, model::name_of(expected.severity),
        first ? format_duration(after) : "never", format_duration(expected.within), text_of(alerts[i].worst())));
    if (after > expected.within) {
      judge.wrong(last, story.name,
                  fmt::format("{} {} did not speak within {}: {}", expected.rule, model::name_of(expected.severity),
                              format_duration(expected.within), first ? format_duration(after) : "never"));
    }
  }
  for (const auto& [rule, one] : all) {
    auto& paused = table.paused[rule];
    if (one.worst().longest_gap >= paused.longest_gap) paused = one.worst();
  }
  const bool of_disks = story.expected.front().rule == "disk_growth_flat_traffic";
  if (of_disks && newest) check_shares(watch, judge, story, last, *newest);
  if (of_disks && !newest) judge.wrong(last, story.name, "the disks do not grow");
}

void print(const Table& table, const Options& options, Judge& judge) {
  for (const auto rule : kRules) {
    std::cout << rule << '\n';
    const auto said = table.healthy.find(std::string(rule));
    if (said != table.healthy.end()) {
      for (const auto& [what, spells] : said->second) {
        std::cout << fmt::format("  healthy: {} at {}\n", what, text_of(spells));
      }
    }
    const auto fired = table.fired.find(std::string(rule));
    if (fired != table.fired.end()) {
      for (const auto& line : fired->second) std::cout << "  " << line << '\n';
    } else if (options.leak == "all") {
      judge.wrong(kYearBegins, "all", std::string(rule) + " has no leak that makes it fire");
    }
  }
  for (const auto& [rule, spells] : table.paused) {
    if (spells.count < 2) continue;
    std::cout << fmt::format("an alert of {} {} has to bridge up to {}\n", rule.first, model::name_of(rule.second),
                             format_duration(spells.longest_gap));
  }
  for (const auto& [state, lines] : table.fired) {
    if (is_watched(state)) continue;
    std::cout << state << '\n';
    for (const auto& line : lines) std::cout << "  " << line << '\n';
  }
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
  Table table;
  run_year(*options, judge, table);
  for (const auto& story : leaks()) {
    if (options->leak == "all" || options->leak == story.name) run_leak(*options, story, judge, table);
  }
  print(table, *options, judge);
  std::cout << fmt::format("wrong: {}\n", judge.count());
  return judge.count() == 0 ? 0 : 1;
}
