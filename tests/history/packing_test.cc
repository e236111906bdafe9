// A memory that is packed after every poll must be the one that never was. Random documents tell all members apart; one
// that is missing in fields() is lost at the first packing.
#include <limits>
#include <map>
#include <random>

#include "history/age.h"
#include "history/history.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using history::CursorHistory;

namespace {

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

// The same without a History around it.
struct Unpacked {
  std::map<std::string, CursorHistory> cursors;
  history::TopicHistory whole;

  void observe(const model::TopicView& topic, TimeMs now, const history::Drains& drains) {
    whole.observe(topic, history::Tuning{}.lag_window);
    whole.seen_ms = now;
    for (const auto& cursor : topic.cursors) {
      if (cursor.kind == model::CursorKind::kReader) continue;
      auto& known = cursors[cursor.name];
      if (known.removed_ms) known = CursorHistory{};
      known.observe(topic, cursor, {}, now, drains);
      history::keep_bounds(known, topic, cursor);
    }
    for (auto& [name, known] : cursors) {
      if (known.seen_ms != now && !known.removed_ms) known.removed_ms = now;
    }
  }
};

// What judging adds.
void conclude(CursorHistory& history, TimeMs now, std::int64_t number) {
  history.judged = true;
  history.state = static_cast<model::State>(number % 9);
  history.severity = static_cast<model::Severity>(number % 3);
  history.drain = static_cast<model::Drain>(number % 3);
  history.state_since_ms = now - number;
  history.pin_bytes = number * 1000;
  history.pinned_bytes.add({now, number * 1000, 0}, Duration{kHour});
  history.compare_counter({now, number % 5 - 2, number, 0});
}

model::Snapshot snapshot_of(std::shared_ptr<const model::TopicView> topic, TimeMs now) {
  model::Snapshot snapshot;
  snapshot.at_ms = now;
  snapshot.namespaces["acme/shop"].policies_known = true;
  snapshot.namespaces["acme/shop"].ttl_seconds = 3600;
  snapshot.topics = {std::move(topic)};
  return snapshot;
}

}  // namespace

TEST_CASE("a memory that is packed at every poll is the one that never was") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Documents documents(seed);
    history::History history;
    Unpacked plain;
    for (int poll = 0; poll < 200; ++poll) {
      const auto now = kStart + poll * 10 * kMinute;
      const auto topic = documents.at(now);
      const auto snapshot = snapshot_of(topic, now);
      INFO("seed " << seed << " poll " << poll);
      plain.observe(*topic, now, history::Drains{3600, model::BacklogQuota{}});
      {
        history::History::Walk walk(history, snapshot);
        const auto seen = walk.observe(*topic);
        for (std::size_t i = 0; i < seen.cursors.size(); ++i) {
          if (seen.cursors[i] == nullptr) continue;
          conclude(*seen.cursors[i], now, poll);
          conclude(plain.cursors.at(topic->cursors[i].name), now, poll);
        }
      }
      REQUIRE(history.cursors() == plain.cursors.size());
      REQUIRE(history.topic(topic->name) == plain.whole);
      for (const auto& [name, known] : plain.cursors) {
        INFO(name);
        REQUIRE(history.find(topic->name, name) == known);
      }
    }
  }
}

TEST_CASE("any number can be remembered") {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  for (const auto number : {kLeast, kLeast + 1, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, kMost}) {
    CursorHistory history;
    history.position_ms = number;
    history.mark_delete = model::Position{number, -number - 1};
    history.activity = history::Interval{number, number / 2};
    history.pin_bytes = number;
    history.position_epoch = static_cast<std::uint64_t>(number);
    std::string bytes;
    history::Packer packer;
    packer.begin(kStart);
    history.fields(packer, kStart);
    packer.end(bytes);
    history::Unpacker unpacker(bytes);
    unpacker.begin(kStart);
    CursorHistory again;
    again.fields(unpacker, kStart);
    CHECK_FALSE(unpacker.failed());
    CHECK(unpacker.at_end());
    CHECK(again == history);
  }
}

TEST_CASE("bytes that nobody packed are refused, not read beyond") {
  CursorHistory history;
  history.mark_delete = model::Position{101, 19};
  for (int i = 0; i < 5; ++i) history.rhythm.add(kStart + i * kDay, Duration{kHour});
  std::string bytes;
  history::Packer packer;
  packer.begin(kStart);
  history.fields(packer, kStart);
  packer.end(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    history::Unpacker unpacker(std::string_view(bytes).substr(0, size));
    unpacker.begin(kStart);
    CursorHistory cut;
    cut.fields(unpacker, kStart);
    CHECK(unpacker.failed());
  }
  std::mt19937_64 dice(7);
  for (int round = 0; round < 20000; ++round) {
    auto damaged = bytes;
    damaged[dice() % damaged.size()] = static_cast<char>(dice());
    history::Unpacker unpacker(damaged);
    unpacker.begin(kStart);
    CursorHistory any;
    any.fields(unpacker, kStart);
    CHECK(any.state <= model::State::kOk);
  }
}
