// Space that was freed and is not back on the disks: Pulsar's trim comes first, then the bookies' garbage collection,
// which deletes logs that are dead as a whole, then compaction of the others. It may end there: a bookie that is full
// suspends compaction, and with a few live entries in each log nothing comes back, although nearly all of it is dead.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/units.h"
#include "detect/disks.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr int kReadOnly = 0;
constexpr double kPercent = 100;
constexpr double kDefaultSuspendsAt = 0.90;  // BookKeeper's diskUsageWarnThreshold
constexpr Duration kHour{3600000};
constexpr Duration kTwoRuns{30LL * 60000};          // of the garbage collection, every 15 minutes by Pulsar's default
constexpr Duration kMinorCompaction{90LL * 60000};  // one and a run of the garbage collection, by the defaults
constexpr Duration kNoRunEither{2LL * 3600000};
constexpr std::string_view kRemedy =
    R"(PUT /api/v1/bookie/gc with {"forceMajor":true,"forceMinor":true}; an empty body compacts nothing)";

template <class T>
model::Fact fact_of(const std::optional<T>& value) {
  return value ? model::Fact(*value) : model::Fact(nullptr);
}

const model::BookieView* find(const model::Snapshot& snapshot, const std::string& name) {
  const auto& bookies = snapshot.bookies;
  const auto at = std::find_if(bookies.begin(), bookies.end(), [&](const auto& one) { return one.name == name; });
  return at == bookies.end() ? nullptr : &*at;
}

double suspends_at(const model::BookieView& bookie) {
  return std::min(bookie.compaction.suspends_at.value_or(kDefaultSuspendsAt), usage_limit_of(bookie));
}

bool is_high(const model::BookieView& bookie) {
  return bookie.status == kReadOnly || usage_of(bookie).value_or(0) >= suspends_at(bookie);
}

// Empty: it does not tell, and a full disk suspends unless it was told not to.
std::optional<bool> is_suspended(const model::BookieView& bookie) {
  const auto& compaction = bookie.compaction;
  if (compaction.major_suspended || compaction.minor_suspended)
    return compaction.major_suspended.value_or(false) || compaction.minor_suspended.value_or(false);
  return compaction.forced_when_full == true ? std::optional(false) : std::nullopt;
}

// Two runs of the garbage collection, in each directory, or as long as they take.
bool had_two_runs(const model::BookieView& bookie, const model::Garbage& garbage, Duration stood) {
  const auto dirs = std::max<std::size_t>(1, bookie.dir_usage_ratio.size());
  if (garbage.collections) return *garbage.collections >= static_cast<std::int64_t>(2 * dirs);
  return stood >= kTwoRuns;
}

bool is_stuck(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now) {
  const auto suspended = is_suspended(bookie);
  if (!is_high(bookie) || suspended == false) return false;
  const Duration stood{now - garbage.since_ms};
  if (stood >= kNoRunEither) return true;
  return had_two_runs(bookie, garbage, stood) && (suspended || stood >= kMinorCompaction);
}

std::string_view cause_of(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now) {
  if (is_suspended(bookie) == true) return "suspended";
  return had_two_runs(bookie, garbage, Duration{now - garbage.since_ms}) ? "garbage" : "reclaiming";
}

