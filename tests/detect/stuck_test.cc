#include "detect/bench.h"
#include "detect/disks.h"
#include "detect/rules/topic_bench.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

model::Fact fact(const model::CursorVerdict& verdict, const std::string& name) {
  const auto& all = verdict.evidence;
  const auto at = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.first == name; });
  return at == all.end() ? model::Fact{} : at->second;
}

// A consumer that asks for more, entries it has not been sent, and nothing sent.
Bench unsent() {
  Bench bench;
  auto& cursor = bench.seen.cursor;
  cursor.type = "Exclusive";
  cursor.consumer_list = {{"c-1", 1000, 0, false}};
  cursor.read_position = model::Position{101, 20};
  cursor.messages_out = 20;
  cursor.backlog_entries = 230;
  bench.seen.topic.last_confirmed = model::Position{103, 49};
  bench.seen.topic.messages_in = 1000;
  return bench;
}

Bench internal(model::CursorKind kind) {
  Bench bench;
  bench.seen.cursor.kind = kind;
  return bench;
}

}  // namespace

TEST_CASE("a hole that stands for a while, with somebody there or not needed") {
  Bench bench;
  bench.seen.cursor.acked = {{{101, 29}, {101, 99}}};
  bench.seen.cursor.consumer_list = {{"c-1", 100, 3, false}, {"c-2", 100, 9, false}};
  CHECK(bench.state(kStart, {101, 19}, 2) == State::kOk);
  const auto verdicts = bench.poll(kStart + 30 * kMinute, {101, 19}, 2);
  const auto& cursor = verdicts.cursors.at(0);
  CHECK(cursor.state == State::kAckHole);
  REQUIRE(cursor.hole.has_value());
  CHECK(cursor.hole->entries == 10);
  CHECK(cursor.hole->acked_entries_behind == 70);
  CHECK(cursor.hole->holder == "c-2");
  CHECK(cursor.age_low_ms == 30 * kMinute);
  CHECK(has_finding(verdicts, "ack_hole"));

  SECTION("it moves") { CHECK(bench.state(kStart + 31 * kMinute, {101, 20}, 2) == State::kOk); }
  SECTION("delayed messages account for it") {
    bench.seen.cursor.delayed_entries = 10;
    bench.seen.cursor.backlog_entries = 160;
    bench.seen.cursor.type = "Shared";
    CHECK(bench.state(kStart + 31 * kMinute, {101, 19}, 2) == State::kOk);
  }
  SECTION("an open transaction may") {
    bench.seen.topic.open_transactions = 1;
    CHECK(bench.state(kStart + 31 * kMinute, {101, 19}, 2) == State::kOk);
  }
  SECTION("a replicator's counts as well") {
    bench.seen.cursor.kind = model::CursorKind::kReplicator;
    CHECK(bench.state(kStart + 31 * kMinute, {101, 19}, 0) == State::kAckHole);
  }
}

TEST_CASE("consumers that hold messages and get no more") {
  Bench bench;
  bench.seen.cursor.type = "Shared";
  bench.seen.cursor.unacked_messages = 50;
  bench.poll(kStart, {101, 19}, 2);
  const auto later = [&] { return bench.state(kStart + 30 * kMinute, {101, 19}, 2); };
  SECTION("the subscription is blocked") {
    bench.seen.cursor.blocked_on_unacked = true;
    CHECK(later() == State::kUnackedBlocked);
  }
  SECTION("a flag with nothing unacknowledged is a false one") {
    bench.seen.cursor.blocked_on_unacked = true;
    bench.seen.cursor.unacked_messages = 0;
    CHECK(later() == State::kOk);
  }
  SECTION("every consumer is, by its own limit") {
    bench.seen.cursor.consumer_list = {{"a", 980, 25, true}, {"b", 0, 25, false}};
    CHECK(later() == State::kUnackedBlocked);
  }
  SECTION("one of two is, and the other works") {
    bench.seen.cursor.consumer_list = {{"a", 980, 25, true}, {"b", 900, 0, false}};
    CHECK(later() == State::kOk);
    bench.seen.cursor.type = "Key_Shared";
    const auto verdicts = bench.poll(kStart + 31 * kMinute, {101, 19}, 2);
    CHECK(verdicts.cursors.at(0).state == State::kUnackedBlocked);
    CHECK(fact(verdicts.cursors.at(0), "holder") == model::Fact{std::string("a")});
    // A consumer need not have a name.
    bench.seen.cursor.consumer_list.at(0).name.clear();
    CHECK(fact(bench.poll(kStart + 32 * kMinute, {101, 19}, 2).cursors.at(0), "holder") == model::Fact{nullptr});
  }
}

