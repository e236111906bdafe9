#pragma once
// Random documents of one topic, poll after poll, which tell all members of the memory apart.

#include <map>
#include <memory>
#include <random>
#include <string>

#include "history/topics.h"

namespace tidemark::testing {

class Documents {
 public:
  explicit Documents(unsigned seed) : dice_(seed) {
    topic_ = OneCursor{}.topic;
    topic_.publishers = 0;
    topic_.messages_in = 0;
    topic_.internal_at_ms = kStart;
  }

  std::shared_ptr<const model::TopicView> at(TimeMs now) {
    if (one_in(20)) ++topic_.epoch;
    if (one_in(15)) topic_.loaded = one_in(2) ? model::Loaded::kNo : model::Loaded::kYes;
    topic_.messages_in = *topic_.messages_in + roll(0, 50);
    topic_.publishers = one_in(3) ? 1 : 0;
    topic_.total_bytes = topic_.total_bytes.value_or(0) + roll(0, 900);
    topic_.bytes_in = topic_.bytes_in.value_or(0) + roll(0, 900);
    topic_.sweep_at_ms = topic_.stats_at_ms = topic_.internal_at_ms = topic_.info_at_ms = topic_.absent_at_ms = now;
    auto list = topic_.ledgers.list();
    list.back().entries = *list.back().entries + roll(0, 30);
    if (one_in(10)) list.push_back({list.back().id + roll(1, 1000), 0, 0, {}, false});
    topic_.ledgers = model::Ledgers(list);
    auto view = std::make_shared<model::TopicView>(topic_);
    for (const auto* name : {"a", "b", "reader", "replicator", "z"}) {
      if (!one_in(12)) view->cursors.push_back(cursor(name, now));
    }
    return view;
  }

 private:
  std::int64_t roll(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(dice_);
  }
  bool one_in(int n) { return roll(1, n) == 1; }

  model::CursorView cursor(const std::string& name, TimeMs now) {
    auto& cursor = cursors_[name];
    cursor.name = name;
    if (name == "reader") cursor.kind = model::CursorKind::kReader;
    if (name == "replicator") cursor.kind = model::CursorKind::kReplicator;
    const auto& ledgers = topic_.ledgers.list();
    if (one_in(3) || !cursor.mark_delete) {
      cursor.mark_delete = model::Position{ledgers[dice_() % ledgers.size()].id, roll(-1, 120)};
      cursor.read_position = model::Position{cursor.mark_delete->ledger_id, roll(0, 200)};
    }
    if (!one_in(4)) cursor.position_at_ms = now;
    if (!one_in(4)) cursor.stats_at_ms = cursor.consumers_at_ms = cursor.backlog_at_ms = now;
    cursor.consumers = one_in(2) ? 0 : 1;
    cursor.connected = one_in(2);
    cursor.type = one_in(2) ? "None" : "Shared";
    cursor.cursor_state = one_in(2) ? "Open" : "NoLedger";
    cursor.cursor_ledger = roll(-1, 5);
    cursor.cursor_ledger_last_entry = roll(-1, 5);
    cursor.backlog_entries = roll(-3, 400);
    cursor.delayed_entries = roll(0, 2);
    cursor.messages_out = one_in(2) ? cursor.messages_out : roll(0, 1000);
    cursor.expired_total = roll(0, 10);
    cursor.earliest_publish_ms.reset();
    if (one_in(5)) cursor.earliest_publish_ms = now - roll(0, kDay);
    if (one_in(3)) cursor.flow_ms = now - roll(0, kDay);
    if (one_in(3)) cursor.mark_delete_advanced_ms = now - roll(0, kDay);
    if (one_in(9)) cursor.created_ms = now - roll(0, kDay);
    return cursor;
  }

  std::mt19937_64 dice_;
  model::TopicView topic_;
  std::map<std::string, model::CursorView> cursors_;
};

inline model::Snapshot snapshot_of(std::shared_ptr<const model::TopicView> topic, TimeMs now) {
  model::Snapshot snapshot;
  snapshot.at_ms = now;
  snapshot.namespaces["acme/shop"].policies_known = true;
  snapshot.namespaces["acme/shop"].ttl_seconds = 3600;
  snapshot.topics = {std::move(topic)};
  return snapshot;
}

}  // namespace tidemark::testing
