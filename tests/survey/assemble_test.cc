#include "survey/assemble.h"

#include "support/catch.h"
#include "survey/documents.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::Loaded;
using survey::TopicFacts;

namespace {

TopicFacts orders() {
  TopicFacts facts;
  facts.name = kOrders;
  facts.ns = "acme/shop";
  return facts;
}

pulsar::SweepTopic swept(std::vector<Sub> subs) {
  pulsar::SweepTopic topic;
  topic.name = kOrders;
  for (const auto& sub : subs) {
    pulsar::SweepSubscription subscription;
    subscription.name = sub.name;
    subscription.consumers = sub.consumers;
    subscription.backlog_entries = sub.backlog;
    topic.subscriptions.push_back(subscription);
  }
  return topic;
}

survey::AssembleContext at(TimeMs now) { return {now, Duration{kMinute}, Duration{0}, true, true, {}}; }

void take_all(TopicFacts& facts, TimeMs now) {
  facts.take_sweep(swept({{"sub", 80, 0}}), "broker-0:8080", now);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19")).value(), now);
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"sub", 130, 0})).value(), now);
  facts.take_info(pulsar::decode_internal_info(info_of(9)).value(), now);
}

}  // namespace

TEST_CASE("documents of one poll are merged, the topic's own win over the sweep") {
  auto facts = orders();
  take_all(facts, kStart);
  const auto view = survey::assemble(facts, at(kStart));
  CHECK(view->loaded == Loaded::kYes);
  REQUIRE(view->cursors.size() == 1);
  const auto& cursor = view->cursors[0];
  CHECK(cursor.mark_delete == model::Position{7, 19});
  CHECK_FALSE(cursor.position_stale_by_rule);
  CHECK(cursor.backlog_entries == 130);
  CHECK(cursor.created_ms.has_value());
  // The open ledger has its confirmed size, the closed one its close time.
  CHECK(view->ledgers.find(8)->entries == 50);
  CHECK(view->ledgers.find(8)->bytes == 500);
  CHECK(view->ledgers.find(7)->closed_ms == 1735689600000);
}

TEST_CASE("somebody is there since the first of the present consumers came, by the newest document that lists them") {
  auto facts = orders();
  facts.take_sweep(swept({{"sub", 80, 1}}), "broker-0:8080", kStart);
  auto stats = pulsar::decode_topic_stats(stats_of({"sub", 130, 3})).value();
  stats.subscriptions.at(0).consumers.at(1).connected_ms = kStart - kHour;
  stats.subscriptions.at(0).consumers.at(2).connected_ms = kStart - 2 * kHour;
  facts.take_stats(std::move(stats), kStart);
  CHECK(survey::assemble(facts, at(kStart))->cursors.at(0).connected_since_ms == kStart - 2 * kHour);
  auto sweep = swept({{"sub", 80, 1}});
  sweep.subscriptions.at(0).connected_ms = kStart + 1000;
  facts.take_sweep(std::move(sweep), "broker-0:8080", kStart + kMinute);
  CHECK(survey::assemble(facts, at(kStart + kMinute))->cursors.at(0).connected_since_ms == kStart + 1000);
  facts.take_sweep(swept({{"sub", 80, 0}}), "broker-0:8080", kStart + 2 * kMinute);
  CHECK_FALSE(survey::assemble(facts, at(kStart + 2 * kMinute))->cursors.at(0).connected_since_ms);
}

TEST_CASE("a later sweep brings newer consumers, the position stays") {
  auto facts = orders();
  take_all(facts, kStart);
  facts.take_sweep(swept({{"sub", 140, 2}}), "broker-0:8080", kStart + kMinute);
  const auto view = survey::assemble(facts, at(kStart + kMinute));
  CHECK(view->cursors.at(0).consumers == 2);
  CHECK(view->cursors.at(0).consumers_at_ms == kStart + kMinute);
  CHECK(view->cursors.at(0).position_at_ms == kStart);
}

