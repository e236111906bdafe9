// Ledgers 101, 102 (1000 bytes each) and the open 103 (500).
#include <map>

#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::Severity;

namespace {

constexpr const char* kRule = "held_without_cursor";

// Bytes by cause.
std::map<std::string, std::int64_t> held(const model::Verdicts& verdicts) {
  std::map<std::string, std::int64_t> causes;
  for (const auto& finding : findings_of(verdicts, kRule)) {
    causes[fact<std::string>(finding, "cause").value()] += fact<std::int64_t>(finding, "bytes").value();
  }
  return causes;
}

using Held = std::map<std::string, std::int64_t>;

Severity severity(const model::Verdicts& verdicts) { return findings_of(verdicts, kRule).at(0).severity; }

}  // namespace

TEST_CASE("the open ledger waits for its rollover, and may be overdue") {
  TopicBench bench;
  bench.add("sub", {103, 49});
  bench.topic.ledgers = model::Ledgers{{{103, 50, 500, {}, false}}};
  bench.topic.last_ledger_created_ms = kStart - 4 * kHour;
  CHECK(held(bench.poll(kStart)) == Held{{"open_ledger", 500}});
  bench.snapshot.defaults.max_rollover_minutes = 240;
  CHECK(held(bench.poll(kStart + 13 * kMinute)) == Held{{"open_ledger", 500}});
  const auto verdicts = bench.poll(kStart + 15 * kMinute);
  CHECK(held(verdicts) == Held{{"rollover_overdue", 500}});
  CHECK(severity(verdicts) == Severity::kWarning);
  SECTION("a cursor that stands in it has it") {
    bench.topic.cursors.at(0).mark_delete = model::Position{103, 48};
    CHECK(held(bench.poll(kStart + 16 * kMinute)).empty());
  }
  SECTION("a running daemon counts the open one and reports the overdue one") {
    bench.limits.report_gauges = false;
    CHECK(held(bench.poll(kStart + 16 * kMinute)) == Held{{"rollover_overdue", 500}});
    bench.snapshot.defaults.max_rollover_minutes = 1440;
    CHECK(held(bench.poll(kStart + 17 * kMinute)).empty());
  }
  SECTION("from a size on") {
    bench.limits.held_min_bytes = 501;
    CHECK(held(bench.poll(kStart + 16 * kMinute)).empty());
  }
}

TEST_CASE("a full ledger rolls with the next publish only") {
  TopicBench bench;
  bench.add("sub", {103, 49});
  bench.topic.ledgers = model::Ledgers{{{103, 50, 500, {}, false}}};
  bench.topic.last_ledger_created_ms = kStart - kHour;
  bench.snapshot.defaults.max_rollover_minutes = 240;
  bench.snapshot.defaults.min_rollover_minutes = 10;
  bench.snapshot.defaults.max_ledger_entries = 40;
  CHECK(held(bench.poll(kStart)) == Held{{"open_ledger", 500}});
  bench.topic.rate_in = 0.5;
  CHECK(held(bench.poll(kStart + kMinute)) == Held{{"rollover_overdue", 500}});
  bench.snapshot.defaults.min_rollover_minutes = 120;
  CHECK(held(bench.poll(kStart + 2 * kMinute)) == Held{{"open_ledger", 500}});
}

TEST_CASE("what retention keeps is named with the policy's source") {
  TopicBench bench;
  bench.add("sub", {103, 10});
  bench.ns.retention = model::Retention{-1, -1};
  const auto verdicts = bench.poll(kStart);
  CHECK(held(verdicts) == Held{{"retention", 2000}});
  CHECK(severity(verdicts) == Severity::kInfo);
  CHECK(fact<std::string>(findings_of(verdicts, kRule).at(0), "retention_source") == "namespace");
  bench.ns.retention.reset();
  CHECK(held(bench.poll(kStart + kMinute)).empty());
  bench.snapshot.defaults.retention = model::Retention{-1, -1};
  CHECK(fact<std::string>(findings_of(bench.poll(kStart + 2 * kMinute), kRule).at(0), "retention_source") == "broker");
  bench.snapshot.topic_policies[bench.topic.name].retention = model::Retention{-1, -1};
  CHECK(fact<std::string>(findings_of(bench.poll(kStart + 3 * kMinute), kRule).at(0), "retention_source") == "topic");
  bench.limits.report_gauges = false;
  CHECK(held(bench.poll(kStart + 4 * kMinute)).empty());
}

TEST_CASE("a topic without any cursor: retention keeps what is closed") {
  TopicBench bench;
  bench.ns.retention = model::Retention{-1, -1};
  CHECK(held(bench.poll(kStart)) == Held{{"retention", 2000}, {"open_ledger", 500}});
}

TEST_CASE("what was freed just now goes at the next trim") {
  TopicBench bench;
  auto& sub = bench.add("sub", {101, 10});
  CHECK(held(bench.poll(kStart)).empty());
  sub.mark_delete = model::Position{102, 10};
  const auto verdicts = bench.poll(kStart + kMinute);
  CHECK(held(verdicts) == Held{{"pending_trim", 1000}});
  CHECK(severity(verdicts) == Severity::kInfo);
  CHECK(held(bench.poll(kStart + 3 * kMinute)) == Held{{"pending_trim", 1000}});
  CHECK(held(bench.poll(kStart + 8 * kMinute)).empty());
}

