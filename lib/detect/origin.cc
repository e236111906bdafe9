#include "detect/origin.h"

#include <array>
#include <regex>
#include <utility>

namespace tidemark::detect {
namespace {

using model::Origin;

constexpr auto kFlags = std::regex::ECMAScript | std::regex::optimize;

// Generated parts, the longest kinds first; each becomes '*' in the group.
constexpr std::array<const char*, 7> kGenerated{
    "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",  // UUID
    "[0-9]{1,3}[.-][0-9]{1,3}[.-][0-9]{1,3}[.-][0-9]{1,3}",                         // IPv4, also as in ip-10-0-1-2
    // A Deployment's pod: template hash and the five letters of Kubernetes' safe alphabet.
    "[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$",
    // Job and DaemonSet pods: only the five letters, at least one digit among them.
    "(?=[a-z]*[0-9])[bcdfghjklmnpqrstvwxz2456789]{5}$",
    "i-[0-9a-f]{8,17}",             // EC2 instance
    "(?=[a-f]*[0-9])[0-9a-f]{8,}",  // hex ids and hashes
    "[0-9]+$",                      // ordinals, run numbers, epoch times
};

struct Builtin {
  const char* pattern;
  Origin origin;
};

// In order of preference: what a name says of its maker outweighs that it carries a generated part.
constexpr std::array<Builtin, 5> kBuiltin{{
    {"^(multiTopicsR|r)eader-[0-9a-f]{6,}$", Origin::kReaderLike},
    {"^[^/]+/[^/]+/[^/]+$", Origin::kFunctionOrSink},
    {"(^|[-_./])(spark|flink|airflow|dagrun|databricks|beam|dataflow)([-_./0-9]|$)", Origin::kBatchJob},
    {"(^|[-_./])(job|run|batch|backfill|etl)[-_.]?[-_0-9a-f]*[0-9]{3,}", Origin::kBatchJob},
    {"(^|[-_./])(test|testing|tests|tmp|temp|debug|dev|demo|sandbox|foo|bar|scratch|poc|console-consumer)([-_./0-9]|$)",
     Origin::kTestOrDev},
}};

bool changes(const std::string& name, const std::string& group) { return name != group; }

}  // namespace

struct OriginPatterns::Compiled {
  std::vector<std::pair<std::regex, Origin>> own;
  std::vector<std::pair<std::regex, Origin>> builtin;
  std::vector<std::regex> generated;
};

Result<OriginPatterns> OriginPatterns::compile(const std::vector<OriginPattern>& own) {
  auto compiled = std::make_shared<Compiled>();
  for (const auto& pattern : own) {
    try {
      compiled->own.emplace_back(std::regex(pattern.pattern, kFlags), pattern.origin);
    } catch (const std::regex_error&) {
      return Error{Errc::kConfig, "origins: '" + pattern.pattern + "' is not a regular expression"};
    }
  }
  for (const auto& builtin : kBuiltin)
    compiled->builtin.emplace_back(std::regex(builtin.pattern, kFlags), builtin.origin);
  for (const auto* pattern : kGenerated) compiled->generated.emplace_back(pattern, kFlags);
  OriginPatterns patterns;
  patterns.compiled_ = std::move(compiled);
  return patterns;
}

NameOrigin OriginPatterns::of(std::string_view cursor) const {
  // std::regex recurses per character: a hostile name of kilobytes must not reach it.
  constexpr std::size_t kLongest = 512;
  const std::string name(cursor.substr(0, kLongest));
  NameOrigin result;
  result.group = name;
  for (const auto& pattern : compiled_->generated) result.group = std::regex_replace(result.group, pattern, "*");
  for (const auto* list : {&compiled_->own, &compiled_->builtin}) {
    for (const auto& [pattern, origin] : *list) {
      if (!std::regex_search(name, pattern)) continue;
      result.origin = origin;
      return result;
    }
  }
  if (changes(name, result.group)) result.origin = Origin::kPerInstance;
  return result;
}

}  // namespace tidemark::detect
