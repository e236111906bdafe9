// GET .../internalStats and internal-info: where cursors stand, in the broker's memory and in the metadata store.
#include "sim/documents.h"
#include "sim/java_json.h"
#include "sim/topic.h"
#include "sim/world.h"

namespace tidemark::sim {
namespace {

void write_cursor(JavaJson& json, const Topic& topic, const SimSubscription& subscription) {
  const auto& cursor = subscription.cursor;
  const auto& ledger = topic.ledger();
  const bool attached = !subscription.consumers.empty();
  const bool waiting = attached && cursor.read_index() >= ledger.end_index();
  const auto ranges = cursor.printed(ledger);
  std::string text = "[";
  for (const auto& range : ranges) {
    if (text.size() > 1) text += ',';
    text += '(' + to_string(range.after) + ".." + to_string(range.through) + ']';
  }
  text += ']';
  json.key(url_encode(subscription.name()));
  json.begin_object();
  json.member("markDeletePosition", to_string(cursor.mark_delete()));
  json.member("readPosition", to_string(ledger.read_position_at(std::max(cursor.read_index(), ledger.begin_index()))));
  json.member("waitingReadOp", waiting);
  json.member("pendingReadOps", 0);
  // The broker's default backlog is the difference of two counters, hence the negative ones after a load.
  json.member("messagesConsumedCounter", ledger.added_since_load() - cursor.backlog(ledger));
  json.member("cursorLedger", cursor.cursor_ledger());
  json.member("cursorLedgerLastEntry", cursor.cursor_ledger_last_entry());
  json.member("individuallyDeletedMessages", text);
  json.member("lastLedgerSwitchTimestamp", java_time(cursor.ledger_switched_ms()));
  json.member("state", cursor.open() ? "Open" : "NoLedger");
  json.member("active", attached);
  json.member("numberOfEntriesSinceFirstNotAckedMessage",
              std::max<std::int64_t>(cursor.read_index() - std::max(cursor.index(), ledger.begin_index()), 0) + 1);
  json.member("totalNonContiguousDeletedMessagesRange", static_cast<std::int64_t>(ranges.size()));
  json.member("subscriptionHavePendingRead", waiting);
  json.member("subscriptionHavePendingReplayRead", false);
  json.empty_object("properties");
  json.end_object();
}

void write_ledger(JavaJson& json, std::int64_t id, std::int64_t entries, std::int64_t bytes, bool offloaded = false) {
  json.begin_object();
  json.member("ledgerId", id);
  json.member("entries", entries);
  json.member("size", bytes);
  json.member("offloaded", offloaded);
  json.member("underReplicated", false);
  json.end_object();
}

void write_position(JavaJson& json, std::string_view name, const Position& position) {
  json.key(name);
  json.begin_object();
  json.member("ledgerId", position.ledger_id);
  json.member("entryId", position.entry_id);
  json.end_object();
}

void write_stored_cursor(JavaJson& json, const Cursor& cursor) {
  const auto& stored = cursor.stored();
  json.key(url_encode(cursor.name()));
  json.begin_object();
  json.member("version", stored.version);
  json.member("creationDate", java_time(stored.created_ms));
  json.member("modificationDate", java_time(stored.modified_ms));
  json.member("cursorsLedgerId", stored.cursors_ledger_id);
  write_position(json, "markDelete", stored.mark_delete);
  if (!stored.acked.empty()) {
    json.key("individualDeletedMessages");
    json.begin_array();
    for (const auto& range : stored.acked) {
      json.begin_object();
      write_position(json, "from", range.after);
      write_position(json, "to", range.through);
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_internal_info(JavaJson& json, const Topic& topic, TimeMs now) {
  const auto& ledger = topic.ledger();
  json.begin_object();
  json.member("version", ledger.version());
  json.member("creationDate", java_time(ledger.created_ms()));
  json.member("modificationDate", java_time(ledger.modified_ms()));
  json.key("ledgers");
  json.begin_array();
  for (const auto& one : ledger.ledgers()) {
    const bool last = &one == &ledger.last();
    json.begin_object();
    json.member("ledgerId", one.id);
    if (!last) {
      json.member("entries", one.entries);
      json.member("size", one.bytes);
    }
    // The last ledger, loaded or not, is said to close whenever one asks.
    json.member("timestamp", last ? now : one.closed_ms);
    json.member("isOffloaded", one.offloaded);
    json.end_object();
  }
  json.end_array();
  json.key("cursors");
  json.begin_object();
  for (const auto& one : topic.subscriptions()) {
    if (one->durable()) write_stored_cursor(json, one->cursor);
  }
  json.end_object();
  json.end_object();
}

}  // namespace

std::string internal_stats_document(const Topic& topic) {
  const auto& ledger = topic.ledger();
  std::int64_t waiting = 0;
  for (const auto& one : topic.subscriptions()) {
    if (!one->consumers.empty() && one->cursor.read_index() >= ledger.end_index()) ++waiting;
  }
  JavaJson json;
  json.begin_object();
  json.member("entriesAddedCounter", ledger.added_since_load());
  json.member("numberOfEntries", ledger.total_entries());
  json.member("totalSize", ledger.total_bytes());
  json.member("currentLedgerEntries", ledger.last().entries);
  json.member("currentLedgerSize", ledger.last().bytes);
  json.member("lastLedgerCreatedTimestamp", java_time(ledger.last().opened_ms));
  json.member("waitingCursorsCount", waiting);
  json.member("pendingAddEntriesCount", 0);
  json.member("lastConfirmedEntry", to_string(ledger.last_confirmed()));
  json.member("state", "LedgerOpened");
  json.key("ledgers");
  json.begin_array();
  for (const auto& one : ledger.ledgers()) {
    const bool last = &one == &ledger.last();
    write_ledger(json, one.id, last ? 0 : one.entries, last ? 0 : one.bytes, one.offloaded);
  }
  json.end_array();
  json.key("cursors");
  json.begin_object();
  for (const auto& one : topic.subscriptions()) write_cursor(json, topic, *one);
  json.end_object();
  json.empty_array("schemaLedgers");
  json.key("compactedLedger");
  write_ledger(json, -1, -1, -1);
  json.end_object();
  return json.take();
}

std::string internal_info_document(const Topic& topic, TimeMs now) {
  JavaJson json;
  write_internal_info(json, topic, now);
  return json.take();
}

std::string partitioned_internal_info_document(const World& world, const std::string& parent, TimeMs now) {
  JavaJson json;
  json.begin_object();
  json.member("version", 0);
  json.key("partitions");
  json.begin_object();
  const int partitions = world.partitioned().at(parent);
  for (int i = 0; i < partitions; ++i) {
    const auto* topic = world.find(parent + "-partition-" + std::to_string(i));
    if (topic == nullptr) continue;
    json.key(topic->name());
    write_internal_info(json, *topic, now);
  }
  json.end_object();
  json.end_object();
  return json.take();
}

}  // namespace tidemark::sim
