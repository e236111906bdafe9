#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

bool blocked(const model::Verdicts& verdicts) { return !findings_of(verdicts, "deletion_blocked").empty(); }

// Nobody produces; one caught-up subscription, which nobody uses.
TopicBench silent() {
  TopicBench bench;
  bench.topic.publishers = 0;
  bench.add("sub", {103, 49});
  return bench;
}

}  // namespace

TEST_CASE("only unused cursors keep a topic that nobody uses") {
  auto bench = silent();
  CHECK_FALSE(blocked(bench.poll(kStart)));
  CHECK_FALSE(blocked(bench.poll(kStart + 8 * kDay - kMinute)));
  const auto found = findings_of(bench.poll(kStart + 8 * kDay), "deletion_blocked");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == model::Level::kTopic);
  CHECK(found[0].severity == model::Severity::kInfo);
  CHECK(fact<std::int64_t>(found[0], "subscriptions") == 1);
  CHECK(fact<std::string>(found[0], "source") == "observed");
  SECTION("a producer came and left") {
    bench.topic.publishers = 1;
    bench.poll(kStart + 9 * kDay);
    bench.topic.publishers = 0;
    bench.topic.ledgers = model::Ledgers{{{103, 51, 510, {}, false}}};
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay + kMinute)));
  }
  SECTION("somebody published between two looks") {
    bench.topic.messages_in = 260;
    bench.topic.ledgers = model::Ledgers{{{103, 60, 600, {}, false}}};
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay)));
  }
  SECTION("a consumer is there") {
    bench.topic.cursors.at(0).consumers = 1;
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay)));
  }
  SECTION("a reader is there") {
    auto& reader = bench.add("reader-1", {103, 49});
    reader.kind = model::CursorKind::kReader;
    reader.consumers = 1;
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay)));
  }
  SECTION("a replicator keeps it too") {
    bench.add("pulsar.repl.b", {103, 49}).kind = model::CursorKind::kReplicator;
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay)));
  }
  SECTION("somebody asked to keep it") {
    bench.topic.cursors.at(0).properties["tidemark.keep"] = "yes";
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay)));
  }
  SECTION("no subscription at all") {
    bench.topic.cursors.clear();
    CHECK_FALSE(blocked(bench.poll(kStart + 9 * kDay)));
  }
}

TEST_CASE("by documents: caught up and standing for long, so nothing was published since") {
  auto bench = silent();
  auto& sub = bench.topic.cursors.at(0);
  sub.flow_ms = sub.mark_delete_advanced_ms = kStart - 9 * kDay;
  CHECK(blocked(bench.poll(kStart)));
  SECTION("not without a count of producers") {
    bench.topic.publishers.reset();
    CHECK_FALSE(blocked(bench.poll(kStart + kMinute)));
  }
}

TEST_CASE("by documents: an abandoned cursor says nothing of producers, a load without a message does") {
  auto bench = silent();
  auto& sub = bench.topic.cursors.at(0);
  sub.mark_delete = model::Position{103, 10};
  sub.flow_ms = kStart - 9 * kDay;
  CHECK_FALSE(blocked(bench.poll(kStart)));
  bench.topic.epoch_started_ms = kStart - 9 * kDay;
  CHECK_FALSE(blocked(bench.poll(kStart + kMinute)));
  bench.topic.messages_in = 0;
  CHECK(blocked(bench.poll(kStart + 2 * kMinute)));
}

TEST_CASE("an unloaded topic has no producers for as long as it is known to be unloaded") {
  auto bench = silent();
  bench.topic.loaded = model::Loaded::kNo;
  bench.topic.publishers.reset();
  bench.topic.cursors.at(0).cursor_state.clear();
  CHECK_FALSE(blocked(bench.poll(kStart)));
  CHECK(blocked(bench.poll(kStart + 8 * kDay)));
}
