#include "report/what_if.h"

#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::State;
using report_samples::kDay;

namespace {

const std::string kTopic = "persistent://acme/orders/events";

struct Cluster {
  model::Snapshot snapshot;
  model::Verdicts verdicts;
  std::shared_ptr<model::TopicView> topic = std::make_shared<model::TopicView>();

  Cluster() {
    topic->name = kTopic;
    topic->ns = "acme/orders";
    topic->loaded = model::Loaded::kYes;
    topic->ledgers = model::Ledgers({{1, 10, 100, 1000, false}, {2, 10, 100, 2000, false}, {3, 0, 0, {}, false}});
    snapshot.topics.push_back(topic);
    auto& ns = snapshot.namespaces["acme/orders"];
    ns.policies_known = true;
    ns.retention = model::Retention{0, 0};
    verdicts.at_ms = snapshot.at_ms = 100 * kDay;
  }

  // Away for `days`, at the start of `ledger`.
  void add(const std::string& name, State state, std::int64_t days, std::int64_t ledger = 1, int consumers = 0) {
    auto verdict = report_samples::cursor(kTopic, name, state);
    verdict.since_ms = verdicts.at_ms - days * kDay;
    verdict.consumers = consumers;
    verdicts.cursors.push_back(verdict);
    model::CursorView cursor;
    cursor.name = name;
    cursor.mark_delete = model::Position{ledger, -1};
    topic->cursors.push_back(cursor);
  }
  void pause(const std::string& name, std::int64_t days) {
    verdicts.pauses.push_back({kTopic, name, Duration{days * kDay}});
  }
  WhatIf ask(std::int64_t days) const { return what_if(snapshot, verdicts, Duration{days * kDay}); }
};

}  // namespace

TEST_CASE("an expiration deletes who is away, and hurts who came back after longer") {
  Cluster cluster;
  cluster.add("gone", State::kAbandoned, 30);
  cluster.add("young", State::kIdle, 5, 2);
  cluster.add("monthly", State::kIdle, 20, 3);
  cluster.pause("monthly", 31);
  cluster.add("weekly", State::kOk, 0, 3, 1);
  cluster.pause("weekly", 7);
  const auto what = cluster.ask(10);
  REQUIRE((what.deleted.size() == 1 && what.hurt.size() == 1));
  CHECK(what.deleted[0].subscription == "gone");
  CHECK(what.deleted[0].pause == Duration{30 * kDay});
  CHECK(what.deleted[0].frees_bytes == 100);
  CHECK(what.frees_bytes == 100);
  CHECK(what.hurt[0].subscription == "monthly");
  CHECK(what.hurt[0].pause == Duration{31 * kDay});
  CHECK((what.subscriptions == 4 && what.with_rhythm == 2));
  SECTION("a shorter one hurts more and frees more") {
    const auto shorter = cluster.ask(4);
    REQUIRE((shorter.deleted.size() == 2 && shorter.hurt.size() == 2));
    CHECK(shorter.hurt[0].subscription == "monthly");  // the longest pause first
    CHECK(shorter.frees_bytes == 200);
  }
  SECTION("a pause of just so long is none") {
    CHECK(cluster.ask(30).deleted.empty());
    CHECK(cluster.ask(31).hurt.empty());
  }
}

TEST_CASE("what the broker never expires") {
  Cluster cluster;
  cluster.add("gone", State::kUnused, 30);
  SECTION("replicated subscriptions") {
    cluster.topic->cursors[0].replicated = true;
    CHECK(cluster.ask(7).replicated == 1);
  }
  SECTION("those of unloaded topics") {
    cluster.topic->loaded = model::Loaded::kNo;
    CHECK(cluster.ask(7).unloaded == 1);
  }
  SECTION("others than subscriptions") {
    cluster.verdicts.cursors[0].kind = model::CursorKind::kReplicator;
    CHECK(cluster.ask(7).subscriptions == 0);
  }
  SECTION("those that somebody is connected to") { cluster.verdicts.cursors[0].consumers = 1; }
  SECTION("those of which nothing is known") { cluster.verdicts.cursors[0].state = State::kUnknown; }
  CHECK(cluster.ask(7).deleted.empty());
}

TEST_CASE("the answer as text and as JSON") {
  Cluster cluster;
  cluster.add(report_samples::hostile_name(), State::kAbandoned, 30);
  cluster.add("monthly", State::kIdle, 20, 3);
  cluster.pause("monthly", 31);
  const auto text = what_if_text(cluster.ask(10));
  CHECK(text.starts_with(
      "An expiration of 10d would have deleted 2 of 2 subscriptions: 1 still away, which frees 200 B, and 1 that came "
      "back and would have lost what they had not read.\n"));
  CHECK(text.find("[monthly]: idle, a pause of 31d; pins ") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  const auto json = what_if_json(cluster.ask(10));
  CHECK(json.starts_with(
      R"({"expire_seconds":864000,"subscriptions":2,"with_rhythm":1,"frees_bytes":200,"all_told":true,"hurt":[{"topic":"persistent://acme/orders/events","cursor":"monthly","state":"idle","pause_seconds":2678400,)"));
}
