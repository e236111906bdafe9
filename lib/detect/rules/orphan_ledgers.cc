// Ledgers that nobody refers to any more: an update of a list went before the deletion, and the deletion never came.
// Nothing heals that. Only what two looks through all ledgers prove is said, since a ledger is there before it is in a
// document and after it was taken out of one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "base/units.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

using model::LedgerUse;
using model::LooseLedger;
using model::Unreferenced;

constexpr Duration kApart{3600000};  // two looks that are nearer may show the same deletion under way
constexpr std::size_t kNamed = 100;  // in the evidence, the largest first

bool is_proven(const LooseLedger& loose, TimeMs at_ms) {
  return loose.why != Unreferenced::kUnproven && model::is_settled(loose.ledger, at_ms);
}

const LooseLedger* find(const model::LedgerPass& pass, std::int64_t id) {
  const auto at = std::lower_bound(pass.loose.begin(), pass.loose.end(), id,
                                   [](const auto& loose, auto wanted) { return loose.ledger.id < wanted; });
  return at != pass.loose.end() && at->ledger.id == id ? &*at : nullptr;
}

// Of both looks, the largest first; those whose size is not told come last.
std::vector<const LooseLedger*> orphans_of(const model::LedgerPass& now, const model::LedgerPass& before) {
  std::vector<const LooseLedger*> orphans;
  if (now.at_ms - before.at_ms < kApart.count()) return orphans;
  for (const auto& loose : now.loose) {
    const auto* then = find(before, loose.ledger.id);
    if (then != nullptr && is_proven(loose, now.at_ms) && is_proven(*then, before.at_ms)) orphans.push_back(&loose);
  }
  std::stable_sort(orphans.begin(), orphans.end(),
                   [](const auto* a, const auto* b) { return b->ledger.bytes < a->ledger.bytes; });
  return orphans;
}

struct Sums {
  std::int64_t bytes = 0;
  std::int64_t physical_bytes = 0;
  std::int64_t unsized = 0;
  std::int64_t topic_gone = 0;
  std::int64_t cursor_gone = 0;
  std::array<std::int64_t, 6> by_use{};
  std::int64_t oldest_ms = std::numeric_limits<std::int64_t>::max();

  std::int64_t of(LedgerUse use) const { return by_use.at(static_cast<std::size_t>(use)); }
};

Sums sum(const std::vector<const LooseLedger*>& orphans) {
  Sums sums;
  for (const auto* orphan : orphans) {
    const auto& ledger = orphan->ledger;
    sums.bytes += ledger.bytes.value_or(0);
    sums.physical_bytes += ledger.bytes.value_or(0) * ledger.copies;
    sums.unsized += ledger.bytes ? 0 : 1;
    sums.topic_gone += orphan->why == Unreferenced::kTopicGone ? 1 : 0;
    sums.cursor_gone += orphan->why == Unreferenced::kCursorGone ? 1 : 0;
    ++sums.by_use.at(static_cast<std::size_t>(ledger.use));
    sums.oldest_ms = std::min(sums.oldest_ms, *ledger.created_ms);
  }
  return sums;
}

std::string numbers_of(const std::vector<const LooseLedger*>& orphans) {
  std::string text;
  for (std::size_t i = 0; i < std::min(orphans.size(), kNamed); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", orphans[i]->ledger.id);
  return text;
}

std::string summary_of(std::size_t count, const Sums& sums) {
  const auto open = sums.unsized > 0 ? fmt::format(", and {} that tell no size", sums.unsized) : "";
  return fmt::format("nothing refers to {} ledger{} any more: {} with all copies{}", count, count == 1 ? "" : "s",
                     format_bytes(sums.physical_bytes), open);
}

}  // namespace

void orphan_ledgers(const ClusterCase& c, Findings& out) {
  const auto& now = c.snapshot.ledgers;
  const auto& before = c.snapshot.ledgers_before;
  if (!now || !before) return;
  const auto orphans = orphans_of(*now, *before);
  if (orphans.empty()) return;
  const auto sums = sum(orphans);
  auto finding = finding_of(model::Rule::kOrphanLedgers, c.snapshot.cluster);
  finding.summary = summary_of(orphans.size(), sums);
  finding.evidence = {{"ledgers", static_cast<std::int64_t>(orphans.size())},
                      {"bytes", sums.bytes},
                      {"physical_bytes", sums.physical_bytes},
                      {"ledgers_without_size", sums.unsized},
                      {"data", sums.of(LedgerUse::kData)},
                      {"cursor", sums.of(LedgerUse::kCursor)},
                      {"schema", sums.of(LedgerUse::kSchema)},
                      {"compacted", sums.of(LedgerUse::kCompacted)},
                      {"delayed_index", sums.of(LedgerUse::kDelayedIndex)},
                      {"topic_gone", sums.topic_gone},
                      {"cursor_gone", sums.cursor_gone},
                      {"oldest_ms", sums.oldest_ms},
                      {"ledger_ids", numbers_of(orphans)},
                      {"largest_of", orphans.front()->ledger.topic},
                      {"looked_ms", now->at_ms},
                      {"looked_before_ms", before->at_ms}};
  out.push_back(std::move(finding));
}

std::optional<model::UnattributedLedgers> unattributed_ledgers(const model::Snapshot& snapshot) {
  if (!snapshot.ledgers) return std::nullopt;
  model::UnattributedLedgers sums;
  for (const auto& [ledger, why] : snapshot.ledgers->loose) {
    const bool young = ledger.created_ms && !model::is_settled(ledger, snapshot.ledgers->at_ms);
    if (why != Unreferenced::kUnproven || young) continue;
    ++sums.count;
    sums.bytes += ledger.bytes.value_or(0);
    if (ledger.created_ms) sums.oldest_ms = std::min(sums.oldest_ms.value_or(*ledger.created_ms), *ledger.created_ms);
  }
  return sums;
}

}  // namespace tidemark::detect::rules
