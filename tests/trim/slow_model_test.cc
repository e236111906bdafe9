// The arithmetic of lib/trim against a broker that is simulated slowly: entries are listed one by one, cursors are
// really removed and ledgers deleted one after the other. It shares nothing with what it checks.
#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "support/catch.h"
#include "trim/pins.h"
#include "trim/reclaim.h"
#include "trim/share.h"

using namespace tidemark;
using testing::share_of;

namespace {

constexpr std::int64_t kMb = 1048576;
constexpr TimeMs kNow = 3600000;

struct SlowLedger {
  std::int64_t id;
  std::int64_t entries;
  std::int64_t bytes;
  TimeMs closed;
};

struct SlowBroker {
  std::vector<SlowLedger> ledgers;
  std::vector<std::pair<std::int64_t, std::int64_t>> cursors;  // mark-delete: ledger, entry
  std::int64_t minutes = 0;
  std::int64_t megabytes = 0;
  bool two = false;      // of the 2.x kind
  bool goes_on = false;  // past a ledger that retention keeps
  bool unloaded = false;

  // The ledger that a cursor needs first: that of the first entry after its place, else the last one.
  std::int64_t needed_by(std::pair<std::int64_t, std::int64_t> cursor) const {
    for (const auto& ledger : ledgers) {
      if (two && ledger.id == cursor.first) return ledger.id;
    }
    for (const auto& ledger : ledgers) {
      for (std::int64_t entry = 0; entry < ledger.entries; ++entry) {
        if (std::pair{ledger.id, entry} > cursor) return ledger.id;
      }
    }
    return ledgers.back().id;
  }

  bool may_go(std::size_t at) const {
    if (minutes >= 0 && kNow - ledgers[at].closed > minutes * 60000) return true;
    if (megabytes < 0) return false;
    std::int64_t remains = 0;
    for (auto later = at + 1; later < ledgers.size(); ++later) remains += ledgers[later].bytes;
    return remains >= megabytes * kMb;
  }

  // What was the last ledger is closed, and an empty one follows.
  void load() {
    ledgers.back().closed = kNow - 1;
    ledgers.push_back({ledgers.back().id + 1, 0, 0, 0});
    for (auto& cursor : cursors) cursor = place_of(cursor);
    unloaded = false;
  }

  // Where a load puts a cursor: in front of the first entry after its place, in whatever ledger that is.
  std::pair<std::int64_t, std::int64_t> place_of(std::pair<std::int64_t, std::int64_t> cursor) const {
    for (const auto& ledger : ledgers) {
      for (std::int64_t entry = 0; entry < ledger.entries; ++entry) {
        if (std::pair{ledger.id, entry} > cursor) return {ledger.id, entry - 1};
      }
    }
    return {ledgers.back().id, -1};
  }

  // One pass of the broker's trimming; says how much it deleted.
  std::int64_t trim() {
    auto bound = ledgers.back().id;
    for (const auto& cursor : cursors) bound = std::min(bound, needed_by(cursor));
    std::int64_t deleted = 0;
    for (std::size_t at = 0; at + 1 < ledgers.size() && ledgers[at].id < bound;) {
      if (may_go(at)) {
        deleted += ledgers[at].bytes;
        ledgers.erase(ledgers.begin() + static_cast<std::ptrdiff_t>(at));
      } else if (goes_on) {
        ++at;
      } else {
        break;
      }
    }
    return deleted;
  }

  // After the broker has done what it would anyway: what goes once these are gone too.
  std::int64_t freed_without(const std::vector<std::size_t>& removed) const {
    auto broker = *this;
    if (unloaded) broker.load();
    // Which ledger a place needs does not change by deleting others before it, only how that is found.
    broker.trim();
    for (auto at = removed.rbegin(); at != removed.rend(); ++at) {
      broker.cursors.erase(broker.cursors.begin() + static_cast<std::ptrdiff_t>(*at));
    }
    return broker.trim();
  }
};

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::int64_t roll(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

SlowBroker random_broker(Dice& dice) {
  SlowBroker broker;
  broker.two = dice.roll(0, 1) == 1;
  broker.goes_on = dice.roll(0, 1) == 1;
  broker.unloaded = dice.roll(0, 2) == 0;
  broker.minutes = dice.roll(-1, 40);
  if (dice.roll(0, 2) == 0) broker.minutes = 0;
  broker.megabytes = dice.roll(-1, 4);
  const auto count = dice.roll(1, 8);
  const bool in_order = dice.roll(0, 3) > 0;
  std::int64_t id = dice.roll(0, 3);
  TimeMs closed = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto entries = dice.roll(i + 1 < count ? 1 : 0, 5);
    closed = in_order ? closed + dice.roll(1, 500000) : dice.roll(1, kNow - 1);
    closed = std::min(closed, kNow - 1);
    broker.ledgers.push_back({id, entries, entries == 0 ? 0 : dice.roll(entries, kMb * 3 / 2), closed});
    id += dice.roll(1, 3);
  }
  const auto cursors = dice.roll(1, 6);
  for (std::int64_t i = 0; i < cursors; ++i) {
    const auto& ledger = broker.ledgers[static_cast<std::size_t>(dice.roll(0, count - 1))];
    const bool elsewhere = dice.roll(0, 5) == 0;  // in a ledger that is gone
    broker.cursors.emplace_back(elsewhere ? dice.roll(-1, ledger.id) : ledger.id, dice.roll(-1, ledger.entries - 1));
  }
  return broker;
}

model::Ledgers ledgers_of(const SlowBroker& broker) {
  std::vector<model::Ledger> list;
  for (const auto& ledger : broker.ledgers) {
    list.push_back({ledger.id, ledger.entries, ledger.bytes, ledger.closed, false});
  }
  return model::Ledgers(std::move(list));
}

trim::Topic topic_of(const SlowBroker& broker, const model::Ledgers& ledgers) {
  trim::Topic topic{&ledgers, {}, model::Retention{broker.minutes, broker.megabytes}, kNow, {}};
  for (const auto& [ledger, entry] : broker.cursors) topic.durable.push_back({ledger, entry});
  topic.habits.boundary_pins = broker.two;
  topic.habits.skips_retained = broker.goes_on;
  topic.unloaded = broker.unloaded;
  return topic;
}

}  // namespace