TEST_CASE("a dispatcher that sends nothing to those who ask") {
  auto bench = unsent();
  auto& cursor = bench.seen.cursor;
  CHECK(bench.state(kStart, {101, 19}, 1) == State::kOk);
  bench.seen.topic.messages_in = 1'000'000;  // what waits is nothing beside what comes: no lag
  const auto later = [&] { return bench.poll(kStart + 30 * kMinute, {101, 19}, 1).cursors.at(0); };
  SECTION("for stuck_after, and no sooner") {
    CHECK(bench.state(kStart + 29 * kMinute, {101, 19}, 1) == State::kOk);
    const auto verdict = later();
    CHECK(verdict.state == State::kStalled);
    CHECK(fact(verdict, "false_block") == model::Fact{false});
    CHECK(verdict.age_low_ms == 30 * kMinute);
  }
  SECTION("a block flag with nothing unacknowledged is named as false") {
    cursor.blocked_on_unacked = true;
    CHECK(fact(later(), "false_block") == model::Fact{true});
  }
  SECTION("a consumer's flag too") {
    cursor.consumer_list = {{"c-1", 1000, 0, true}};
    CHECK(fact(later(), "false_block") == model::Fact{true});
  }
  SECTION("it sent something") {
    cursor.messages_out = 21;
    CHECK(later().state == State::kOk);
  }
  SECTION("it read on") {
    cursor.read_position = model::Position{101, 21};
    CHECK(later().state == State::kOk);
  }
  SECTION("nothing is left to send") {
    cursor.read_position = model::Position{103, 50};
    CHECK(later().state == State::kOk);
  }
  SECTION("what is left is delayed") {
    cursor.delayed_entries = 230;
    CHECK(later().state == State::kDelayed);
  }
  SECTION("nobody asks") {
    cursor.consumer_list = {{"c-1", 0, 0, false}};
    CHECK(later().state == State::kOk);
  }
  SECTION("only a standby asks") {
    cursor.type = "Failover";
    cursor.active_consumer = "c-2";
    cursor.consumer_list = {{"c-1", 1000, 0, false}, {"c-2", 0, 0, false}};
    CHECK(later().state == State::kOk);
    cursor.active_consumer = "";
    CHECK(bench.state(kStart + 31 * kMinute, {101, 19}, 1) == State::kOk);
  }
  SECTION("an open transaction caps what may be read") {
    bench.seen.topic.open_transactions = 1;
    CHECK(later().state == State::kOk);
  }
  SECTION("a load starts it anew") {
    ++bench.seen.topic.epoch;
    CHECK(later().state == State::kOk);
  }
  SECTION("a finding outlives the documents it was made from, and clears with what speaks against it") {
    REQUIRE(later().state == State::kStalled);
    cursor.consumers_at_ms = cursor.backlog_at_ms = kStart + 50 * kMinute;
    const auto kept = bench.poll(kStart + 50 * kMinute, {101, 19}, 1, false).cursors.at(0);
    CHECK(kept.state == State::kUnknown);
    CHECK(kept.last_state == State::kStalled);
    CHECK(kept.age_low_ms == 50 * kMinute);  // of its place, though a consumer was just seen
    cursor.consumers_at_ms = cursor.backlog_at_ms = kStart + 51 * kMinute;
    cursor.backlog_entries = 0;
    CHECK(bench.poll(kStart + 51 * kMinute, {101, 19}, 1, false).cursors.at(0).state == State::kOk);
  }
}

