// Space that was freed and is not back on the disks: Pulsar's trim comes first, then the bookies' garbage collection,
// which deletes logs that are dead as a whole, then compaction of the others.
#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

#include "base/units.h"
#include "detect/rules/dead_space.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr Duration kHour{3600000};

std::string_view cause_of(const model::BookieView& bookie, const model::Garbage& garbage, TimeMs now) {
  if (is_suspended(bookie) == true) return "suspended";
  return had_two_runs(bookie, garbage, now) ? "garbage" : "reclaiming";
}

void pending_on_bookies(const ClusterCase& c, Findings& out) {
  for (const auto& garbage : c.verdicts.garbage) {
    const auto* bookie = bookie_named(c.snapshot, garbage.bookie);
    if (bookie == nullptr || is_reclaim_stuck(*bookie, garbage, c.snapshot.at_ms)) continue;
    const auto cause = cause_of(*bookie, garbage, c.snapshot.at_ms);
    auto finding = garbage_finding(model::Rule::kReclaimPending, *bookie, garbage);
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

}  // namespace tidemark::detect::rules