TEST_CASE("what is called reclaimable is what a slow broker deletes") {
  Dice dice(20250117);
  std::int64_t freed_something = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto broker = random_broker(dice);
    const auto ledgers = ledgers_of(broker);
    const auto topic = topic_of(broker, ledgers);
    INFO("round " << round);
    auto asked = broker;
    if (asked.unloaded) asked.load();
    auto slowest = asked.ledgers.back().id;
    for (const auto& cursor : asked.cursors) slowest = std::min(slowest, asked.needed_by(cursor));
    for (std::size_t i = 0; i < asked.cursors.size(); ++i) {
      const auto needed = asked.needed_by(asked.cursors[i]);
      std::vector<std::size_t> group;
      for (std::size_t j = 0; j < asked.cursors.size(); ++j) {
        if (asked.needed_by(asked.cursors[j]) == needed) group.push_back(j);
      }
      const auto share = share_of(topic, i);
      const auto expected = needed == slowest ? broker.freed_without(group) : 0;
      REQUIRE(share.bytes == expected);
      if (needed == slowest) REQUIRE(share.shared_with.size() + 1 == group.size());
      freed_something += expected > 0 ? 1 : 0;
    }
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < broker.cursors.size(); ++i) {
      if (dice.roll(0, 1) == 1) some.push_back(i);
    }
    const auto freed = broker.freed_without(some);
    REQUIRE(trim::reclaimable_together(topic, some) == freed);
    // The same, told by those who stay.
    std::vector<std::size_t> all(broker.cursors.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    auto least = trim::reclaimable_together(topic, all);
    const auto behind = trim::freed_behind(topic, all);
    for (const auto i : all) {
      if (std::find(some.begin(), some.end(), i) == some.end()) least = std::min(least, behind[i]);
    }
    REQUIRE(least == freed);
  }
  CHECK(freed_something > 5000);  // else it would compare zeros
}

TEST_CASE("what is there without need is told apart completely") {
  Dice dice(20250118);
  for (int round = 0; round < 5000; ++round) {
    auto broker = random_broker(dice);
    const auto ledgers = ledgers_of(broker);
    const auto held = trim::unpinned(topic_of(broker, ledgers));
    if (broker.unloaded) broker.load();
    INFO("round " << round);
    std::int64_t used_up = 0;  // closed, and nobody has anything left to read in it or before
    for (std::size_t at = 0; at + 1 < broker.ledgers.size(); ++at) {
      const auto& ledger = broker.ledgers[at];
      const bool free = std::all_of(broker.cursors.begin(), broker.cursors.end(), [&](const auto& cursor) {
        auto plain = broker;
        plain.two = false;
        return plain.needed_by(cursor) > ledger.id;
      });
      if (free) used_up += ledger.bytes;
    }
    REQUIRE(held.retained + held.let_go + held.boundary == used_up);
    REQUIRE(held.let_go == broker.trim());
  }
}

TEST_CASE("pinned bytes, added entry by entry") {
  Dice dice(20250119);
  for (int round = 0; round < 5000; ++round) {
    const auto broker = random_broker(dice);
    const auto ledgers = ledgers_of(broker);
    for (const auto& cursor : broker.cursors) {
      std::int64_t entries = 0;
      std::int64_t bytes = 0;
      for (const auto& ledger : broker.ledgers) {
        std::int64_t behind = 0;
        for (std::int64_t entry = 0; entry < ledger.entries; ++entry) {
          if (std::pair{ledger.id, entry} > cursor) ++behind;
        }
        entries += behind;
        if (behind > 0) bytes += ledger.bytes - ledger.bytes / ledger.entries * (ledger.entries - behind);
      }
      const auto pin = trim::pinned(ledgers, {cursor.first, cursor.second});
      INFO("round " << round);
      REQUIRE(pin.entries == entries);
      REQUIRE(pin.bytes == bytes);
    }
  }
}