TEST_CASE("a subscription is gone when a document that could show it lacks it") {
  auto facts = orders();
  take_all(facts, kStart);
  SECTION("a sweep of the same period may be older than the statistics") {
    facts.take_sweep(swept({}), "broker-0:8080", kStart + kMinute / 2);
    CHECK(survey::assemble(facts, at(kStart + kMinute / 2))->cursors.size() == 1);
  }
  SECTION("a sweep two periods later is not") {
    facts.take_sweep(swept({}), "broker-0:8080", kStart + 2 * kMinute);
    CHECK(survey::assemble(facts, at(kStart + 2 * kMinute))->cursors.empty());
  }
  SECTION("new statistics without it") {
    facts.take_stats(pulsar::decode_topic_stats(stats_of({"other", 0, 0})).value(), kStart + 1000);
    const auto view = survey::assemble(facts, at(kStart + 1000));
    REQUIRE(view->cursors.size() == 1);
    CHECK(view->cursors[0].name == "other");
  }
}

TEST_CASE("a removed subscription is not brought back by older metadata") {
  auto facts = orders();
  facts.take_info(pulsar::decode_internal_info(info_of(9, "removed")).value(), kStart);
  const auto names = [&](TimeMs now) {
    std::vector<std::string> found;
    const auto view = survey::assemble(facts, at(now));
    for (const auto& cursor : view->cursors) found.push_back(cursor.name);
    return found;
  };
  SECTION("nor when its own documents no longer have it") {
    facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19")).value(), kStart + 1000);
    facts.take_stats(pulsar::decode_topic_stats(stats_of({"sub", 130, 0})).value(), kStart + 1000);
    CHECK(names(kStart + 1000) == std::vector<std::string>{"sub"});
  }
  SECTION("nor when a later sweep no longer has it") {
    facts.take_sweep(swept({{"sub", 80, 0}}), "broker-0:8080", kStart + 2 * kMinute);
    CHECK(names(kStart + 2 * kMinute) == std::vector<std::string>{"sub"});
  }
  SECTION("a sweep of the same period may still lack a new one") {
    facts.take_sweep(swept({{"sub", 80, 0}}), "broker-0:8080", kStart + kMinute / 2);
    CHECK(names(kStart + kMinute / 2) == std::vector<std::string>{"removed", "sub"});
  }
}

TEST_CASE("a reader is one by its durable flag, whatever it is called") {
  auto facts = orders();
  facts.take_sweep(swept({{"reader-0123456789", 5, 1}}), "broker-0:8080", kStart);
  CHECK(survey::assemble(facts, at(kStart))->cursors.at(0).kind == model::CursorKind::kReader);
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"reader-0123456789", 5, 1}, true)).value(), kStart);
  CHECK(survey::assemble(facts, at(kStart))->cursors.at(0).kind == model::CursorKind::kSubscription);
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"reader-0123456789", 5, 1}, false)).value(), kStart + 1);
  CHECK(survey::assemble(facts, at(kStart + 1))->cursors.at(0).kind == model::CursorKind::kReader);
}

TEST_CASE("one subscription's move casts no doubt on its neighbours") {
  auto facts = orders();
  facts.take_sweep(swept({{"a", 80, 0}, {"b", 80, 0}}), "broker-0:8080", kStart);
  auto internal = pulsar::decode_internal_stats(internal_of("7:19", "2025-01-01T00:00:00Z", "a")).value();
  internal.cursors.push_back(internal.cursors[0]);
  internal.cursors[1].name = "b";
  facts.take_internal(internal, kStart);
  facts.take_sweep(swept({{"a", 60, 0}, {"b", 80, 0}}), "broker-0:8080", kStart + kMinute);
  const auto view = survey::assemble(facts, at(kStart + kMinute));
  CHECK(view->cursors.at(0).doubted);
  CHECK_FALSE(view->cursors.at(1).doubted);
}

TEST_CASE("a durable subscription may be called reader-something") {
  auto facts = orders();
  facts.take_sweep(swept({{"reader-billing", 5, 0}}), "broker-0:8080", kStart);
  CHECK(survey::assemble(facts, at(kStart))->cursors.at(0).kind == model::CursorKind::kSubscription);
}