TEST_CASE("what consumers ask for stands until it is due to be asked again, however often sweeps come") {
  auto bench = unsent();
  auto& cursor = bench.seen.cursor;
  bench.seen.topic.reask = Duration{10 * kMinute};
  bench.state(kStart, {101, 19}, 1);
  bench.seen.topic.messages_in = 1'000'000;
  const auto read = kStart + 30 * kMinute;
  const auto holds = [&](State state, bool positions) {
    for (auto now = read + kMinute; now <= read + 13 * kMinute; now += kMinute) {
      INFO((now - read) / kMinute);
      cursor.consumers_at_ms = cursor.backlog_at_ms = now;
      if (positions) cursor.position_at_ms = now;
      const auto verdict = bench.poll(now, {101, 19}, 1, false).cursors.at(0);
      const bool stale = now > read + 12 * kMinute;  // when it was due, and two polls
      CHECK(verdict.state == (stale ? State::kUnknown : state));
      CHECK(verdict.last_state == (stale ? std::optional(state) : std::nullopt));
    }
  };
  SECTION("nothing is sent") {
    REQUIRE(bench.state(read, {101, 19}, 1) == State::kStalled);
    holds(State::kStalled, GENERATE(true, false));
  }
  SECTION("they hold messages") {
    cursor.type = "Shared";
    cursor.consumer_list = {{"a", 0, 25, false}};
    cursor.messages_out = 21;
    REQUIRE(bench.state(read, {101, 19}, 1) == State::kUnackedBlocked);
    holds(State::kUnackedBlocked, GENERATE(true, false));
  }
}

TEST_CASE("a replicator that is cut off, or stands while its backlog grows") {
  auto bench = internal(model::CursorKind::kReplicator);
  auto& cursor = bench.seen.cursor;
  cursor.connected = true;
  cursor.backlog_entries = 230;
  SECTION("cut off") {
    cursor.connected = false;
    CHECK(bench.state(kStart, {101, 19}) == State::kOk);
    CHECK(bench.state(kStart + 14 * kMinute, {101, 19}) == State::kOk);
    CHECK(bench.state(kStart + 15 * kMinute, {101, 19}) == State::kStalled);
    cursor.connected = true;
    CHECK(bench.state(kStart + 16 * kMinute, {101, 19}) == State::kOk);
  }
  SECTION("what it has to send is told no more, and its place is") {
    cursor.connected = false;
    bench.state(kStart, {101, 19});
    CHECK(bench.state(kStart + 15 * kMinute, {101, 19}) == State::kStalled);
    cursor.position_at_ms = kStart + 18 * kMinute;
    const auto verdict = bench.poll(kStart + 18 * kMinute, {101, 19}, 0, false).cursors.at(0);
    CHECK(verdict.state == State::kUnknown);
    CHECK(verdict.last_state == State::kStalled);
  }
  SECTION("cut off with nothing to send") {
    cursor.connected = false;
    cursor.backlog_entries = 0;
    bench.state(kStart, {103, 49});
    CHECK(bench.state(kStart + 15 * kMinute, {103, 49}) == State::kOk);
  }
  SECTION("stood because all was sent, and its place was not read since something waits") {
    bench.seen.topic.reask = Duration{6 * kHour};
    cursor.backlog_entries = 0;
    bench.state(kStart, {103, 49});
    bench.state(kStart + kHour, {103, 49});
    const auto swept = [&](int minute, std::int64_t backlog) {
      cursor.backlog_entries = backlog;
      cursor.backlog_at_ms = kStart + kHour + minute * kMinute;
      return bench.poll(cursor.backlog_at_ms, {103, 49}, 0, false).cursors.at(0).state;
    };
    CHECK(swept(30, 1) == State::kOk);
    CHECK(swept(31, 0) == State::kOk);
    for (int minute = 32; minute < 60; ++minute) CHECK(swept(minute, minute) == State::kOk);
    bench.seen.topic.reask = Duration{0};
    CHECK(bench.state(kStart + 2 * kHour, {103, 49}) == State::kStalled);
  }
  SECTION("stands, and more comes") {
    bench.state(kStart, {101, 19});
    CHECK(bench.state(kStart + 15 * kMinute, {101, 19}) == State::kOk);
    cursor.backlog_entries = 231;
    CHECK(bench.state(kStart + 16 * kMinute, {101, 19}) == State::kStalled);
    CHECK(bench.state(kStart + 17 * kMinute, {101, 20}) == State::kOk);
  }
}

