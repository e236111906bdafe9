// Series per cursor, topic, group and namespace.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "report/metric_families.h"

namespace tidemark::report {
namespace {

using formats::MetricKind;
using formats::MetricsWriter;

// One sample a chosen cursor of what `get` tells; nothing where it tells nothing.
template <auto get>
void of_cursors(MetricsWriter& out, const Prepared& part) {
  for (const auto& [cursor, labels] : part.cursors) {
    const std::optional<std::int64_t> figure = get(*cursor);
    out.sample(labels, figure);
  }
}

template <auto get>
void of_topics(MetricsWriter& out, const Prepared& part) {
  for (const auto& [topic, labels] : part.topics) out.sample(labels, get(*topic));
}

template <auto get>
void of_namespaces(MetricsWriter& out, const Prepared& part) {
  for (const auto& [ns, sum] : part.sums.namespaces) out.sample(part.namespaces.at(ns), get(sum));
}

// `since_ms` is the latest possible time. An age of 0 (caught up) says nothing of the activity, hence the smaller one.
void last_activity(MetricsWriter& out, const Prepared& part) {
  for (const auto& [cursor, labels] : part.cursors) {
    if (!cursor->since_ms) continue;
    const auto latest = *cursor->since_ms;
    if (cursor->age_high_ms) {
      const auto earliest = std::min(latest, part.verdicts->at_ms - *cursor->age_high_ms);
      out.sample(labels.with("bound", "earliest"), seconds(earliest));
    }
    out.sample(labels.with("bound", "latest"), seconds(latest));
  }
}

void state_since(MetricsWriter& out, const Prepared& part) {
  for (const auto& [cursor, labels] : part.cursors) {
    if (!cursor->state_since_ms) continue;
    out.sample(labels.with("state", model::name_of(counted_state(*cursor))), seconds(*cursor->state_since_ms));
  }
}

std::optional<std::int64_t> mark_delete_ledger(const model::CursorVerdict& cursor) {
  return cursor.mark_delete ? std::optional{cursor.mark_delete->ledger_id} : std::nullopt;
}

std::optional<std::int64_t> mark_delete_entry(const model::CursorVerdict& cursor) {
  return cursor.mark_delete ? std::optional{cursor.mark_delete->entry_id} : std::nullopt;
}

void group_reclaimable(MetricsWriter& out, const Prepared& part) {
  for (const auto& group : part.groups) out.sample(group.labels, group.sum->reclaimable_bytes);
}

// By group and whom to ask. Those of groups without series of their own count without the label, so sums are whole.
void group_subscriptions(MetricsWriter& out, const Prepared& part) {
  std::map<GroupKey, const formats::LabelSet*> chosen;
  for (const auto& group : part.groups) chosen[group.key] = &group.labels;
  std::map<std::tuple<GroupKey, std::string_view, model::State>, std::int64_t> counts;
  for (const auto& subscription : part.subscriptions) {
    const auto& worst = *subscription.worst;
    if (worst.kind != model::CursorKind::kSubscription || !is_leftover(subscription.state) || worst.exception) continue;
    GroupKey key{subscription.place.ns, worst.group};
    if (!chosen.contains(key)) key.second = {};
    ++counts[{key, worst.owner ? std::string_view(*worst.owner) : std::string_view{}, subscription.state}];
  }
  for (const auto& [of, count] : counts) {
    const auto& [key, owner, state] = of;
    auto labels = key.second.empty() ? part.namespaces.at(key.first) : *chosen.at(key);
    if (!owner.empty()) labels = labels.with("subscription_owner", owner);
    out.sample(labels.with("state", model::name_of(state)), count);
  }
}

void held(MetricsWriter& out, const Prepared& part) {
  for (const auto& [ns, causes] : part.verdicts->held_by_namespace) {
    const auto tenant = std::string_view(ns).substr(0, ns.find('/'));
    const auto labels = part.cluster.with("tenant", tenant).with("pulsar_namespace", ns);
    for (const auto& [cause, bytes] : causes) out.sample(labels.with("cause", cause), bytes);
  }
}

// Of the topics where a leftover was removed: what that of its first one and all since were to free, and did.
template <auto figure>
void of_removed(MetricsWriter& out, const Prepared& part) {
  std::map<std::string_view, std::int64_t> topics;
  for (const auto& removed : part.verdicts->removed) {
    if (const auto bytes = removed.*figure) topics[removed.topic] = std::max(topics[removed.topic], *bytes);
  }
  std::map<std::string_view, std::int64_t> namespaces;
  for (const auto& [topic, bytes] : topics) namespaces[place_of(topic).ns] += bytes;
  for (const auto& [ns, bytes] : namespaces) {
    out.sample(part.cluster.with("tenant", ns.substr(0, ns.find('/'))).with("pulsar_namespace", ns), bytes);
  }
}

std::optional<double> oldest_abandoned(const NamespaceSum& sum) {
  return sum.oldest_abandoned_ms ? std::optional{seconds(*sum.oldest_abandoned_ms)} : std::nullopt;
}

using Cursor = model::CursorVerdict;

constexpr std::array<MetricFamily, 18> kFamilies{{
    {"tidemark_cursor_last_activity_timestamp_seconds", MetricKind::kGauge,
     "When the cursor last moved or was used: the earliest and the latest time that the evidence allows.",
     last_activity},
    {"tidemark_cursor_state_since_timestamp_seconds", MetricKind::kGauge,
     "When the cursor's present state was first concluded.", state_since},
    {"tidemark_cursor_backlog_entries", MetricKind::kGauge, "Entries that the broker counts as the cursor's backlog.",
     of_cursors<[](const Cursor& cursor) { return cursor.backlog_entries; }>},
    {"tidemark_cursor_pinned_bytes", MetricKind::kGauge,
     "Logical bytes after the cursor's mark-delete: what it holds on to, alone or with others.",
     of_cursors<[](const Cursor& cursor) { return cursor.pinned_bytes; }>},
    {"tidemark_cursor_reclaimable_bytes", MetricKind::kGauge,
     "Logical bytes that the broker would delete if this cursor alone were removed; tied cursors share the figure.",
     of_cursors<[](const Cursor& cursor) { return cursor.reclaimable_bytes; }>},
    {"tidemark_cursor_mark_delete_ledger_id", MetricKind::kGauge, "Ledger of the cursor's mark-delete position.",
     of_cursors<mark_delete_ledger>},
    {"tidemark_cursor_mark_delete_entry_id", MetricKind::kGauge,
     "Entry of the cursor's mark-delete position; -1 is before the first.", of_cursors<mark_delete_entry>},
    {"tidemark_topic_reclaimable_bytes", MetricKind::kGauge,
     "Logical bytes that the broker would delete if all abandoned and unused subscriptions of the topic were removed.",
     of_topics<[](const TopicSum& topic) { return topic.reclaimable_bytes; }>},
    {"tidemark_topic_subscriptions", MetricKind::kGauge, "Durable subscriptions of a topic with findings.",
     of_topics<[](const TopicSum& topic) { return static_cast<std::int64_t>(topic.subscriptions); }>},
    {"tidemark_group_reclaimable_bytes", MetricKind::kGauge,
     "Logical bytes that the broker would delete, at least, if all leftovers of the group were removed.",
     group_reclaimable},
    {"tidemark_group_subscriptions", MetricKind::kGauge,
     "Abandoned and unused subscriptions of a group by owner, over all partitions of a topic counted once, silenced "
     "ones left out.",
     group_subscriptions},
    {"tidemark_namespace_pinned_bytes", MetricKind::kGauge,
     "Logical bytes that cursors of the namespace hold on to, each topic counted once.",
     of_namespaces<[](const NamespaceSum& sum) { return sum.pinned_bytes; }>},
    {"tidemark_namespace_reclaimable_bytes", MetricKind::kGauge,
     "Logical bytes that removing all abandoned and unused subscriptions of the namespace would free.",
     of_namespaces<[](const NamespaceSum& sum) { return sum.reclaimable_bytes; }>},
    {"tidemark_namespace_held_bytes", MetricKind::kGauge,
     "Logical bytes that no durable cursor pins and that are still there, by what keeps them.", held},
    {"tidemark_namespace_removed_reclaimable_bytes", MetricKind::kGauge,
     "Logical bytes that the removal of exactly those leftovers was to free which were removed within a day.",
     of_removed<&model::RemovedCursor::removed_reclaimable_bytes>},
    {"tidemark_namespace_removed_freed_bytes", MetricKind::kGauge,
     "Logical bytes that went from those topics since, as far as leftovers alone kept them.",
     of_removed<&model::RemovedCursor::freed_bytes>},
    {"tidemark_namespace_removed_freed_open_bytes", MetricKind::kGauge,
     "Of what went: the open ledgers of topics that went as a whole, which no removal of subscriptions alone frees.",
     of_removed<&model::RemovedCursor::freed_open_bytes>},
    {"tidemark_oldest_abandoned_timestamp_seconds", MetricKind::kGauge,
     "Last activity of the namespace's longest abandoned subscription, at the latest.",
     of_namespaces<oldest_abandoned>},
}};

}  // namespace

std::span<const MetricFamily> cursor_families() { return kFamilies; }

}  // namespace tidemark::report
