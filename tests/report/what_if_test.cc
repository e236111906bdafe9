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
  REQUIRE((what.deleted.size() == 2 && what.hurt.size() == 1 && what.would_go == 2));
  CHECK(what.deleted[0].subscription == "gone");
  CHECK(what.deleted[0].pause == Duration{30 * kDay});
  CHECK(what.deleted[0].frees_bytes == 100);
  CHECK(what.frees_bytes == 100);
  CHECK(what.hurt[0].subscription == "monthly");
  CHECK(what.hurt[0].pause == Duration{31 * kDay});
  CHECK((what.subscriptions == 4 && what.with_rhythm == 2));
  SECTION("a shorter one hurts more and frees more") {
    const auto shorter = cluster.ask(4);
    REQUIRE((shorter.deleted.size() == 3 && shorter.hurt.size() == 2 && shorter.would_go == 4));
    CHECK(shorter.hurt[0].subscription == "monthly");  // the longest pause first
    CHECK(shorter.frees_bytes == 200);
  }
  SECTION("a pause of just so long is none") {
    CHECK(cluster.ask(30).deleted.empty());
    CHECK(cluster.ask(31).hurt.empty());
  }
}

// "0 still away" was said of one that had been away for 14 days: a shorter expiration seemed to free less.
TEST_CASE("who came back after a pause and is away again is hurt and gone") {
  Cluster cluster;
  cluster.add("again", State::kAbandoned, 14);
  cluster.add("live", State::kOk, 0, 3, 1);
  cluster.pause("again", 3);
  for (const auto days : {2, 5}) {
    const auto what = cluster.ask(days);
    REQUIRE((what.deleted.size() == 1 && what.would_go == 1));
    CHECK(what.deleted[0].pause == Duration{14 * kDay});
    CHECK(what.frees_bytes == 200);
    CHECK(what.hurt.size() == (days == 2 ? 1 : 0));
    CHECK(what.away_again == what.hurt.size());
  }
  CHECK(
      what_if_text(cluster.ask(2))
          .starts_with("An expiration of 2d would have deleted 1 of 2 subscriptions: 1 still away, which frees 200 B, "
                       "and 1 that came back and would have lost what they had not read (1 of them away again).\n"));
  SECTION("on an unloaded topic it would not have gone again") {
    cluster.topic->loaded = model::Loaded::kNo;
    const auto what = cluster.ask(2);
    CHECK((what.hurt.size() == 1 && what.deleted.empty() && what.away_again == 0));
  }
}

// `expiration_at_risk` warned of an expiration that by --what-if hurt nobody.
TEST_CASE("who may still come back too late is at risk") {
  Cluster cluster;
  cluster.add("weekly", State::kIdle, 2);
  cluster.pause("weekly", 6);
  const auto what = cluster.ask(8);
  REQUIRE(what.at_risk.size() == 1);
  CHECK(what.at_risk[0].pause == Duration{6 * kDay});
  CHECK((what.would_go == 0 && what.frees_bytes == 0));
  CHECK(what_if_text(what).find("\nAt risk: ") != std::string::npos);
  CHECK(cluster.ask(9).at_risk.empty());
  CHECK(cluster.ask(5).at_risk.empty());  // hurt
}

TEST_CASE("what an exception keeps is marked") {
  Cluster cluster;
  cluster.add("yearly", State::kAbandoned, 30);
  cluster.verdicts.cursors[0].exception = model::Exception{"read once a year", {}};
  const auto what = cluster.ask(7);
  REQUIRE(what.deleted.size() == 1);
  CHECK(what.deleted[0].exception == "read once a year");
  CHECK(what.silenced == 1);
  const auto text = what_if_text(what);
  CHECK(text.find("1 of them shall stay: an exception keeps them.\n") != std::string::npos);
  CHECK(text.find("; shall stay: read once a year\n") != std::string::npos);
  CHECK(what_if_json(what).find(R"("exception":"read once a year")") != std::string::npos);
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
      "An expiration of 10d would have deleted 2 of 2 subscriptions: 2 still away, which frees 200 B, and 1 that came "
      "back and would have lost what they had not read (1 of them away again).\n"));
  CHECK(text.find("[monthly]: idle, a pause of 31d; pins ") != std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  const auto json = what_if_json(cluster.ask(10));
  CHECK(json.starts_with(
      R"({"expire_seconds":864000,"subscriptions":2,"would_go":2,"away_again":1,"silenced":0,"with_rhythm":1,"frees_bytes":200,"all_told":true,"hurt":[{"topic":"persistent://acme/orders/events","cursor":"monthly","state":"idle","pause_seconds":2678400,)"));
}
