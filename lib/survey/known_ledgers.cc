#include "survey/known_ledgers.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tidemark::survey {
namespace {

// currentLedger figures count unconfirmed writes. While one ledger is followed by the next, the list may lack the one
// that was written last; then the last one listed is a closed one and stays as printed.
void confirm_last(std::vector<model::Ledger>& ledgers, const pulsar::InternalStats& internal) {
  if (ledgers.empty()) return;
  auto& last = ledgers.back();
  const auto& confirmed = internal.last_confirmed;
  if (confirmed && confirmed->ledger_id > last.id) return;
  const auto total = std::max<std::int64_t>(0, internal.total_bytes);
  std::int64_t closed = 0;
  for (std::size_t i = 0; i + 1 < ledgers.size(); ++i) {
    closed = std::clamp<std::int64_t>(closed + ledgers[i].bytes.value_or(0), 0, total);
  }
  last.entries = confirmed && confirmed->ledger_id == last.id ? confirmed->entry_id + 1 : 0;
  last.bytes = total - closed;
}

model::Ledger* find(std::vector<model::Ledger>& ledgers, std::int64_t id) {
  for (auto& ledger : ledgers) {
    if (ledger.id == id) return &ledger;
  }
  return nullptr;
}

}  // namespace

model::Ledgers known_ledgers(const TopicFacts& facts, model::Loaded loaded) {
  const auto* info = facts.info.document.get();
  const auto* internal = facts.internal.document.get();
  // Metadata that was read before the newest load's documents lacks the ledgers made since.
  const bool unloaded_since =
      loaded == model::Loaded::kNo && info != nullptr && facts.info.at_ms >= facts.internal.at_ms;
  if (internal == nullptr || unloaded_since) {
    auto ledgers = info != nullptr ? info->ledgers : std::vector<model::Ledger>{};
    // The last ledger's size is in no metadata; its last load told it, us or an earlier run.
    if (ledgers.empty() || ledgers.back().entries) return model::Ledgers(std::move(ledgers));
    const auto id = ledgers.back().id;
    if (internal != nullptr && !internal->ledgers.empty() && internal->ledgers.back().id == id) {
      auto known = internal->ledgers;
      confirm_last(known, *internal);
      ledgers.back() = known.back();
    } else if (internal == nullptr && facts.former_ledger && facts.former_ledger->id == id) {
      ledgers.back() = *facts.former_ledger;
    }
    return model::Ledgers(std::move(ledgers));
  }
  auto ledgers = internal->ledgers;
  confirm_last(ledgers, *internal);
  if (info != nullptr) {
    for (const auto& stored : info->ledgers) {
      if (auto* ledger = find(ledgers, stored.id)) ledger->closed_ms = stored.closed_ms;
    }
  }
  return model::Ledgers(std::move(ledgers));
}

}  // namespace tidemark::survey