TEST_CASE("at the first look only a clock tells that it was just now") {
  TopicBench bench;
  auto& sub = bench.add("sub", {102, 10});
  CHECK(held(bench.poll(kStart)).empty());
  sub.mark_delete_advanced_ms = kStart - kMinute;
  CHECK(held(bench.poll(kStart + kMinute)) == Held{{"pending_trim", 1000}});
  bench.snapshot.defaults.retention_check_seconds = 5;
  CHECK(held(bench.poll(kStart + 2 * kMinute)).empty());
}

TEST_CASE("a removed cursor freed what it held") {
  TopicBench bench;
  bench.add("live", {103, 10});
  bench.add("gone", {101, 10});
  bench.poll(kStart);
  bench.topic.cursors.pop_back();
  CHECK(held(bench.poll(kStart + kMinute)) == Held{{"pending_trim", 2000}});
}

TEST_CASE("before 2.8.2 a reader behind holds what no durable cursor needs") {
  TopicBench bench;
  bench.add("sub", {103, 10});
  bench.add("reader-1", {102, 5}).kind = model::CursorKind::kReader;
  CHECK(held(bench.poll(kStart)).empty());
  bench.snapshot.version = "2.8.2";
  CHECK(held(bench.poll(kStart + kMinute)).empty());
  bench.snapshot.version = "2.8.1";
  const auto verdicts = bench.poll(kStart + 2 * kMinute);
  CHECK(held(verdicts) == Held{{"reader", 1000}});
  CHECK(severity(verdicts) == Severity::kWarning);
  CHECK(fact<std::string>(findings_of(verdicts, kRule).at(0), "reader") == "reader-1");
}

TEST_CASE("2.x: a position on the last entry of a closed ledger") {
  TopicBench bench;
  bench.add("sub", {102, 99});
  bench.snapshot.version = "2.10.5";
  CHECK(held(bench.poll(kStart)) == Held{{"boundary", 1000}});
  SECTION("3.0 passes on by itself") {
    bench.history = history::History{};
    bench.snapshot.version = "3.0.7";
    CHECK(held(bench.poll(kStart + kMinute)).empty());
  }
  SECTION("a full last ledger, closed, without a next one") {
    bench.topic.ledgers = model::Ledgers{{{102, 100, 1000, {}, false}}};
    bench.topic.ledger_open = false;
    CHECK(held(bench.poll(kStart + kMinute)) == Held{{"boundary", 1000}});
  }
}

TEST_CASE("what is no finding in a running daemon is in the sums of its namespace") {
  TopicBench bench;
  bench.limits.report_gauges = false;
  bench.add("sub", {103, 49});
  const auto verdicts = bench.poll(kStart);
  CHECK(held(verdicts).empty());
  CHECK(verdicts.held_by_namespace.at("acme/shop") == model::HeldBytes{{"open_ledger", 500}});
}

TEST_CASE("nobody trims an unloaded topic") {
  TopicBench bench;
  bench.topic.loaded = model::Loaded::kNo;
  auto& sub = bench.add("sub", {103, 10});
  sub.cursor_state.clear();
  const auto verdicts = bench.poll(kStart);
  CHECK(held(verdicts) == Held{{"unloaded", 2000}});
  CHECK(severity(verdicts) == Severity::kWarning);
  SECTION("the last ledger goes at the load too, when nobody needs it and its size is known") {
    sub.mark_delete = model::Position{103, 49};
    CHECK(held(bench.poll(kStart + kMinute)) == Held{{"unloaded", 2500}});
    bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {103, {}, {}, {}, false}}};
    CHECK(held(bench.poll(kStart + 2 * kMinute)) == Held{{"unloaded", 1000}});
  }
  SECTION("what retention keeps would stay in a loaded one as well") {
    bench.ns.retention = model::Retention{-1, -1};
    sub.mark_delete = model::Position{103, 49};
    CHECK(held(bench.poll(kStart + kMinute)) == Held{{"retention", 2500}});
  }
}

TEST_CASE("old positions prove nothing") {
  TopicBench bench;
  auto& sub = bench.add("sub", {103, 49});
  sub.doubted = true;
  CHECK(held(bench.poll(kStart)).empty());
}

TEST_CASE("2.x tell no close times: a ledger whose closing was watched is dated") {
  TopicBench bench;
  bench.snapshot.version = "2.10.5";
  bench.ns.retention = model::Retention{30, -1};
  bench.add("sub", {101, 10});
  bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}}};
  const auto first = [&](TimeMs now) { return bench.poll(now).cursors.at(0).reclaimable_bytes; };
  CHECK(first(kStart) == 0);
  bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {102, 20, 200, {}, false}}};
  CHECK(first(kStart + kMinute) == 0);
  CHECK(first(kStart + 31 * kMinute) == 0);
  CHECK(first(kStart + 32 * kMinute) == 1000);
  SECTION("not watched: no figure") {
    bench.history = history::History{};
    CHECK_FALSE(first(kStart + 33 * kMinute));
  }
}