model::Finding bookie_finding(model::Rule rule, const model::BookieView& bookie, const model::Garbage& garbage) {
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

void pending_on_bookies(const ClusterCase& c, Findings& out) {
  for (const auto& garbage : c.verdicts.garbage) {
    const auto* bookie = find(c.snapshot, garbage.bookie);
    if (bookie == nullptr || is_stuck(*bookie, garbage, c.snapshot.at_ms)) continue;
    const auto cause = cause_of(*bookie, garbage, c.snapshot.at_ms);
    auto finding = bookie_finding(model::Rule::kReclaimPending, *bookie, garbage);
    finding.summary =
        fmt::format("{}: {}", dead_of(garbage),
                    cause == "suspended"    ? "its compaction is suspended"
                    : cause == "reclaiming" ? "garbage collection is at it"
                                            : "they wait for a compaction, or for more of their logs to die");
    finding.evidence.emplace_back("cause", cause);
    out.push_back(std::move(finding));
  }
}

// What went from one topic, with what its removal was to free. Rows of a topic do not add up: the first one that went
// has it all.
struct Receipts {
  std::int64_t subscriptions = 0;
  std::map<std::string_view, const model::RemovedCursor*> by_topic;
};

Receipts receipts_of(const model::Verdicts& verdicts, TimeMs now) {
  Receipts receipts;
  std::map<std::string_view, std::int64_t> counts;
  for (const auto& cursor : verdicts.removed) {
    if (cursor.removed_reclaimable_bytes.value_or(0) <= 0) continue;
    ++counts[cursor.topic];
    auto& first = receipts.by_topic[cursor.topic];
    if (first == nullptr || cursor.removed_ms < first->removed_ms) first = &cursor;
  }
  std::erase_if(receipts.by_topic, [&](const auto& item) {
    const auto& first = *item.second;
    const bool trimmed = first.freed_bytes.value_or(0) >= *first.removed_reclaimable_bytes;
    return trimmed && now - first.removed_ms >= kHour.count();
  });
  for (const auto& [topic, first] : receipts.by_topic) receipts.subscriptions += counts[topic];
  return receipts;
}

// From a clean-up until the brokers have trimmed, and for as long as two runs of garbage collection may take.
void pending_after_removals(const ClusterCase& c, Findings& out) {
  const auto receipts = receipts_of(c.verdicts, c.snapshot.at_ms);
  if (receipts.by_topic.empty()) return;
  auto finding = finding_of(model::Rule::kReclaimPending, c.snapshot.cluster);
  finding.level = model::Level::kCluster;
  std::int64_t to_free = 0;
  std::int64_t freed = 0;
  for (const auto& [topic, first] : receipts.by_topic) {
    to_free += *first->removed_reclaimable_bytes;
    freed += first->freed_bytes.value_or(0);
    finding.since_ms = std::min(finding.since_ms.value_or(first->removed_ms), first->removed_ms);
  }
  std::int64_t live = 0;
  for (const auto& bookie : c.snapshot.bookies) live += bookie.live_bytes.value_or(0);
  const bool trimmed = freed >= to_free;
  finding.summary =
      fmt::format("{} subscriptions were removed and are to free {}: {}", receipts.subscriptions, format_bytes(to_free),
                  trimmed ? "the brokers did, the bookies reclaim it"
                          : fmt::format("the brokers deleted {} so far", format_bytes(freed)));
  finding.evidence = {{"cause", std::string_view(trimmed ? "reclaiming" : "trim")},
                      {"removed_subscriptions", receipts.subscriptions},
                      {"topics", static_cast<std::int64_t>(receipts.by_topic.size())},
                      {"to_free_bytes", to_free},
                      {"freed_bytes", freed},
                      {"live_bytes_on_bookies", live},
                      {"bookies_with_garbage", static_cast<std::int64_t>(c.verdicts.garbage.size())}};
  out.push_back(std::move(finding));
}

}  // namespace

void reclaim_pending(const ClusterCase& c, Findings& out) {
  pending_after_removals(c, out);
  pending_on_bookies(c, out);
}

void reclaim_stuck(const ClusterCase& c, Findings& out) {
  for (const auto& garbage : c.verdicts.garbage) {
    const auto* bookie = find(c.snapshot, garbage.bookie);
    if (bookie == nullptr || !is_stuck(*bookie, garbage, c.snapshot.at_ms)) continue;
    auto finding = bookie_finding(model::Rule::kReclaimStuck, *bookie, garbage);
    const auto suspended = is_suspended(*bookie);
    finding.summary =
        fmt::format("{} and nothing comes back: {}", dead_of(garbage),
                    suspended ? "its compaction is suspended"
                              : "a disk as full suspends compaction, and it does not tell whether it did");
    finding.evidence.emplace_back("remedy", kRemedy);
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