TEST_CASE("unloaded is only what every sweep lacks, and for long enough or with a graceful close in the metadata") {
  auto facts = orders();
  take_all(facts, kStart);
  CHECK(survey::assemble(facts, at(kStart + kMinute))->loaded == Loaded::kUnknown);
  facts.missing_since_ms = kStart + kMinute;
  CHECK(survey::assemble(facts, at(kStart + kMinute))->loaded == Loaded::kUnknown);
  CHECK(survey::assemble(facts, at(kStart + 3 * kMinute))->loaded == Loaded::kNo);

  facts.take_info(pulsar::decode_internal_info(info_of(-1)).value(), kStart + kMinute);
  const auto view = survey::assemble(facts, at(kStart + kMinute));
  CHECK(view->loaded == Loaded::kNo);
  CHECK(view->cursors.at(0).position_at_ms == kStart + kMinute);
  // The last ledger's size comes from its last load; no metadata has it.
  CHECK(view->ledgers.find(8)->bytes == 500);
}

TEST_CASE("metadata from before the last load's documents describes no unloaded topic") {
  auto facts = orders();
  facts.take_info(pulsar::decode_internal_info(info_of(-1)).value(), kStart - kMinute);
  auto internal = pulsar::decode_internal_stats(internal_of("8:19")).value();
  internal.last_confirmed = model::Position{9, 4};
  internal.total_bytes += 70;
  internal.ledgers.back().entries = 50;
  internal.ledgers.back().bytes = 500;
  internal.ledgers.push_back({9, 0, 0, {}, false});
  facts.take_internal(internal, kStart);
  facts.missing_since_ms = kStart + kMinute;
  const auto view = survey::assemble(facts, at(kStart + 3 * kMinute));
  REQUIRE(view->loaded == Loaded::kNo);
  CHECK(view->ledgers.list().size() == 3);
  CHECK(view->ledgers.find(9)->bytes == 70);
  CHECK(view->cursors.at(0).mark_delete == model::Position{8, 19});
}

TEST_CASE("the stored position of a topic that is loaded, or was closed uncleanly, is only a lower bound") {
  auto facts = orders();
  facts.take_info(pulsar::decode_internal_info(info_of(9)).value(), kStart);
  facts.missing_since_ms = kStart - 2 * kMinute;
  const auto view = survey::assemble(facts, at(kStart));
  CHECK(view->loaded == Loaded::kNo);
  CHECK(view->cursors.at(0).position_stale_by_rule);
}

TEST_CASE("what consumers ask for is in statistics alone, and stands while a sweep shows the same ones") {
  auto facts = orders();
  take_all(facts, kStart);
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"sub", 130, 2})).value(), kStart);
  auto sweep = swept({{"sub", 140, 2}});
  const auto listed = [&] {
    facts.take_sweep(sweep, "broker-0:8080", kStart + kMinute);
    const auto view = survey::assemble(facts, at(kStart + kMinute));
    CHECK(view->cursors.at(0).consumers_at_ms == kStart + kMinute);
    return view->cursors.at(0).consumer_list.size();
  };
  CHECK(listed() == 2);
  SECTION("one left") {
    sweep.subscriptions.at(0).consumers = 1;
    CHECK(listed() == 0);
  }
  SECTION("they connected at another time") {
    sweep.subscriptions.at(0).connected_ms = kStart;
    CHECK(listed() == 0);
  }
}

TEST_CASE("each load counts once, whichever documents show it") {
  auto facts = orders();
  take_all(facts, kStart);
  CHECK(facts.epoch == 0);
  auto reloaded = swept({{"sub", 80, 0}});
  reloaded.messages_in = -1;
  facts.take_sweep(reloaded, "broker-0:8080", kStart + kMinute);
  CHECK(facts.epoch == 1);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19", "2025-01-02T00:00:00Z")).value(),
                      kStart + 2 * kMinute);
  CHECK(facts.epoch == 1);
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"sub", 130, 0}, true, 0)).value(), kStart + 2 * kMinute);
  CHECK(facts.epoch == 1);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19", "2025-01-03T00:00:00Z")).value(),
                      kStart + 3 * kMinute);
  CHECK(facts.epoch == 2);
}

