#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

std::size_t count(const model::Verdicts& verdicts, const std::string& rule) {
  return findings_of(verdicts, rule).size();
}

}  // namespace

TEST_CASE("dangling: only what went back to before the first ledger") {
  TopicBench bench;
  auto& sub = bench.add("sub", {99, 5});
  // Used up and deleted: the normal picture.
  CHECK(count(bench.poll(kStart), "dangling_position") == 0);
  sub.mark_delete = model::Position{102, 5};
  CHECK(count(bench.poll(kStart + kMinute), "dangling_position") == 0);
  sub.mark_delete = model::Position{99, 5};
  const auto found = findings_of(bench.poll(kStart + 2 * kMinute), "dangling_position");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(fact<std::string>(found[0], "mark_delete") == "99:5");
  SECTION("outlives the rewind") { CHECK(count(bench.poll(kStart + 3 * kHour), "dangling_position") == 1); }
  SECTION("and ends with a move forward") {
    sub.mark_delete = model::Position{101, 5};
    CHECK(count(bench.poll(kStart + 3 * kMinute), "dangling_position") == 0);
    sub.mark_delete = model::Position{99, 5};
    bench.topic.epoch = 1;  // lost across a load
    CHECK(count(bench.poll(kStart + 4 * kMinute), "dangling_position") == 1);
  }
  SECTION("back to a ledger that is there is an ordinary rewind") {
    sub.mark_delete = model::Position{101, -1};
    bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
    CHECK(count(bench.poll(kStart + 3 * kMinute), "dangling_position") == 0);
  }
  SECTION("left behind by deletion after the rewind's place was used up") {
    sub.mark_delete = model::Position{101, 99};
    bench.poll(kStart + 3 * kMinute);
    bench.topic.ledgers = model::Ledgers{{{102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
    CHECK(count(bench.poll(kStart + 4 * kMinute), "dangling_position") == 0);
  }
}

TEST_CASE("not persisted: it moves, its ledger does not, and it is not open at two polls") {
  TopicBench bench;
  auto& sub = bench.add("sub", {101, 9});
  sub.cursor_state = "NoLedger";
  CHECK(count(bench.poll(kStart), "position_not_persisted") == 0);
  sub.mark_delete = model::Position{101, 29};
  auto found = findings_of(bench.poll(kStart + kMinute), "position_not_persisted");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kWarning);
  CHECK(fact<std::int64_t>(found[0], "entries") == 20);
  CHECK(fact<std::int64_t>(found[0], "bytes") == 200);
  CHECK(fact<std::string>(found[0], "stored_position") == "101:9");
  SECTION("from where it was stored, however often it moves") {
    sub.mark_delete = model::Position{102, 9};
    found = findings_of(bench.poll(kStart + 2 * kMinute), "position_not_persisted");
    REQUIRE(found.size() == 1);
    CHECK(fact<std::int64_t>(found[0], "entries") == 100);
  }
  SECTION("open again") {
    sub.cursor_state = "Open";
    CHECK(count(bench.poll(kStart + 2 * kMinute), "position_not_persisted") == 0);
  }
  SECTION("its ledger was written") {
    sub.cursor_ledger_last_entry = 4;
    CHECK(count(bench.poll(kStart + 2 * kMinute), "position_not_persisted") == 0);
  }
  SECTION("a load begins anew") {
    bench.topic.epoch = 1;
    CHECK(count(bench.poll(kStart + 2 * kMinute), "position_not_persisted") == 0);
  }
}

TEST_CASE("persisted: an open cursor, one that stands, and one that steps over a border") {
  TopicBench bench;
  auto& sub = bench.add("sub", {101, 99});
  sub.cursor_state = "NoLedger";
  bench.poll(kStart);
  sub.mark_delete = model::Position{102, -1};
  CHECK(count(bench.poll(kStart + kMinute), "position_not_persisted") == 0);
  sub.cursor_state = "Open";
  sub.mark_delete = model::Position{102, 9};
  CHECK(count(bench.poll(kStart + 2 * kMinute), "position_not_persisted") == 0);
  sub.cursor_state = "SwitchingLedger";  // for a moment
  sub.mark_delete = model::Position{102, 19};
  CHECK(count(bench.poll(kStart + 3 * kMinute), "position_not_persisted") == 0);
}

TEST_CASE("counter: negative at once, contradicting at two polls") {
  TopicBench bench;
  auto& sub = bench.add("sub", {103, 9});
  sub.backlog_entries = 40;
  CHECK(count(bench.poll(kStart), "counter_mismatch") == 0);
  CHECK(count(bench.poll(kStart + kMinute), "counter_mismatch") == 0);
  SECTION("negative") {
    sub.backlog_entries = -3;
    const auto found = findings_of(bench.poll(kStart + 2 * kMinute), "counter_mismatch");
    REQUIRE(found.size() == 1);
    CHECK(found[0].severity == model::Severity::kInfo);
    CHECK(fact<std::int64_t>(found[0], "backlog_entries") == -3);
  }
  SECTION("contradicting") {
    sub.backlog_entries = 45;
    CHECK(count(bench.poll(kStart + 2 * kMinute), "counter_mismatch") == 0);
    const auto found = findings_of(bench.poll(kStart + 3 * kMinute), "counter_mismatch");
    REQUIRE(found.size() == 1);
    CHECK(fact<std::int64_t>(found[0], "entries_by_position") == 40);
    sub.backlog_entries = 40;
    CHECK(count(bench.poll(kStart + 4 * kMinute), "counter_mismatch") == 0);
  }
  SECTION("as much as was published meanwhile") {
    sub.backlog_entries = 45;
    bench.poll(kStart + 2 * kMinute);
    sub.backlog_entries = 55;
    bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {103, 60, 600, {}, false}}};
    CHECK(count(bench.poll(kStart + 3 * kMinute), "counter_mismatch") == 0);
  }
  SECTION("acknowledged runs do not wait") {
    sub.acked = {{{103, 19}, {103, 29}}};
    sub.acked_ranges = 1;
    sub.backlog_entries = 30;
    bench.poll(kStart + 2 * kMinute);
    CHECK(count(bench.poll(kStart + 3 * kMinute), "counter_mismatch") == 0);
  }
  SECTION("somebody acknowledges between the documents") {
    sub.acked = {{{103, 19}, {103, 29}}};
    sub.acked_ranges = 1;
    sub.backlog_entries = 25;
    bench.poll(kStart + 2 * kMinute);
    sub.acked = {{{103, 19}, {103, 34}}};
    sub.backlog_entries = 20;
    CHECK(count(bench.poll(kStart + 3 * kMinute), "counter_mismatch") == 0);
  }
  SECTION("it moved between the two") {
    sub.backlog_entries = 45;
    bench.poll(kStart + 2 * kMinute);
    sub.mark_delete = model::Position{103, 10};
    CHECK(count(bench.poll(kStart + 3 * kMinute), "counter_mismatch") == 0);
  }
}

TEST_CASE("a rule's finding about a cursor is silenced with it") {
  TopicBench bench;
  auto& sub = bench.add("sub", {103, 9});
  sub.backlog_entries = -3;
  sub.properties["tidemark.keep"] = "yes";
  sub.properties["owner"] = "anna";
  const auto found = findings_of(bench.poll(kStart), "counter_mismatch");
  REQUIRE(found.size() == 1);
  CHECK(fact<std::string>(found[0], "owner") == "anna");
  CHECK(fact<std::string>(found[0], "exception"));
}
