#include "survey/cursor_merge.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "survey/named.h"

namespace tidemark::survey {
namespace {

using model::CursorKind;
using model::CursorView;
using model::Loaded;

// By internalStats alone: a durable cursor that is open has a cursor ledger (seen on 2.10.5 to 5.0.1; 2.8.2 leaves the
// others uninitialised).
bool looks_non_durable(const pulsar::InternalCursor& cursor) {
  return cursor.cursor_ledger == -1 && (cursor.state == "Open" || cursor.state == "Uninitialized");
}

std::optional<TimeMs> connected_since(const pulsar::StatsSubscription& subscription) {
  std::optional<TimeMs> longest;
  for (const auto& consumer : subscription.consumers) {
    if (consumer.connected_ms) longest = std::min(longest.value_or(*consumer.connected_ms), *consumer.connected_ms);
  }
  return longest;
}

// Only statistics tell what each consumer asks for and holds, and they are read more rarely than the sweep counts
// consumers: it stands as long as they are the same, or what rests on it would come and go from poll to poll.
bool are_still_there(const pulsar::StatsSubscription& subscription, const CursorView& view) {
  return view.consumers == static_cast<int>(subscription.consumers.size()) &&
         view.connected_since_ms == connected_since(subscription);
}

void list_consumers(const pulsar::StatsSubscription& subscription, CursorView& view) {
  view.consumer_list.reserve(subscription.consumers.size());
  for (const auto& consumer : subscription.consumers) {
    view.consumer_list.push_back(
        {consumer.name, consumer.available_permits, consumer.unacked_messages, consumer.blocked});
  }
}

class Merge {
 public:
  Merge(const TopicFacts& facts, Loaded loaded, const AssembleContext& context)
      : facts_(facts), loaded_(loaded), context_(context) {}

  std::vector<CursorView> run() {
    for (const auto& name : facts_.former_cursors) listed(name, facts_.former_ms);
    if (facts_.sweep.document) from_sweep(*facts_.sweep.document);
    if (facts_.stats.document) from_stats(*facts_.stats.document);
    if (facts_.internal.document) from_internal(*facts_.internal.document);
    if (facts_.info.document) from_info(*facts_.info.document);
    // Only now, when all names are known: an older document must not bring back what a newer one no longer has.
    if (facts_.sweep.document) absent_from_sweep(*facts_.sweep.document);
    if (facts_.stats.document) absent_from_stats(*facts_.stats.document);
    if (facts_.internal.document) absent_from_internal(*facts_.internal.document);
    if (facts_.info.document) absent_from_info(*facts_.info.document);
    std::vector<CursorView> views;
    for (auto& [name, entry] : entries_) {
      if (entry.listed_ms > entry.missing_ms) views.push_back(std::move(entry.view));
    }
    return views;
  }

 private:
  struct Entry {
    CursorView view;
    TimeMs listed_ms = 0;    // newest document that has it
    TimeMs missing_ms = -1;  // newest document that could show it and does not
    bool durable_told = false;
  };

  CursorKind kind_of(const std::string& name) const {
    return model::kind_of_cursor(name, facts_.system, context_.cursor_names);
  }

  Entry& listed(const std::string& name, TimeMs at) {
    const auto [found, is_new] = entries_.try_emplace(name);
    auto& entry = found->second;
    if (is_new) {
      entry.view.name = name;
      entry.view.kind = kind_of(name);
    }
    entry.listed_ms = std::max(entry.listed_ms, at);
    return entry;
  }

  // Marks every known cursor that `shows` says a document of `at` could have shown, and which was not listed then.
  template <class Shows>
  void mark_missing(TimeMs at, Shows shows) {
    for (auto& [name, entry] : entries_) {
      if (shows(name, entry)) entry.missing_ms = std::max(entry.missing_ms, at);
    }
  }

