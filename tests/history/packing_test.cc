// A memory that is packed after every poll must be the one that never was. Random documents tell all members apart; one
// that is missing in fields() is lost at the first packing.
#include <limits>
#include <map>
#include <random>

#include "history/age.h"
#include "history/documents.h"
#include "history/history.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using history::CursorHistory;

namespace {

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
    history.leftover = history::Leftover{number, {}, number, number / 2, number};
    history.contract = history::Contract{std::string(200, 'k'), "team-ä"};
    history.position_epoch = static_cast<std::uint64_t>(number);
    std::string bytes;
    history::Packer packer;
    packer.start(kStart);
    packer.begin();
    history.fields(packer, kStart);
    packer.end(bytes);
    history::Unpacker unpacker(bytes);
    unpacker.start(kStart);
    unpacker.begin();
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
  packer.start(kStart);
  packer.begin();
  history.fields(packer, kStart);
  packer.end(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    history::Unpacker unpacker(std::string_view(bytes).substr(0, size));
    unpacker.start(kStart);
    unpacker.begin();
    CursorHistory cut;
    cut.fields(unpacker, kStart);
    CHECK(unpacker.failed());
  }
  std::mt19937_64 dice(7);
  for (int round = 0; round < 20000; ++round) {
    auto damaged = bytes;
    damaged[dice() % damaged.size()] = static_cast<char>(dice());
    history::Unpacker unpacker(damaged);
    unpacker.start(kStart);
    unpacker.begin();
    CursorHistory any;
    any.fields(unpacker, kStart);
    CHECK(any.state <= model::State::kOk);
  }
}
