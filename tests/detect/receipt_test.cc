// The receipt of a clean-up, whole or in part, at once or one after the other: what the removal of exactly those that
// went was to free, beside what did go.
#include <optional>
#include <vector>

#include "detect/judge.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::State;

namespace {

constexpr TimeMs kBegin = kStart + 20 * kDay;

// Three leftovers, `slow` in ledger 101, `middle` in 102 and `ahead` in 103, each of 1000 bytes; 104 is open.
struct CleanUp {
  detect::Limits limits;
  OneCursor seen;
  std::vector<model::CursorView> cursors;
  history::History history;
  TimeMs now = kBegin;

  CleanUp() {
    seen.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false},
                                         {102, 100, 1000, {}, false},
                                         {103, 100, 1000, {}, false},
                                         {104, 50, 500, {}, false}}};
    add("ahead", {103, 19});
    add("middle", {102, 19});
    add("slow", {101, 19});
    const auto verdicts = judge();
    for (const auto& cursor : verdicts.cursors) REQUIRE(cursor.state == State::kAbandoned);
    REQUIRE(verdicts.cursors.at(0).topic_reclaimable_bytes == 3000);
  }

  void add(const std::string& name, model::Position position) {
    auto cursor = seen.at(now, position).cursor;
    cursor.name = name;
    cursor.flow_ms = kStart;
    cursors.push_back(cursor);
  }

  void remove(const std::string& name) {
    std::erase_if(cursors, [&](const auto& cursor) { return cursor.name == name; });
  }

  // In the documents of the next poll; only once each.
  void trim(std::int64_t ledger) {
    auto list = seen.topic.ledgers.list();
    seen.topic.gone.clear();
    std::erase_if(list, [&](const auto& one) {
      if (one.id > ledger) return false;
      seen.topic.gone.push_back(one);
      return true;
    });
    seen.topic.ledgers = model::Ledgers(list);
  }

  model::Verdicts judge(bool listed = true) {
    model::Snapshot snapshot;
    snapshot.at_ms = now;
    snapshot.version = "4.0.7";
    auto& ns = snapshot.namespaces["acme/shop"];
    ns.policies_known = true;
    ns.retention = model::Retention{0, 0};
    ns.ttl_seconds = 0;
    for (auto& cursor : cursors) {
      cursor.position_at_ms = cursor.consumers_at_ms = cursor.stats_at_ms = cursor.backlog_at_ms = now;
    }
    auto topic = std::make_shared<model::TopicView>(seen.topic);
    topic->sweep_at_ms = topic->internal_at_ms = now;
    topic->cursors = cursors;
    if (listed) snapshot.topics = {topic};
    seen.topic.gone.clear();
    now += kMinute;
    const auto patterns = detect::Patterns::compile(limits);
    REQUIRE(patterns.has_value());
    return detect::judge(snapshot, history, *patterns, limits);
  }
};

const model::RemovedCursor& receipt_of(const model::Verdicts& verdicts, const std::string& cursor) {
  for (const auto& removed : verdicts.removed) {
    if (removed.cursor == cursor) return removed;
  }
  throw std::runtime_error("no receipt of " + cursor);
}

void check(const model::Verdicts& verdicts, const std::string& cursor, std::int64_t due, std::int64_t freed) {
  INFO(cursor);
  const auto& receipt = receipt_of(verdicts, cursor);
  CHECK(receipt.removed_reclaimable_bytes == due);
  CHECK(receipt.freed_bytes == freed);
  CHECK(receipt.freed_open_bytes == 0);
}

}  // namespace

TEST_CASE("a part of the leftovers was to free what the slowest that stays does not need") {
  CleanUp bench;
  SECTION("the slowest") {
    bench.remove("slow");
    const auto verdicts = bench.judge();
    check(verdicts, "slow", 1000, 0);
    CHECK(receipt_of(verdicts, "slow").topic_reclaimable_bytes == 3000);
    bench.trim(101);
    check(bench.judge(), "slow", 1000, 1000);
  }
  SECTION("two") {
    bench.remove("slow");
    bench.remove("middle");
    bench.trim(102);  // before we looked again
    const auto verdicts = bench.judge();
    check(verdicts, "slow", 2000, 2000);
    check(verdicts, "middle", 2000, 2000);
  }
  SECTION("those ahead of one that stays") {
    bench.remove("middle");
    bench.remove("ahead");
    const auto verdicts = bench.judge();
    check(verdicts, "middle", 0, 0);
    check(verdicts, "ahead", 0, 0);
    bench.remove("slow");
    check(bench.judge(), "slow", 3000, 0);
    bench.trim(103);
    const auto after = bench.judge();
    check(after, "slow", 3000, 3000);
    check(after, "middle", 3000, 3000);
  }
}