TEST_CASE("loads are counted on over a restart of ours") {
  const auto remembered = [](TimeMs seen_ms, std::int64_t messages_in) {
    auto facts = orders();
    facts.epoch = 4;
    facts.former_ms = seen_ms;
    facts.former_messages_in = messages_in;
    return facts;
  };
  const auto made_ms = parse_iso8601("2025-01-02T00:00:00Z").value();
  const auto internal = pulsar::decode_internal_stats(internal_of("7:19", "2025-01-02T00:00:00Z")).value();
  auto sweep = swept({{"sub", 80, 0}});
  sweep.messages_in = 100;

  auto same = remembered(made_ms + kMinute, 100);
  same.take_sweep(sweep, "broker-0:8080", made_ms + 2 * kMinute);
  same.take_internal(internal, made_ms + 2 * kMinute);
  CHECK(same.epoch == 4);

  auto fell = remembered(made_ms - kMinute, 101);
  fell.take_sweep(sweep, "broker-0:8080", made_ms + 2 * kMinute);
  CHECK(fell.epoch == 5);
  fell.take_internal(internal, made_ms + 2 * kMinute);
  CHECK(fell.epoch == 5);

  // Idle before and after: only the cursors tell.
  auto idle = remembered(made_ms - kMinute, 0);
  idle.take_sweep(sweep, "broker-0:8080", made_ms + 2 * kMinute);
  CHECK(idle.epoch == 4);
  idle.take_internal(internal, made_ms + 2 * kMinute);
  CHECK(idle.epoch == 5);
  idle.take_internal(internal, made_ms + 3 * kMinute);
  CHECK(idle.epoch == 5);
}

TEST_CASE("a load that one kind of document never showed does not hide the next one from it") {
  auto facts = orders();
  take_all(facts, kStart);
  auto reloaded = swept({{"sub", 80, 0}});
  reloaded.messages_in = -1;
  facts.take_sweep(reloaded, "broker-0:8080", kStart + 2 * kMinute);
  REQUIRE(facts.epoch == 1);
  // By then more was published than before the load, and no counter fell.
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19")).value(), kStart + 5 * kMinute);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19", "2025-01-03T00:00:00Z")).value(),
                      kStart + 9 * kMinute);
  CHECK(facts.epoch == 2);
}

TEST_CASE("a backlog that fell without a consumer casts doubt on the position until it is read again") {
  auto facts = orders();
  take_all(facts, kStart);
  facts.take_sweep(swept({{"sub", 60, 0}}), "broker-0:8080", kStart + kMinute);
  CHECK(survey::assemble(facts, at(kStart + kMinute))->cursors.at(0).doubted);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:39")).value(), kStart + kMinute);
  CHECK_FALSE(survey::assemble(facts, at(kStart + kMinute))->cursors.at(0).doubted);
}

TEST_CASE("an empty name is a name, a reader's too") {
  auto facts = orders();
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"", 5, 1}, false)).value(), kStart);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19", "2025-01-01T00:00:00Z", "")).value(), kStart);
  const auto view = survey::assemble(facts, at(kStart));
  REQUIRE(view->cursors.size() == 1);
  CHECK(view->cursors[0].kind == model::CursorKind::kReader);
  CHECK(view->cursors[0].mark_delete.has_value());
}

TEST_CASE("a reader with a name of its own is told by its cursor where the durable flag is missing") {
  auto facts = orders();
  facts.take_sweep(swept({{"dashboard", 5, 1}}), "broker-0:8080", kStart);
  auto internal = pulsar::decode_internal_stats(internal_of("7:19", "2025-01-01T00:00:00Z", "dashboard")).value();
  const auto kind = [&](const std::string& state, std::optional<std::int64_t> ledger) {
    internal.cursors[0].state = state;
    internal.cursors[0].cursor_ledger = ledger;
    facts.take_internal(internal, kStart);
    return survey::assemble(facts, at(kStart))->cursors.at(0).kind;
  };
  CHECK(kind("Open", -1) == model::CursorKind::kReader);
  CHECK(kind("Uninitialized", -1) == model::CursorKind::kReader);  // 2.8.2
  CHECK(kind("Open", 12) == model::CursorKind::kSubscription);
  CHECK(kind("NoLedger", -1) == model::CursorKind::kSubscription);
  CHECK(kind("Open", std::nullopt) == model::CursorKind::kSubscription);
  // What is stored is durable, whatever it looks like; and the flag is above all.
  facts.take_info(pulsar::decode_internal_info(info_of(9, "dashboard")).value(), kStart - kHour);
  CHECK(kind("Open", -1) == model::CursorKind::kSubscription);
  facts.take_stats(pulsar::decode_topic_stats(stats_of({"dashboard", 5, 1}, false)).value(), kStart);
  CHECK(kind("Open", 12) == model::CursorKind::kReader);
}