  void from_sweep(const pulsar::SweepTopic& sweep) {
    const auto at = facts_.sweep.at_ms;
    for (const auto& subscription : sweep.subscriptions) {
      // One below its poll: a document of the same poll that lacks it is newer and wins.
      auto& view = listed(subscription.name, at - 1).view;
      if (!model::generated_reader_front(subscription.name).empty()) view.kind = CursorKind::kReader;
      view.consumers = subscription.consumers;
      if (view.consumers) view.consumers_at_ms = at;
      view.connected_since_ms = subscription.connected_ms;
      view.type = subscription.type;
      view.backlog_entries = subscription.backlog_entries;
      view.backlog_at_ms = at;
      view.acked_ranges = subscription.acked_ranges;
      view.unacked_messages = subscription.unacked_messages;
      view.blocked_on_unacked = subscription.blocked_on_unacked;
      view.rate_out = subscription.rate_out;
    }
    from_replicators(sweep.replicators, at, at - 1);
  }

  void from_replicators(const std::vector<pulsar::Replicator>& replicators, TimeMs at, TimeMs listed_at) {
    for (const auto& replicator : replicators) {
      auto& view = listed(context_.cursor_names.replicator_prefix + "." + replicator.cluster, listed_at).view;
      if (view.connected && at < facts_.sweep.at_ms) continue;
      view.connected = replicator.connected;
      view.backlog_entries = replicator.backlog_entries;
      view.backlog_at_ms = at;
    }
  }

  void from_stats(const pulsar::TopicStats& stats) {
    const auto at = facts_.stats.at_ms;
    for (const auto& subscription : stats.subscriptions) {
      auto& entry = listed(subscription.name, at);
      entry.durable_told = true;
      auto& view = entry.view;
      if (!subscription.durable) {
        view.kind = CursorKind::kReader;
      } else if (view.kind == CursorKind::kReader) {
        view.kind = kind_of(subscription.name);
      }
      if (at >= facts_.sweep.at_ms || !view.consumers) consumption(subscription, view);
      if (are_still_there(subscription, view)) list_consumers(subscription, view);
      view.delayed_entries = subscription.delayed_entries;
      view.messages_out = subscription.messages_out;
      view.active_consumer = subscription.active_consumer;
      view.replicated = subscription.replicated;
      view.flow_ms = subscription.flow_ms;
      view.mark_delete_advanced_ms = subscription.mark_delete_advanced_ms;
      view.expired_ms = subscription.expired_ms;
      view.expired_total = subscription.expired_total;
      view.earliest_publish_ms = subscription.earliest_publish_ms;
      view.stats_at_ms = at;
      view.properties = subscription.properties;
    }
    from_replicators(stats.replicators, at, at);
  }

  // The sweep says nothing of internal cursors, and what it lists may be a statistics period old. Where nothing else
  // was ever read there is nothing to be absent from.
  void absent_from_sweep(const pulsar::SweepTopic& sweep) {
    mark_missing(facts_.sweep.at_ms - context_.stats_period.count(), [&](const auto& name, const auto& entry) {
      return entry.view.kind == CursorKind::kSubscription && find_named(sweep.subscriptions, name) == nullptr;
    });
  }

  void absent_from_stats(const pulsar::TopicStats& stats) {
    mark_missing(facts_.stats.at_ms, [&](const auto& name, const auto& entry) {
      const bool shown = entry.view.kind == CursorKind::kSubscription || entry.view.kind == CursorKind::kReader ||
                         entry.view.kind == CursorKind::kCompaction;
      return shown && find_named(stats.subscriptions, name) == nullptr;
    });
  }

  void absent_from_internal(const pulsar::InternalStats& internal) {
    mark_missing(facts_.internal.at_ms,
                 [&](const auto& name, const auto&) { return find_named(internal.cursors, name) == nullptr; });
  }

  void absent_from_info(const pulsar::InternalInfo& info) {
    mark_missing(facts_.info.at_ms, [&](const auto& name, const auto& entry) {
      const bool unloaded_reader = entry.view.kind == CursorKind::kReader && loaded_ == Loaded::kNo;
      return (entry.view.kind != CursorKind::kReader || unloaded_reader) && find_named(info.cursors, name) == nullptr;
    });
  }

