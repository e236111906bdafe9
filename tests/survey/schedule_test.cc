#include "survey/schedule.h"

#include "support/catch.h"
#include "survey/documents.h"

using namespace tidemark;
using namespace tidemark::testing;
using survey::Suspicion;

namespace {

const survey::ReaskTimes kTimes(std::chrono::hours{8 * 24}, std::chrono::minutes{30});

pulsar::SweepTopic topic_with(std::int64_t backlog, int consumers) {
  pulsar::SweepTopic topic;
  topic.name = kOrders;
  pulsar::SweepSubscription subscription;
  subscription.name = "sub";
  subscription.backlog_entries = backlog;
  subscription.consumers = consumers;
  subscription.rate_out = consumers;
  topic.subscriptions = {subscription};
  topic.backlog_bytes = backlog * 10;
  return topic;
}

}  // namespace

TEST_CASE("what a sweep makes suspicious") {
  CHECK(survey::suspicion_of(topic_with(0, 1)) == Suspicion::kNone);
  CHECK(survey::suspicion_of(topic_with(50, 1)) == Suspicion::kNone);
  CHECK(survey::suspicion_of(topic_with(0, 0)) == Suspicion::kOnce);
  CHECK(survey::suspicion_of(topic_with(5, 0)) == Suspicion::kFrozen);
  auto odd = topic_with(-1, 1);
  CHECK(survey::suspicion_of(odd) == Suspicion::kDeviating);
  odd = topic_with(0, 1);
  odd.subscriptions[0].acked_ranges = 3;
  CHECK(survey::suspicion_of(odd) == Suspicion::kDeviating);
  odd = topic_with(0, 1);
  odd.backlog_bytes = 10;
  CHECK(survey::suspicion_of(odd) == Suspicion::kDeviating);
  odd = topic_with(0, 1);
  odd.storage_bytes = (1LL << 30) + 1;
  CHECK(survey::suspicion_of(odd) == Suspicion::kDeviating);
  odd = topic_with(0, 1);
  odd.replicators.push_back({"far", true, 7});
  CHECK(survey::suspicion_of(odd) == Suspicion::kDeviating);
}

TEST_CASE("what goes after a clean-up is asked for as it goes") {
  survey::TopicFacts facts;
  facts.internal = {std::make_shared<const pulsar::InternalStats>(), kStart};
  auto topic = topic_with(0, 1);
  topic.subscriptions.push_back({"gone", "None", 0, 5, 0, 0, false, 0});
  topic.subscriptions.push_back({"reader", "Exclusive", 1, 0, 0, 0, false, 0});
  topic.storage_bytes = 1000;
  const auto sweep = [&](TimeMs at) { return facts.take_sweep(topic, "broker-0:8080", at); };
  sweep(kStart);
  SECTION("a leftover went") {
    topic.subscriptions.erase(topic.subscriptions.begin() + 1);
    CHECK(sweep(kStart + kMinute));
    CHECK_FALSE(sweep(kStart + 2 * kMinute));
    topic.storage_bytes = 400;
    CHECK(sweep(kStart + 3 * kMinute));
    CHECK_FALSE(sweep(kStart + 4 * kMinute));
    sweep(kStart + 48 * kHour);
    topic.storage_bytes = 100;
    CHECK_FALSE(sweep(kStart + 48 * kHour + kMinute));
  }
  SECTION("a reader went") {
    topic.subscriptions.pop_back();
    sweep(kStart + kMinute);
    topic.storage_bytes = 400;
    CHECK_FALSE(sweep(kStart + 2 * kMinute));
  }
}

// On a real broker: a clean-up was seen, and what it freed was never asked for.
TEST_CASE("a question that a busy poll did not come to stays due though the next sweep is healthy") {
  survey::TopicFacts facts;
  facts.sweep = {std::make_shared<const pulsar::SweepTopic>(topic_with(0, 1)), kStart};
  survey::plan_after_sweep(facts, true, kStart, kTimes);
  CHECK(facts.schedule.due_ms == kStart);
  survey::plan_after_sweep(facts, false, kStart + kMinute, kTimes);
  CHECK(facts.schedule.due_ms == kStart);
  survey::plan_after_documents(facts, false, kStart + 2 * kMinute, kTimes);
  CHECK(facts.schedule.due_ms == 0);
  survey::plan_after_sweep(facts, false, kStart + 3 * kMinute, kTimes);
  CHECK(facts.schedule.due_ms == 0);
}

