#include "detect/rules/dead_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "detect/disks.h"
#include "detect/rules/facts.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr int kReadOnly = 0;
constexpr double kPercent = 100;
constexpr double kDefaultSuspendsAt = 0.90;         // BookKeeper's diskUsageWarnThreshold
constexpr Duration kTwoRuns{30LL * 60000};          // of the garbage collection, every 15 minutes by Pulsar's default
constexpr Duration kMinorCompaction{90LL * 60000};  // one and a run of the garbage collection, by the defaults
constexpr Duration kNoRunEither{2LL * 3600000};

double suspends_at(const model::BookieView& bookie) {
  return std::min(bookie.compaction.suspends_at.value_or(kDefaultSuspendsAt), usage_limit_of(bookie));
}

bool is_high(const model::BookieView& bookie) {
  return bookie.status == kReadOnly || usage_of(bookie).value_or(0) >= suspends_at(bookie);
}

}  // namespace

const model::BookieView* bookie_named(const model::Snapshot& snapshot, const std::string& name) {
  const auto& bookies = snapshot.bookies;
  const auto at = std::find_if(bookies.begin(), bookies.end(), [&](const auto& one) { return one.name == name; });
  return at == bookies.end() ? nullptr : &*at;
}

std::optional<bool> is_suspended(const model::BookieView& bookie) {
  const auto& compaction = bookie.compaction;
  if (compaction.major_suspended || compaction.minor_suspended)
    return compaction.major_suspended.value_or(false) || compaction.minor_suspended.value_or(false);
  return compaction.forced_when_full == true ? std::optional(false) : std::nullopt;
}

bool had_two_runs(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now) {
  const auto dirs = std::max<std::size_t>(1, bookie.dir_usage_ratio.size());
  if (garbage.collections) return *garbage.collections >= static_cast<std::int64_t>(2 * dirs);
  return now - garbage.since_ms >= kTwoRuns.count();
}

bool is_reclaim_stuck(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now) {
  const auto suspended = is_suspended(bookie);
  if (!is_high(bookie) || suspended == false) return false;
  const Duration stood{now - garbage.since_ms};
  if (stood >= kNoRunEither) return true;
  return had_two_runs(bookie, garbage, now) && (suspended || stood >= kMinorCompaction);
}

model::Finding garbage_finding(model::Rule rule, const model::BookieView& bookie, const model::Garbage& garbage) {
  auto finding = finding_of(rule, bookie.name);
  finding.since_ms = garbage.since_ms;
  auto percent = usage_of(bookie);
  if (percent) *percent *= kPercent;
  finding.evidence = {{"usage_percent", fact_of(percent)},
                      {"live_bytes", garbage.live_bytes},
                      {"stored_bytes", garbage.stored_bytes},
                      {"garbage_bytes", garbage.stored_bytes - garbage.live_bytes},
                      {"garbage_collections", fact_of(garbage.collections)},
                      {"major_compaction_suspended", fact_of(bookie.compaction.major_suspended)},
                      {"minor_compaction_suspended", fact_of(bookie.compaction.minor_suspended)},
                      {"isForceGCAllowWhenNoSpace", fact_of(bookie.compaction.forced_when_full)}};
  return finding;
}

std::string dead_of(const model::Garbage& garbage) {
  return fmt::format("{} of at least {} in its entry logs are dead",
                     format_bytes(garbage.stored_bytes - garbage.live_bytes), format_bytes(garbage.stored_bytes));
}

}  // namespace tidemark::detect::rules