  void consumption(const pulsar::StatsSubscription& subscription, CursorView& view) const {
    view.consumers = static_cast<int>(subscription.consumers.size());
    view.consumers_at_ms = facts_.stats.at_ms;
    view.type = subscription.type;
    view.backlog_entries = subscription.backlog_entries;
    view.backlog_at_ms = facts_.stats.at_ms;
    view.unacked_messages = subscription.unacked_messages;
    view.blocked_on_unacked = subscription.blocked_on_unacked;
    view.rate_out = subscription.rate_out;
    view.connected_since_ms = connected_since(subscription);
  }

  void from_internal(const pulsar::InternalStats& internal) {
    const auto at = facts_.internal.at_ms;
    for (const auto& cursor : internal.cursors) {
      auto& entry = listed(cursor.name, at);
      auto& view = entry.view;
      const bool may_be_reader = !entry.durable_told && view.kind == CursorKind::kSubscription;
      if (may_be_reader && looks_non_durable(cursor)) view.kind = CursorKind::kReader;
      view.mark_delete = cursor.mark_delete;
      view.read_position = cursor.read_position;
      view.position_at_ms = at;
      view.doubted = facts_.doubted.contains(cursor.name);
      view.acked = cursor.acked;
      if (at >= facts_.sweep.at_ms) view.acked_ranges = cursor.acked_ranges;
      view.cursor_ledger = cursor.cursor_ledger.value_or(-1);
      view.cursor_ledger_last_entry = cursor.cursor_ledger_last_entry;
      view.cursor_state = cursor.state;
      view.ledger_switched_ms = cursor.ledger_switched_ms;
    }
  }

  void from_info(const pulsar::InternalInfo& info) {
    const auto at = facts_.info.at_ms;
    // Only durable cursors are stored: without a durable flag, what is stored is none, and what internalStats has and
    // this newer document lacks is a reader.
    for (auto& [name, entry] : entries_) {
      const bool newer = at >= facts_.internal.at_ms && facts_.internal.document;
      if (newer && !entry.durable_told && find_named(info.cursors, name) == nullptr)
        entry.view.kind = CursorKind::kReader;
    }
    for (const auto& cursor : info.cursors) {
      auto& entry = listed(cursor.name, at);
      auto& view = entry.view;
      if (!entry.durable_told && view.kind == CursorKind::kReader) view.kind = kind_of(cursor.name);
      view.created_ms = cursor.created_ms;
      view.modified_ms = cursor.modified_ms;
      stored_position(cursor, view);
    }
  }

  // internal-info is exact while no cursor ledger is named; otherwise its mark-delete is only a lower bound.
  void stored_position(const pulsar::InfoCursor& cursor, CursorView& view) const {
    const auto at = facts_.info.at_ms;
    const bool exact = cursor.cursor_ledger == -1;
    const bool read_from_broker = view.mark_delete.has_value();
    if (read_from_broker && (loaded_ != Loaded::kNo || at < facts_.internal.at_ms)) return;
    if (!exact && read_from_broker && !facts_.doubted.contains(cursor.name) && view.consumers.value_or(0) == 0) {
      // Unloaded uncleanly, but its last load showed where it stood with nobody connected.
      view.position_at_ms = std::max(view.position_at_ms, at);
      return;
    }
    view.mark_delete = cursor.mark_delete;
    view.position_at_ms = at;
    view.position_stale_by_rule = !exact;
    view.acked = cursor.acked;
    view.acked_ranges = cursor.acked_ranges;
    view.cursor_ledger = cursor.cursor_ledger;
    view.doubted = false;
  }

  const TopicFacts& facts_;
  Loaded loaded_;
  const AssembleContext& context_;
  std::map<std::string, Entry> entries_;
};

}  // namespace

std::vector<model::CursorView> merge_cursors(const TopicFacts& facts, Loaded loaded, const AssembleContext& context) {
  return Merge(facts, loaded, context).run();
}

}  // namespace tidemark::survey
