#include "model/vocabulary.h"

#include <cstddef>

namespace tidemark::model {
namespace {

constexpr std::array<const char*, 3> kSeverities{"info", "warning", "critical"};
constexpr std::array<const char*, 8> kLevels{"cursor", "subscription", "topic",  "namespace",
                                             "tenant", "bookie",       "broker", "cluster"};
constexpr std::array<const char*, kGrowthCauses> kGrowth{"pinned",      "garbage",           "unexplained",   "lagging",
                                                         "replication", "retention_filling", "re_replication"};
constexpr std::array<const char*, 3> kDrains{"none", "ttl", "eviction"};
constexpr std::array<const char*, 2> kEvidence{"observed", "bounded"};
constexpr std::array<const char*, 6> kOrigins{"per_instance",     "batch_job",   "test_or_dev",
                                              "function_or_sink", "reader_like", "named"};

template <class Enum, std::size_t N>
std::optional<Enum> named(const std::array<const char*, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* name_of(Severity severity) { return kSeverities[static_cast<std::size_t>(severity)]; }
const char* name_of(Level level) { return kLevels[static_cast<std::size_t>(level)]; }
const char* name_of(GrowthCause cause) { return kGrowth.at(static_cast<std::size_t>(cause)); }
const char* name_of(Drain drain) { return kDrains[static_cast<std::size_t>(drain)]; }
const char* name_of(EvidenceKind kind) { return kEvidence[static_cast<std::size_t>(kind)]; }
const char* name_of(Origin origin) { return kOrigins[static_cast<std::size_t>(origin)]; }

std::optional<Severity> severity_named(std::string_view name) { return named<Severity>(kSeverities, name); }
std::optional<Origin> origin_named(std::string_view name) { return named<Origin>(kOrigins, name); }

const StateWord& word_of(State state) { return kStates[static_cast<std::size_t>(state)]; }
const RuleWord& word_of(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }

}  // namespace tidemark::model
