#include "detect/origin.h"

#include <array>
#include <utility>

#include "base/pattern.h"
#include "detect/generated.h"
#include "detect/name_text.h"

namespace tidemark::detect {
namespace {

using model::Origin;

// Programs that run batches, or whose subscriptions live and die with a job. Whole words, as all lists here: a 'test'
// in 'contest' or 'latest' is none.
constexpr std::array<std::string_view, 12> kEngines{"spark",    "pyspark",  "flink",      "airflow",
                                                    "dagrun",   "dagster",  "databricks", "beam",
                                                    "dataflow", "dataproc", "cronjob",    "oozie"};

// Somebody tries something.
constexpr std::array<std::string_view, 19> kTrials{
    "test",       "testing", "tests",   "tmp",       "debug", "dev",   "demo",      "sandbox", "scratch", "poc",
    "playground", "laptop",  "macbook", "localhost", "wip",   "dummy", "throwaway", "foobar",  "deleteme"};

constexpr std::array<std::string_view, 3> kTrialPhrases{"console-consumer", "perf-consumer", "MacBook"};

// These mean it only when nothing else is said: 'temp-sensor' and 'my-account' are names, 'my-sub' is out of a
// tutorial.
constexpr std::array<std::string_view, 9> kVague{"temp",  "foo",    "bar",     "baz",  "my",
                                                 "first", "sample", "example", "hello"};
constexpr std::array<std::string_view, 12> kFillers{"sub",      "subs",   "subscription", "subscriber",
                                                    "consumer", "reader", "name",         "client",
                                                    "the",      "world",  "topic",        "pulsar"};

// With the number of a run behind or before them.
constexpr std::array<std::string_view, 28> kRuns{
    "job",     "jobs",     "run",    "batch",     "backfill", "etl",    "cron",    "task",      "dag",    "build",
    "builds",  "pipeline", "hourly", "nightly",   "daily",    "weekly", "monthly", "scheduled", "manual", "ci",
    "jenkins", "gitlab",   "github", "buildkite", "circleci", "gha",    "pr",      "workflow"};

// The words of a name: letters only, parted by anything else and before a capital ("myTestSub").
template <class Visitor>
void each_word(std::string_view name, const Visitor& visit) {
  for (std::size_t begin = 0; begin < name.size();) {
    if (!is_letter(name[begin])) {
      ++begin;
      continue;
    }
    auto end = begin + 1;
    for (; end < name.size() && is_letter(name[end]); ++end) {
      const bool next_lower = end + 1 < name.size() && is_lower(name[end + 1]);
      if (is_upper(name[end]) && (is_lower(name[end - 1]) || next_lower)) break;
    }
    visit(name.substr(begin, end - begin));
    begin = end;
  }
}

struct WordCounts {
  int engines = 0;
  int trials = 0;
  int vague = 0;
  int fillers = 0;
  int runs = 0;
  int all = 0;
};

WordCounts count_words(std::string_view name) {
  WordCounts counts;
  each_word(name, [&](std::string_view word) {
    ++counts.all;
    counts.engines += is_one_of(word, kEngines) ? 1 : 0;
    counts.trials += is_one_of(word, kTrials) ? 1 : 0;
    counts.vague += is_one_of(word, kVague) ? 1 : 0;
    counts.fillers += is_one_of(word, kFillers) ? 1 : 0;
    counts.runs += is_one_of(word, kRuns) ? 1 : 0;
  });
  return counts;
}

// What clients name their readers' own subscriptions: [role-prefix-]reader-0a1b2c3d4e. Empty, or where the hash begins.
std::optional<std::size_t> reader_hash(std::string_view name) {
  const auto dash = name.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto hash = name.substr(dash + 1);
  const auto before = name.substr(0, dash);
  const auto maker = before.substr(before.rfind('-') == std::string_view::npos ? 0 : before.rfind('-') + 1);
  if (!all<is_hex>(hash) || (maker != "reader" && maker != "multiTopicsReader")) return std::nullopt;
  const bool alone = maker.size() == before.size();
  return hash.size() == 10 || (alone && hash.size() >= 6) ? std::optional(dash + 1) : std::nullopt;
}

// Functions and connectors subscribe as tenant/namespace/name.
bool is_function(std::string_view name) {
  const auto first = name.find('/');
  const auto second = first == std::string_view::npos ? first : name.find('/', first + 1);
  return first != 0 && second != std::string_view::npos && second > first + 1 && second + 1 < name.size() &&
         name.find('/', second + 1) == std::string_view::npos;
}

// What a name says of its maker outweighs that it carries a generated part.
NameOrigin builtin_origin(std::string_view name) {
  if (const auto hash = reader_hash(name))
    return {Origin::kReaderLike, find_generated(name.substr(0, *hash)).group + "*"};
  auto generated = find_generated(name);
  const auto words = count_words(generated.group);
  const auto says = [&](std::string_view phrase) { return generated.group.find(phrase) != std::string::npos; };
  auto origin = generated.any ? Origin::kPerInstance : Origin::kNamed;
  if (is_function(name)) {
    origin = Origin::kFunctionOrSink;
  } else if (words.engines > 0) {
    origin = Origin::kBatchJob;
  } else if (words.trials > 0 || std::ranges::any_of(kTrialPhrases, says) ||
             (words.vague > 0 && words.vague + words.fillers == words.all)) {
    origin = Origin::kTestOrDev;
  } else if (generated.dated || (words.runs > 0 && generated.run_id)) {
    origin = Origin::kBatchJob;
  }
  return {origin, std::move(generated.group)};
}

}  // namespace

struct OriginPatterns::Compiled {
  std::vector<std::pair<Pattern, Origin>> own;
};

Result<OriginPatterns> OriginPatterns::compile(const std::vector<OriginPattern>& own) {
  auto compiled = std::make_shared<Compiled>();
  for (const auto& pattern : own) {
    auto regex = Pattern::compile(pattern.pattern);
    if (!regex) return Error{Errc::kConfig, "origins: '" + pattern.pattern + "' is " + regex.error().text()};
    compiled->own.emplace_back(std::move(*regex), pattern.origin);
  }
  OriginPatterns patterns;
  patterns.compiled_ = std::move(compiled);
  return patterns;
}

NameOrigin OriginPatterns::of(std::string_view cursor) const {
  auto result = builtin_origin(cursor);
  for (const auto& [pattern, origin] : compiled_->own) {
    if (!pattern.found_in(cursor)) continue;
    result.origin = origin;
    if (origin == Origin::kNamed) result.group = cursor;  // somebody chose all of it
    break;
  }
  return result;
}

}  // namespace tidemark::detect