// A disk that grows by 4 points a day for a week, and a replicator that is cut off at the end of it.
TEST_CASE("a replicator that is cut off while a disk fills is critical") {
  struct Row {
    const char* name;
    double per_day;
    std::int64_t more;  // waits at the end
    model::Severity severity;
  };
  const std::vector<Row> rows{{"the disk fills", 0.04, 1, model::Severity::kCritical},
                              {"no more is published", 0.04, 0, model::Severity::kWarning},
                              {"the disk does not fill", 0, 1, model::Severity::kWarning}};
  for (const auto& row : rows) {
    INFO(row.name);
    auto bench = internal(model::CursorKind::kReplicator);
    auto& cursor = bench.seen.cursor;
    cursor.connected = false;
    cursor.backlog_entries = 230;
    model::BookieView bookie;
    bookie.name = "bookie-1:8000";
    bookie.reachable = true;
    for (int hour = 0; hour < 7 * 24; ++hour) {
      bookie.dir_usage_ratio["_data"] = 0.6 + row.per_day * hour / 24;
      model::Snapshot snapshot;
      snapshot.at_ms = kStart - (7 * 24 - hour) * 60 * kMinute;
      snapshot.bookies = {bookie};
      detect::observe_disks(snapshot, bench.limits, bench.history.figures());
    }
    bench.bookies = {bookie};
    (void)bench.poll(kStart, {101, 19});
    cursor.backlog_entries = 230 + row.more;
    const auto verdicts = bench.poll(kStart + 15 * kMinute, {101, 19});
    REQUIRE(verdicts.cursors.at(0).state == State::kStalled);
    CHECK(verdicts.cursors.at(0).severity == row.severity);
    const auto found = std::find_if(verdicts.findings.begin(), verdicts.findings.end(),
                                    [](const auto& finding) { return finding.rule == "stalled"; });
    REQUIRE(found != verdicts.findings.end());
    CHECK(found->severity == row.severity);
    CHECK((found->summary.find("disks will be full") != std::string::npos) ==
          (row.severity == model::Severity::kCritical));
  }
}

TEST_CASE("compaction is overdue at twice its threshold") {
  auto bench = internal(model::CursorKind::kCompaction);
  const auto after = [&](TimeMs time) {
    bench.state(kStart, {101, 19});
    return bench.state(kStart + time, {101, 19});
  };
  SECTION("above") {
    bench.compaction_threshold = 1149;
    CHECK(after(29 * kMinute) == State::kOk);
    CHECK(after(30 * kMinute) == State::kStalled);
  }
  SECTION("not above") {
    bench.compaction_threshold = 1150;
    CHECK(after(30 * kMinute) == State::kOk);
  }
  SECTION("started by hand: only time tells") {
    CHECK(after(23 * kHour) == State::kOk);
    CHECK(after(24 * kHour) == State::kStalled);
  }
}

TEST_CASE("a deduplication snapshot is overdue at twice its interval, however long it stands") {
  auto bench = internal(model::CursorKind::kDedup);
  bench.dedup_interval = 115;
  SECTION("above") { bench.dedup_interval = 114; }
  bench.state(kStart, {101, 19});
  const bool above = bench.dedup_interval == 114;
  CHECK(bench.state(kStart + 100 * kDay, {101, 19}) == (above ? State::kStalled : State::kOk));
}