TEST_CASE("what a document lists no more is told with its size") {
  survey::TopicFacts facts;
  pulsar::InternalStats stats;
  stats.ledgers = {{1, 10, 100, {}, false}, {2, 10, 200, {}, false}, {3, 0, 0, {}, false}};
  stats.total_bytes = 350;
  stats.last_confirmed = model::Position{3, 4};
  facts.take_internal(stats, kStart);
  CHECK(facts.gone.empty());
  stats.ledgers = {{4, 0, 0, {}, false}};
  stats.total_bytes = 0;
  stats.last_confirmed.reset();
  facts.take_internal(stats, kStart + kMinute);
  REQUIRE(facts.gone.size() == 3);
  CHECK(facts.gone[0].bytes == 100);
  CHECK(facts.gone[2].bytes == 50);  // it was open
  facts.take_internal(stats, kStart + 2 * kMinute);
  CHECK(facts.gone.empty());
}

TEST_CASE("consumers at work whose backlog does not shrink are worth a look") {
  survey::TopicFacts facts;
  const auto poll = [&](std::int64_t backlog, TimeMs now) {
    facts.take_sweep(topic_with(backlog, 1), "broker-0:8080", now);
    survey::plan_after_sweep(facts, false, now, kTimes);
    return facts.schedule.due_ms == now;
  };
  CHECK_FALSE(poll(50, kStart));
  CHECK_FALSE(poll(60, kStart + 9 * kMinute));
  SECTION("for ten minutes") { CHECK(poll(50, kStart + 10 * kMinute)); }
  SECTION("it shrank") {
    CHECK_FALSE(poll(49, kStart + 10 * kMinute));
    CHECK_FALSE(poll(55, kStart + 19 * kMinute));
    CHECK(poll(55, kStart + 20 * kMinute));
  }
  SECTION("it was gone") {
    CHECK_FALSE(poll(0, kStart + 10 * kMinute));
    CHECK_FALSE(poll(90, kStart + 11 * kMinute));
  }
}

TEST_CASE("what waits for its time is asked for like what deviates: only statistics tell when it is due") {
  survey::TopicFacts facts;
  const bool restarted = GENERATE(false, true);
  if (restarted) {
    facts.former_delays = true;
  } else {
    pulsar::TopicStats stats;
    stats.subscriptions.emplace_back().delayed_entries = 5;
    facts.take_stats(stats, kStart - kMinute);
  }
  const auto due = [&](std::int64_t backlog, TimeMs now) {
    facts.take_sweep(topic_with(backlog, 1), "broker-0:8080", now);
    survey::plan_after_sweep(facts, false, now, kTimes);
    return facts.schedule.due_ms != 0;
  };
  CHECK(due(50, kStart));
  CHECK_FALSE(due(0, kStart + kMinute));
  CHECK(due(40, kStart + 2 * kMinute));
  facts.take_stats({}, kStart + 2 * kMinute);
  CHECK_FALSE(due(39, kStart + 3 * kMinute));
}

TEST_CASE("a frozen suspect is asked again after 1, 2, 4, 6, 6 hours") {
  survey::TopicFacts facts;
  facts.take_sweep(topic_with(5, 0), "broker-0:8080", kStart);
  survey::plan_after_sweep(facts, false, kStart, kTimes);
  CHECK(facts.schedule.due_ms == kStart);
  TimeMs now = kStart;
  for (const int hours : {1, 2, 4, 6, 6}) {
    survey::plan_after_documents(facts, false, now, kTimes);
    CHECK(facts.schedule.reask == Duration{hours * kHour});
    survey::plan_after_sweep(facts, false, now + hours * kHour - kMinute, kTimes);
    CHECK(facts.schedule.due_ms == 0);
    now += hours * kHour;
    survey::plan_after_sweep(facts, false, now, kTimes);
    CHECK(facts.schedule.due_ms == now);
  }
  // Something moved: at once, and from the start.
  survey::plan_after_documents(facts, true, now, kTimes);
  CHECK(facts.schedule.reask == Duration{kHour});
}

