#include "report/logical.h"

#include "report/samples.h"
#include "report/sums.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::State;

namespace {

const std::string kTopic = "persistent://t/n/x";

model::CursorVerdict leftover(const std::string& name, const std::string& group, std::int64_t reclaimable,
                              std::vector<std::string> tied = {}) {
  auto verdict = report_samples::cursor(kTopic, name, State::kAbandoned);
  verdict.group = group;
  verdict.reclaimable_bytes = reclaimable;
  verdict.topic_reclaimable_bytes = 1000;
  if (!tied.empty()) verdict.tie = report_samples::tie(tied);
  return verdict;
}

model::Verdicts of(std::vector<model::CursorVerdict> cursors) {
  model::Verdicts verdicts;
  verdicts.cursors = std::move(cursors);
  return verdicts;
}

}  // namespace

TEST_CASE("the worst state first") {
  CHECK(is_worse(State::kAbandoned, State::kRewound));
  CHECK(is_worse(State::kAbandoned, State::kIdle));
  CHECK(is_worse(State::kIdle, State::kUnused));
  CHECK(is_worse(State::kUnused, State::kUnknown));
  CHECK(is_worse(State::kUnknown, State::kOk));
  CHECK_FALSE(is_worse(State::kOk, State::kOk));
}

TEST_CASE("an unknown cursor counts under the verdict it kept") {
  auto verdict = report_samples::cursor(kTopic, "s", State::kUnknown);
  CHECK(counted_state(verdict) == State::kUnknown);
  verdict.last_state = State::kAbandoned;
  CHECK(counted_state(verdict) == State::kAbandoned);
  verdict.state = State::kOk;
  CHECK(counted_state(verdict) == State::kOk);
}

TEST_CASE("partitions are one subscription with the worst state and the bytes summed") {
  auto first = report_samples::cursor(kTopic + "-partition-0", "s", State::kOk);
  auto second = report_samples::cursor(kTopic + "-partition-10", "s", State::kAbandoned);
  auto third = report_samples::cursor(kTopic + "-partition-9", "s", State::kAbandoned);
  first.pinned_bytes = std::nullopt;
  second.pinned_bytes = 5;
  third.pinned_bytes = 7;
  auto reader = report_samples::cursor(kTopic, "r", State::kOk);
  reader.kind = model::CursorKind::kReader;
  const auto verdicts = of({reader, first, second, third});
  const auto all = logical_subscriptions(verdicts);
  REQUIRE(all.size() == 1);
  CHECK(all[0].place.parent == kTopic);
  CHECK(all[0].place.ns == "t/n");
  CHECK(all[0].place.tenant == "t");
  CHECK(all[0].state == State::kAbandoned);
  CHECK(all[0].worst->topic == third.topic);
  CHECK(all[0].partitions.size() == 3);
  CHECK(all[0].pinned_bytes == 12);
  CHECK(all[0].topic_reclaimable_bytes == std::nullopt);
}

TEST_CASE("sums count a topic and a tie once") {
  const auto verdicts = report_samples::verdicts();
  const auto sums = sum_up(verdicts);
  const auto& orders = sums.namespaces.at("acme/orders");
  CHECK(orders.tenant == "acme");
  CHECK(orders.pinned_bytes == 5000 + 10 + 3000 + 800);
  CHECK(orders.reclaimable_bytes == 4000 + 0 + 900 + 700);
  CHECK(orders.oldest_abandoned_ms == report_samples::kNow - 9 * report_samples::kDay);
  CHECK(sums.pinned_bytes == 5000 + 10 + 3000 + 800 + 1000 + 1000);
  // On `audit` the group has all leftovers: the topic's figure. On `other` it does not hold the slowest: nothing.
  CHECK(sums.groups.at({"acme/orders", "worker-*"}).reclaimable_bytes == 900 + 0);
  CHECK(sums.groups.at({"acme/orders", "worker-*"}).pinned_bytes == 3000 + 0);
  CHECK(sums.groups.at({"acme/orders", "spark-*"}).reclaimable_bytes == 700);
}

TEST_CASE("a subscription is silenced when each of its worst partitions is") {
  auto first = report_samples::cursor(kTopic + "-partition-0", "s", State::kAbandoned);
  auto second = report_samples::cursor(kTopic + "-partition-1", "s", State::kAbandoned);
  first.exception = model::Exception{"kept", {}};
  first.pinned_bytes = 900;
  second.pinned_bytes = 1;
  CHECK_FALSE(logical_subscriptions(of({first, second})).at(0).worst->exception);
  CHECK_FALSE(logical_subscriptions(of({second, first})).at(0).worst->exception);
  second.exception = first.exception;
  const auto verdicts = of({first, second});
  CHECK(logical_subscriptions(verdicts).at(0).worst->exception);
  CHECK(logical_subscriptions(verdicts).at(0).worst->pinned_bytes == 900);
}

TEST_CASE("what a group frees beside leftovers of others") {
  struct Row {
    const char* what;
    std::vector<model::CursorVerdict> cursors;
    std::optional<std::int64_t> freed;  // by the group g
  };
  auto idle = leftover("c", "g", 0);
  idle.state = State::kIdle;
  auto silenced = leftover("a", "g", 500);
  silenced.exception = model::Exception{"kept", {}};
  auto blind = leftover("c", "g", 0);
  blind.reclaimable_bytes = std::nullopt;
  const std::vector<Row> rows{
      {"alone", {leftover("a", "g", 10)}, 1000},
      {"slowest", {leftover("a", "g", 10), leftover("b", "h", 0)}, 10},
      {"not the slowest", {leftover("a", "g", 0), leftover("b", "h", 10)}, 0},
      {"tied within",
       {leftover("a", "g", 10, {"a", "b"}), leftover("b", "g", 10, {"a", "b"}), leftover("c", "h", 0)},
       10},
      {"tied with another's", {leftover("a", "g", 10, {"a", "b"}), leftover("b", "h", 10, {"a", "b"})}, 0},
      {"silenced ones are none either", {silenced, leftover("b", "g", 20), leftover("c", "h", 0)}, 20},
      {"idle ones are no leftovers", {idle}, std::nullopt},
      {"nobody knows", {leftover("a", "h", 0), blind}, std::nullopt},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    const auto verdicts = of(row.cursors);
    CHECK(sum_up(verdicts).groups.at({"t/n", "g"}).reclaimable_bytes == row.freed);
  }
}

TEST_CASE("nothing sums to nothing") {
  const model::Verdicts none;
  const auto sums = sum_up(none);
  CHECK(sums.topics.empty());
  CHECK(sums.pinned_bytes == std::nullopt);
  CHECK(logical_subscriptions(none).empty());
}
