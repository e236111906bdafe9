#include "survey/topic_facts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "survey/known_ledgers.h"
#include "survey/named.h"

namespace tidemark::survey {
namespace {

constexpr Duration kFollowed{24LL * 3600000};  // what a removal frees is asked for as it goes

// Somebody came or went, something was acknowledged, or more waits than was published (a seek). With the same consumers
// at work acknowledging is everyday life, and only a seek is worth a question, and after it how it goes on
// (`attentive`).
bool moved(const pulsar::SweepSubscription& before, const pulsar::SweepSubscription& now, std::int64_t published,
           bool attentive) {
  if (before.consumers != now.consumers || before.type != now.type) return true;
  if (now.backlog_entries > before.backlog_entries + published) return true;
  const bool acknowledged = before.acked_ranges != now.acked_ranges || now.backlog_entries < before.backlog_entries;
  return acknowledged && (now.consumers == 0 || attentive);
}

bool worth_asking(const pulsar::SweepTopic& before, const pulsar::SweepTopic& now, bool attentive) {
  if (before.subscriptions.size() != now.subscriptions.size()) return true;
  const auto published = std::max<std::int64_t>(0, now.messages_in - before.messages_in);
  return std::any_of(now.subscriptions.begin(), now.subscriptions.end(), [&](const auto& subscription) {
    const auto* old = find_named(before.subscriptions, subscription.name);
    return old == nullptr || moved(*old, subscription, published, attentive);
  });
}

void note_fallen(const pulsar::SweepTopic& before, const pulsar::SweepTopic& now, std::set<std::string>& fallen) {
  for (const auto& subscription : now.subscriptions) {
    const auto* old = find_named(before.subscriptions, subscription.name);
    const bool fell = old != nullptr && subscription.backlog_entries < old->backlog_entries;
    if (fell && subscription.consumers == 0) fallen.insert(subscription.name);
  }
}

// Somebody cleans up: a reader goes together with its consumer.
bool lost_a_leftover(const pulsar::SweepTopic& before, const pulsar::SweepTopic& now) {
  return std::any_of(before.subscriptions.begin(), before.subscriptions.end(), [&](const auto& subscription) {
    return subscription.consumers == 0 && find_named(now.subscriptions, subscription.name) == nullptr;
  });
}

std::map<std::string, Standing> still_standing(const std::map<std::string, Standing>& before,
                                               const pulsar::SweepTopic& now, TimeMs at) {
  std::map<std::string, Standing> kept;
  for (const auto& subscription : now.subscriptions) {
    if (subscription.consumers.value_or(0) == 0 || subscription.backlog_entries <= 0) continue;
    const auto old = before.find(subscription.name);
    const bool stands = old != before.end() && subscription.backlog_entries >= old->second.backlog;
    kept[subscription.name] = stands ? old->second : Standing{at, subscription.backlog_entries};
  }
  return kept;
}

// The lowest step of any cursor between two documents: below 0 = one went back, 0 = all stand. By ids alone, which is
// enough to decide whether to ask again.
int lowest_step(const pulsar::InternalStats& before, const pulsar::InternalStats& now) {
  int lowest = 1;
  for (const auto& cursor : now.cursors) {
    const auto* old = find_named(before.cursors, cursor.name);
    if (old == nullptr || !old->mark_delete || !cursor.mark_delete) continue;
    const auto order = *cursor.mark_delete <=> *old->mark_delete;
    lowest = std::min(lowest, order < 0 ? -1 : (order > 0 ? 1 : 0));
  }
  return lowest;
}

// A cursor object made anew at its old place: the topic was loaded again.
bool cursors_were_remade(const pulsar::InternalStats& before, const pulsar::InternalStats& now) {
  for (const auto& cursor : now.cursors) {
    const auto* old = find_named(before.cursors, cursor.name);
    if (old != nullptr && old->mark_delete == cursor.mark_delete && old->ledger_switched_ms &&
        cursor.ledger_switched_ms && *cursor.ledger_switched_ms > *old->ledger_switched_ms) {
      return true;
    }
  }
  return false;
}

bool all_made_after(const pulsar::InternalStats& document, TimeMs at) {
  return !document.cursors.empty() &&
         std::all_of(document.cursors.begin(), document.cursors.end(),
                     [at](const auto& cursor) { return cursor.ledger_switched_ms.value_or(0) > at; });
}

}  // namespace

void TopicFacts::count_load(TimeMs before, TimeMs at) {
  if (load_counted_ms_ > before) return;
  ++epoch;
  load_counted_ms_ = at;
}

bool TopicFacts::delays() const {
  if (!stats.document) return former_delays;
  const auto& all = stats.document->subscriptions;
  return std::any_of(all.begin(), all.end(), [](const auto& one) { return one.delayed_entries > 0; });
}

bool TopicFacts::take_sweep(pulsar::SweepTopic document, const std::string& broker, TimeMs at, Duration age) {
  bool ask = false;
  sort_by_name(document.subscriptions);
  if (sweep.document) {
    const bool reloaded =
        document.bytes_in < sweep.document->bytes_in || document.messages_in < sweep.document->messages_in;
    if (reloaded) count_load(sweep.at_ms - age.count(), at);
    if (lost_a_leftover(*sweep.document, document)) lost_ms = at;
    const bool gave_way =
        lost_ms != 0 && at - lost_ms < kFollowed.count() && document.storage_bytes < sweep.document->storage_bytes;
    // On a healthy topic that was never read there is no earlier position to compare with.
    ask = internal.document && (reloaded || gave_way || worth_asking(*sweep.document, document, rewound));
    // Positions of the same poll are newer than its sweep, whichever came first.
    if (internal.at_ms < at) note_fallen(*sweep.document, document, doubted);
    std::erase_if(doubted, [&](const auto& one) { return find_named(document.subscriptions, one) == nullptr; });
  }
  if (!sweep.document && document.messages_in < former_messages_in) count_load(0, at);
  std::erase_if(former_cursors, [&](const auto& one) { return find_named(document.subscriptions, one) != nullptr; });
  standing = still_standing(standing, document, at);
  unknown_since_ms = unknown_ms = 0;
  if (owner != broker) former = std::exchange(owner, broker);
  missing_since_ms.reset();
  sweep = {std::make_shared<const pulsar::SweepTopic>(std::move(document)), at};
  view.reset();
  return ask;
}

void TopicFacts::take_name(const std::string& broker, TimeMs at) {
  if (missing_since_ms) elsewhere_since_ms = at;
  elsewhere_ms = at;
  owner = broker;
  missing_since_ms.reset();
}

void TopicFacts::take_stats(pulsar::TopicStats document, TimeMs at) {
  sort_by_name(document.subscriptions);
  if (stats.document &&
      (document.bytes_in < stats.document->bytes_in || document.messages_in < stats.document->messages_in)) {
    count_load(stats.at_ms, at);
  }
  stats = {std::make_shared<const pulsar::TopicStats>(std::move(document)), at};
  view.reset();
}

namespace {

// Metadata of the same poll may come before or after.
model::Ledgers ledgers_before(const TopicFacts& facts, TimeMs at) {
  const bool by_metadata = facts.info.at_ms < at && facts.info.at_ms >= facts.internal.at_ms;
  return known_ledgers(facts, by_metadata ? model::Loaded::kNo : model::Loaded::kYes);
}

std::vector<model::Ledger> gone_since(const model::Ledgers& before, const std::vector<model::Ledger>& now) {
  std::vector<std::int64_t> listed;
  listed.reserve(now.size());
  for (const auto& ledger : now) listed.push_back(ledger.id);
  std::sort(listed.begin(), listed.end());
  std::vector<model::Ledger> gone;
  std::copy_if(before.list().begin(), before.list().end(), std::back_inserter(gone),
               [&](const auto& ledger) { return !std::binary_search(listed.begin(), listed.end(), ledger.id); });
  return gone;
}

}  // namespace

void TopicFacts::take_internal(pulsar::InternalStats document, TimeMs at) {
  sort_by_name(document.cursors);
  if (internal.document && (document.entries_added < internal.document->entries_added ||
                            cursors_were_remade(*internal.document, document))) {
    count_load(internal.at_ms, at);
  }
  if (!internal.document && former_ms != 0 && all_made_after(document, former_ms)) count_load(0, at);
  if (internal.document) {
    const auto step = lowest_step(*internal.document, document);
    if (step != 0) rewound = step < 0;
  }
  gone = gone_since(ledgers_before(*this, at), document.ledgers);
  internal = {std::make_shared<const pulsar::InternalStats>(std::move(document)), at};
  former_cursors.clear();
  doubted.clear();
  view.reset();
}

void TopicFacts::take_info(pulsar::InternalInfo document, TimeMs at) {
  sort_by_name(document.cursors);
  info = {std::make_shared<const pulsar::InternalInfo>(std::move(document)), at};
  unknown_since_ms = unknown_ms = 0;
  former_cursors.clear();
  view.reset();
}

}  // namespace tidemark::survey