TEST_CASE("verdicts from shorter windows need fresher documents, longer windows no older ones") {
  const survey::ReaskTimes hasty(std::chrono::hours{8}, std::chrono::minutes{3});
  CHECK(hasty.once == Duration{kHour});
  CHECK(hasty.frozen == Duration{150'000});
  CHECK(hasty.frozen_longest == Duration{15 * kMinute});
  CHECK(hasty.deviating == Duration{kMinute});
  const survey::ReaskTimes patient(std::chrono::hours{24 * 365}, std::chrono::hours{24});
  CHECK(patient.once == kTimes.once);
  CHECK(patient.frozen == kTimes.frozen);
  CHECK(patient.frozen_longest == kTimes.frozen_longest);
  CHECK(patient.deviating == kTimes.deviating);
}

TEST_CASE("consumerless without backlog is looked at once, then daily") {
  survey::TopicFacts facts;
  facts.take_sweep(topic_with(0, 0), "broker-0:8080", kStart);
  survey::plan_after_sweep(facts, false, kStart, kTimes);
  CHECK(facts.schedule.due_ms == kStart);
  survey::plan_after_documents(facts, false, kStart, kTimes);
  CHECK(facts.schedule.reask == Duration{24 * kHour});
}

TEST_CASE("what gets more suspicious is asked for at once, what gets less so is not") {
  survey::TopicFacts facts;
  const auto due_after = [&](std::int64_t backlog, int consumers, TimeMs now) {
    facts.take_sweep(topic_with(backlog, consumers), "broker-0:8080", now);
    survey::plan_after_sweep(facts, false, now, kTimes);
    const bool due = facts.schedule.due_ms == now;
    if (due) survey::plan_after_documents(facts, false, now, kTimes);
    return due;
  };
  CHECK(due_after(0, 0, kStart));
  CHECK_FALSE(due_after(0, 0, kStart + kMinute));
  // It had nothing to do, and was known to pin nothing; now somebody publishes.
  CHECK(due_after(5, 0, kStart + 2 * kMinute));
  CHECK_FALSE(due_after(9, 0, kStart + 3 * kMinute));
  CHECK_FALSE(due_after(0, 0, kStart + 4 * kMinute));
}

TEST_CASE("what between two sweeps is worth a question at once") {
  const auto asks = [](const pulsar::SweepTopic& before, pulsar::SweepTopic now, bool read_before = true) {
    survey::TopicFacts facts;
    auto first = before;
    first.messages_in = 100;
    now.messages_in += 100;
    facts.take_sweep(first, "b", kStart);
    if (read_before) facts.take_internal(pulsar::decode_internal_stats(internal_of("7:19")).value(), kStart);
    return facts.take_sweep(now, "b", kStart + kMinute);
  };
  CHECK_FALSE(asks(topic_with(5, 0), topic_with(5, 0)));
  CHECK(asks(topic_with(5, 0), topic_with(5, 1)));
  CHECK(asks(topic_with(5, 0), topic_with(4, 0)));
  CHECK(asks(topic_with(5, 0), topic_with(9, 0)));
  // More waits, and as much was published: nothing moved.
  auto published = topic_with(9, 0);
  published.messages_in = 4;
  CHECK_FALSE(asks(topic_with(5, 0), published));
  // At work, a falling backlog is everyday life; a jump is a seek.
  CHECK_FALSE(asks(topic_with(500, 1), topic_with(5, 1)));
  CHECK(asks(topic_with(5, 1), topic_with(500, 1)));
  // On a topic that was never read there is nothing to compare with.
  CHECK_FALSE(asks(topic_with(5, 1), topic_with(500, 1), false));
}
