#include "survey/assemble.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "survey/clock_offset.h"
#include "survey/cursor_merge.h"
#include "survey/known_ledgers.h"

namespace tidemark::survey {
namespace {

using model::Loaded;
using model::TopicView;

// Only a graceful unload leaves every cursor's place in the metadata (or nothing was acknowledged since the load).
bool closed_gracefully(const pulsar::InternalInfo& info) {
  return std::all_of(info.cursors.begin(), info.cursors.end(),
                     [](const auto& cursor) { return cursor.cursor_ledger == -1; });
}

Loaded loaded_without_sweeps(const TopicFacts& facts, TimeMs now) {
  const auto own = std::max(facts.stats.at_ms, facts.internal.at_ms);
  if (own == now) return Loaded::kYes;
  if (facts.info.document && facts.info.at_ms > own && closed_gracefully(*facts.info.document)) return Loaded::kNo;
  return Loaded::kUnknown;
}

// The last ledger as the newest internalStats confirms it: the document prints the open one with zeros, and its
void fill_counters(const TopicFacts& facts, TopicView& view) {
  if (const auto* sweep = facts.sweep.document.get()) {
    view.total_bytes = sweep->storage_bytes;
    view.backlog_bytes = sweep->backlog_bytes;
    view.messages_in = sweep->messages_in;
    view.bytes_in = sweep->bytes_in;
    view.publishers = sweep->publishers;
    view.rate_in = sweep->rate_in;
  }
  const auto* stats = facts.stats.document.get();
  if (stats != nullptr && facts.stats.at_ms >= facts.sweep.at_ms) {
    view.total_bytes = stats->storage_bytes;
    view.backlog_bytes = stats->backlog_bytes;
    view.messages_in = stats->messages_in;
    view.bytes_in = stats->bytes_in;
    view.publishers = stats->publishers;
    view.rate_in = stats->rate_in;
  }
  if (stats != nullptr) view.open_transactions = stats->open_transactions;
  // Both count since the load, so documents of one poll give the average batch.
  const auto* internal = facts.internal.document.get();
  if (stats != nullptr && internal != nullptr && facts.stats.at_ms == facts.internal.at_ms && stats->messages_in > 0) {
    view.entries_per_message = static_cast<double>(internal->entries_added) / static_cast<double>(stats->messages_in);
  }
}

void fill_internal(const TopicFacts& facts, TopicView& view) {
  const auto* internal = facts.internal.document.get();
  if (internal == nullptr || view.loaded == Loaded::kNo) return;
  view.last_confirmed = internal->last_confirmed;
  view.ledger_open = internal->state == "LedgerOpened";
  view.last_ledger_created_ms = internal->last_ledger_created_ms;
  view.last_ledger_failed = internal->state == "ClosedLedger" && internal->last_ledger_failed_ms.has_value();
  for (const auto& cursor : internal->cursors) {
    if (cursor.ledger_switched_ms && (!view.epoch_started_ms || *cursor.ledger_switched_ms < *view.epoch_started_ms)) {
      view.epoch_started_ms = cursor.ledger_switched_ms;
    }
  }
}

}  // namespace

Loaded loaded_state(const TopicFacts& facts, const AssembleContext& context) {
  if (!context.sweeps_exist) return loaded_without_sweeps(facts, context.now);
  if (std::max({facts.sweep.at_ms, facts.stats.at_ms, facts.internal.at_ms}) == context.now) return Loaded::kYes;
  if (!facts.missing_since_ms) return Loaded::kUnknown;
  if (facts.info.document && facts.info.at_ms >= *facts.missing_since_ms && closed_gracefully(*facts.info.document)) {
    return Loaded::kNo;
  }
  // A topic on its way between brokers is in no sweep for up to one statistics period.
  const bool long_missing = context.now - *facts.missing_since_ms >= context.stats_period.count();
  return context.sweeps_conclusive && long_missing ? Loaded::kNo : Loaded::kUnknown;
}

std::shared_ptr<const TopicView> assemble(const TopicFacts& facts, const AssembleContext& context) {
  auto view = std::make_shared<TopicView>();
  view->name = facts.name;
  view->ns = facts.ns;
  view->tenant = facts.tenant;
  view->owner = facts.owner;
  view->system = facts.system;
  view->listed = facts.listed_ms != 0;
  view->loaded = loaded_state(facts, context);
  view->sweep_at_ms = facts.sweep.at_ms;
  view->stats_at_ms = facts.stats.at_ms;
  view->internal_at_ms = facts.internal.at_ms;
  view->info_at_ms = facts.info.at_ms;
  view->reask = view->loaded == Loaded::kNo ? facts.info_schedule.reask : facts.schedule.reask;
  // Without sweeps only the topic's own metadata speaks of its absence.
  view->absent_at_ms = context.sweeps_exist ? facts.missing_ms : facts.info.at_ms;
  view->read_since_absent =
      !context.sweeps_exist || (facts.missing_since_ms && facts.info.at_ms >= *facts.missing_since_ms);
  view->epoch = facts.epoch;
  if (facts.info.document) view->modified_ms = facts.info.document->modified_ms;
  view->ledgers = known_ledgers(facts, view->loaded);
  view->gone = facts.gone;
  fill_counters(facts, *view);
  fill_internal(facts, *view);
  view->cursors = merge_cursors(facts, view->loaded, context);
  if (context.clock_offset.count() != 0) onto_our_clock(*view, context.clock_offset);
  return view;
}

}  // namespace tidemark::survey