TEST_CASE("a dedup cursor without a ledger stands since its load") {
  auto bench = internal(model::CursorKind::kDedup);
  bench.dedup_interval = 10;
  bench.seen.cursor.cursor_state = "NoLedger";
  bench.seen.cursor.ledger_switched_ms = kStart - kHour;
  CHECK(bench.state(kStart, {101, -1}) == State::kStalled);
}

TEST_CASE("another internal cursor stalls by time alone") {
  auto bench = internal(model::CursorKind::kSystem);
  bench.state(kStart, {101, 19});
  CHECK(bench.state(kStart + 23 * kHour, {101, 19}) == State::kOk);
  CHECK(bench.state(kStart + 24 * kHour, {101, 19}) == State::kStalled);
}

TEST_CASE("a document that is looked at twice proves no window") {
  TopicBench bench;
  bench.snapshot.interval = Duration{kHour};
  auto& cursor = bench.add("sub", {101, 9});
  cursor.consumers = 1;
  cursor.backlog_entries = 40;
  CHECK(bench.poll(kStart).cursors.at(0).state == State::kOk);
  CHECK(bench.again(kStart + kHour).cursors.at(0).state == State::kOk);
  CHECK(bench.poll(kStart + 2 * kHour).cursors.at(0).state == State::kLagging);
}

TEST_CASE("how many are delayed must have been told within the window") {
  TopicBench bench;
  bench.snapshot.interval = Duration{kHour};
  auto& cursor = bench.add("sub", {101, 9});
  cursor.consumers = 1;
  cursor.backlog_entries = cursor.delayed_entries = 40;
  bench.poll(kStart);
  bench.sweep_only = true;
  cursor.backlog_entries = 90;
  CHECK(bench.poll(kStart + kHour).cursors.at(0).state != State::kLagging);
  cursor.backlog_entries = 200;  // more than all that was there at the window's start
  CHECK(bench.poll(kStart + 2 * kHour).cursors.at(0).state != State::kLagging);
  bench.sweep_only = false;
  CHECK(bench.poll(kStart + 3 * kHour).cursors.at(0).state != State::kLagging);  // a window begins
  CHECK(bench.poll(kStart + 4 * kHour).cursors.at(0).state == State::kLagging);
}