TEST_CASE("removed one after the other, each receipt begins with its own") {
  CleanUp bench;
  bench.remove("slow");
  const bool trimmed_at_once = GENERATE(true, false);
  if (trimmed_at_once) bench.trim(101);
  check(bench.judge(), "slow", 1000, trimmed_at_once ? 1000 : 0);
  bench.remove("middle");
  auto verdicts = bench.judge();
  check(verdicts, "slow", 2000, trimmed_at_once ? 1000 : 0);
  check(verdicts, "middle", 1000, 0);
  bench.trim(101);  // what the first one still was to free
  check(bench.judge(), "middle", 1000, 0);
  bench.trim(102);
  verdicts = bench.judge();
  check(verdicts, "slow", 2000, 2000);
  check(verdicts, "middle", 1000, 1000);
}

TEST_CASE("one that is used again is no leftover any more") {
  CleanUp bench;
  bench.cursors.at(1).consumers = 1;
  CHECK(bench.judge().cursors.at(0).topic_reclaimable_bytes == 1000);
  bench.remove("slow");
  bench.remove("ahead");
  check(bench.judge(), "slow", 1000, 0);
  bench.remove("middle");
  const auto verdicts = bench.judge();
  CHECK(verdicts.removed.size() == 2);
}

TEST_CASE("what a removal frees stays empty where it cannot be told") {
  CleanUp bench;
  auto list = bench.seen.topic.ledgers.list();
  for (auto& ledger : list) ledger.bytes.reset();
  bench.seen.topic.ledgers = model::Ledgers(list);
  bench.judge();
  bench.remove("slow");
  CHECK_FALSE(receipt_of(bench.judge(), "slow").removed_reclaimable_bytes);
}

TEST_CASE("a topic that goes as a whole gives its open ledger too, which is told apart") {
  CleanUp bench;
  SECTION("with its last subscription") { bench.cursors.clear(); }
  SECTION("after it") {
    bench.cursors.clear();
    check(bench.judge(), "slow", 3000, 0);
    bench.trim(101);
    check(bench.judge(), "slow", 3000, 1000);
  }
  SECTION("with a new last ledger, which is small") {
    bench.cursors.clear();
    bench.seen.topic.ledgers =
        model::Ledgers{{{103, 100, 1000, {}, false}, {104, 50, 500, {}, false}, {105, 1, 10, {}, false}}};
    bench.seen.topic.gone = {{101, 100, 1000, {}, false}, {102, 100, 1000, {}, false}};
    bench.judge();
    const auto verdicts = bench.judge(false);
    const auto& receipt = receipt_of(verdicts, "slow");
    CHECK(receipt.freed_bytes == 3510);
    CHECK(receipt.freed_open_bytes == 10);
    return;
  }
  for (int poll = 0; poll < 2; ++poll) {
    const auto verdicts = bench.judge(false);
    CHECK(verdicts.removed.size() == 3);
    for (const auto* name : {"slow", "middle", "ahead"}) {
      const auto& receipt = receipt_of(verdicts, name);
      CHECK(receipt.removed_reclaimable_bytes == 3000);
      CHECK(receipt.freed_bytes == 3500);
      CHECK(receipt.freed_open_bytes == 500);
    }
  }
}

TEST_CASE("an unloaded topic has no open ledger: the removal loads it, which closes the last one") {
  CleanUp bench;
  bench.seen.topic.loaded = model::Loaded::kNo;
  bench.judge();
  const auto verdicts = bench.judge(false);
  CHECK(receipt_of(verdicts, "slow").freed_open_bytes == 0);
}

TEST_CASE("a name that is made anew keeps the receipt of the one before") {
  CleanUp bench;
  bench.remove("slow");
  bench.judge();
  for (int time = 0; time < 3; ++time) {
    bench.add("slow", {104, 49});
    bench.cursors.back().flow_ms.reset();
    bench.trim(101);
    const auto verdicts = bench.judge();
    CHECK(verdicts.removed.size() == 1);
    check(verdicts, "slow", 1000, 1000);
    CHECK(verdicts.cursors.at(2).state != State::kAbandoned);
    bench.remove("slow");
    bench.judge();
  }
}

TEST_CASE("a leftover that an exception silenced has a receipt too") {
  CleanUp bench;
  bench.limits.exceptions = {{" \\[slow\\]$", {"read once a year", {}}}};
  bench.judge();
  SECTION("alone") {
    bench.remove("slow");
    bench.trim(101);
    check(bench.judge(), "slow", 1000, 1000);
  }
  SECTION("that stays, the others free nothing") {
    bench.remove("middle");
    check(bench.judge(), "middle", 0, 0);
  }
}