TEST_CASE("readers of a system topic are readers") {
  auto facts = orders();
  facts.system = true;
  // As 3.0 and 4.0 call them.
  facts.take_sweep(swept({{"reader-f7b6e2a5c1", 0, 1}, {"__system_reader-reader-470c80df07", 0, 1}, {"other", 0, 1}}),
                   "broker-0:8080", kStart);
  const auto view = survey::assemble(facts, at(kStart));
  CHECK(view->cursors.at(0).kind == model::CursorKind::kReader);
  CHECK(view->cursors.at(1).kind == model::CursorKind::kSystem);
  CHECK(view->cursors.at(2).kind == model::CursorKind::kReader);
}

TEST_CASE("cursors are called as the brokers are configured") {
  auto facts = orders();
  auto sweep = swept({{"auditor", 40, 0}});
  sweep.replicators.push_back({"west", true, 7});
  facts.take_sweep(sweep, "broker-0:8080", kStart);
  auto internal = pulsar::decode_internal_stats(internal_of("7:19", "2025-01-01T00:00:00Z", "geo.west")).value();
  internal.cursors.push_back(internal.cursors[0]);
  internal.cursors[1].name = "auditor";
  facts.take_internal(internal, kStart);
  auto context = at(kStart);
  context.cursor_names = {"geo", {"auditor"}};
  const auto view = survey::assemble(facts, context);
  REQUIRE(view->cursors.size() == 2);
  CHECK(view->cursors[0].kind == model::CursorKind::kSystem);
  // The sweep's replicator and the cursor of internalStats are one.
  CHECK(view->cursors[1].name == "geo.west");
  CHECK(view->cursors[1].kind == model::CursorKind::kReplicator);
  CHECK(view->cursors[1].backlog_entries == 7);
  CHECK(view->cursors[1].mark_delete == model::Position{7, 19});
}

TEST_CASE("while a ledger is followed by the next, the one in the list is not the open one") {
  auto facts = orders();
  auto internal = pulsar::decode_internal_stats(internal_of("7:19")).value();
  internal.ledgers.back() = {8, 50, 500, {}, false};  // closed since, and printed so
  internal.last_confirmed = model::Position{9, 3};    // in one that is not listed yet
  facts.take_internal(internal, kStart);
  const auto ledgers = survey::assemble(facts, at(kStart))->ledgers;
  CHECK(ledgers.find(8)->entries == 50);
  CHECK(ledgers.find(8)->bytes == 500);
}

TEST_CASE("sizes that no topic can have are no reason to break down") {
  auto facts = orders();
  auto internal = pulsar::decode_internal_stats(internal_of("7:19")).value();
  internal.ledgers.assign(5000, {7, std::int64_t{1} << 53, std::int64_t{1} << 53, {}, false});
  for (const auto total : {-5LL, 1LL << 53}) {
    internal.total_bytes = total;
    facts.take_internal(internal, kStart);
    CHECK(survey::assemble(facts, at(kStart))->ledgers.list().back().bytes >= 0);
  }
}

TEST_CASE("positions of the same poll are newer than its sweep, whichever is taken first") {
  auto facts = orders();
  take_all(facts, kStart);
  facts.take_internal(pulsar::decode_internal_stats(internal_of("7:39")).value(), kStart + kMinute);
  facts.take_sweep(swept({{"sub", 60, 0}}), "broker-0:8080", kStart + kMinute);
  CHECK_FALSE(survey::assemble(facts, at(kStart + kMinute))->cursors.at(0).doubted);
}