TEST_CASE("consumers that do not keep up") {
  Bench bench;
  auto& cursor = bench.seen.cursor;
  bench.seen.topic.messages_in = 1000;
  cursor.backlog_entries = 600;
  CHECK(bench.state(kStart, {101, 19}, 1) == State::kOk);
  bench.seen.topic.messages_in = 2800;  // 60 a minute
  const auto state = [&](std::int64_t backlog) {
    cursor.backlog_entries = backlog;
    return bench.state(kStart + 30 * kMinute, {101, 20}, 1);
  };
  SECTION("ten minutes' worth is the floor") { CHECK(state(600) == State::kOk); }
  SECTION("above it, and not shrinking") { CHECK(state(601) == State::kLagging); }
  SECTION("shrinking") { CHECK(state(599) == State::kOk); }
  SECTION("in batches of ten an entry is worth ten messages") {
    bench.seen.topic.entries_per_message = 0.1;
    CHECK(state(600) == State::kLagging);
  }
  SECTION("nothing published: any backlog that stays") {
    bench.seen.topic.messages_in = 1000;
    CHECK(state(600) == State::kLagging);
  }
  // "does not keep up with what is published" was said where nothing is.
  SECTION("the line says what there is to keep up with") {
    const auto line = [&](std::int64_t messages_in, std::int64_t permits) {
      bench.seen.topic.messages_in = messages_in;
      cursor.type = "Shared";
      cursor.consumer_list = {{"c-1", permits, 0, false}};
      cursor.backlog_entries = 6000;
      const auto verdicts = bench.poll(kStart + 30 * kMinute, {101, 20}, 1);
      REQUIRE(verdicts.findings.size() == 1);
      return verdicts.findings[0].summary;
    };
    const std::string rest = ": 6000 entries behind, and not clearly fewer than before";
    CHECK(line(2800, 10) == "does not keep up with what is published" + rest);
    CHECK(line(2800, 0) == "does not keep up with what is published" + rest);
    CHECK(line(1000, 10) == "takes nothing off its backlog, and nothing is published" + rest);
    CHECK(line(1000, 0) == "its consumers ask for nothing, and nothing is published" + rest);
  }
  SECTION("all of it delayed, or none left") {
    cursor.delayed_entries = 1;
    CHECK(state(0) == State::kOk);
  }
  SECTION("who lags does until it is clearly less") {
    REQUIRE(state(620) == State::kLagging);
    const auto next = [&](int minute, std::int64_t backlog) {
      bench.seen.topic.messages_in = 2800 + 60 * (minute - 30);
      cursor.backlog_entries = backlog;
      return bench.state(kStart + minute * kMinute, {101, 20}, 1);
    };
    CHECK(next(31, 590) == State::kLagging);
    CHECK(next(32, 630) == State::kLagging);
    CHECK(next(33, 585) == State::kLagging);
    CHECK(next(34, 470) == State::kOk);
    CHECK(next(35, 590) == State::kOk);
  }
  SECTION("less than a window seen") {
    cursor.backlog_entries = 900;
    CHECK(bench.state(kStart + 29 * kMinute, {101, 20}, 1) == State::kOk);
  }
  SECTION("who just came back has a window of his own") {
    cursor.backlog_entries = 900;
    bench.state(kStart + 20 * kMinute, {101, 20}, 0);
    CHECK(bench.state(kStart + 30 * kMinute, {101, 20}, 1) == State::kOk);
    cursor.backlog_entries = 9000;
    CHECK(bench.state(kStart + 60 * kMinute, {101, 20}, 1) == State::kLagging);
  }
}

// The sweep counts what waits once a minute; how much of it is delayed is asked for now and then.
TEST_CASE("delayed messages that came since the statistics were read are not what consumers leave undone") {
  Bench bench;
  auto& cursor = bench.seen.cursor;
  const auto sweep = [&](int minute, std::int64_t backlog) {
    cursor.backlog_entries = backlog;
    cursor.backlog_at_ms = cursor.consumers_at_ms = cursor.position_at_ms = kStart + minute * kMinute;
    bench.seen.topic.messages_in = 1000 + 60 * minute;
    return bench.poll(cursor.backlog_at_ms, {101, 19}, 1, false).cursors.at(0).state;
  };
  const auto statistics = [&](int minute, std::int64_t backlog, std::int64_t delayed) {
    cursor.backlog_entries = backlog;
    cursor.delayed_entries = delayed;
    bench.seen.topic.messages_in = 1000 + 60 * minute;
    return bench.state(kStart + minute * kMinute, {101, 19}, 1);
  };
  // A few are due and on their way.
  CHECK(statistics(0, 600, 595) == State::kOk);
  for (int minute = 1; minute < 120; ++minute) CHECK(sweep(minute, 600 + 10 * minute) == State::kOk);
  CHECK(statistics(120, 1800, 1795) == State::kOk);

  // Due, and not taken: said where the statistics show it, and until they show something else.
  CHECK(statistics(160, 1900, 600) == State::kLagging);
  CHECK(sweep(161, 1910) == State::kLagging);
  CHECK(sweep(170, 1800) == State::kLagging);
  // Nor may fewer than were delayed some time ago be all delayed: it would come and go with each look.
  CHECK(sweep(170, 590) == State::kLagging);
  CHECK(statistics(171, 600, 600) == State::kDelayed);
  CHECK(sweep(172, 610) == State::kDelayed);
  CHECK(sweep(173, 590) == State::kDelayed);
  CHECK(statistics(180, 610, 600) == State::kOk);
  CHECK(sweep(181, 590) == State::kOk);
}
