// One part of a cluster: beside one broker, beside all of them, or a shard.

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "survey/questions.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE(
    "beside one broker: nothing is discovered, only what it has loaded is judged and dropped when it moved away") {
  auto alone = options();
  alone.share = {model::Watch::kSidecar, {}, kBroker};
  survey::Survey survey(alone);
  survey.begin_poll(kStart);
  for (const auto& ask : survey.topology()) {
    CHECK(ask.endpoint != pulsar::Endpoint::kTenants);
    CHECK(ask.endpoint != pulsar::Endpoint::kBrokers);
  }
  sweep(survey, kStart, sweep_of({{kOrders, {{"gone", 40, 0}}}, {kOther, {{"live", 0, 1}}}}));
  const auto asks = survey.topology();
  REQUIRE(asks.size() == 1);
  CHECK(asks[0].path == pulsar::policies_path("acme/shop"));
  CHECK(survey.end_poll()->topics.size() == 2);
  for (int poll = 1; poll <= 4; ++poll) {
    const auto now = kStart + poll * kMinute;
    survey.begin_poll(now);
    sweep(survey, now, sweep_of({{kOther, {{"live", 0, 1}}}}));
    CHECK(survey.end_poll()->topics.size() == (poll < 4 ? 2 : 1));
  }
}

TEST_CASE(
    "a shard asks about its namespaces and has no others' topics; the first one has all policies and the bookies") {
  const std::vector<std::string> all{"acme/a", "acme/b", "acme/c", "acme/d", "acme/e", "acme/f"};
  std::set<std::string> topics;
  for (int index = 0; index < 3; ++index) {
    auto mine = options();
    mine.share.shard = {index, 3};
    survey::Survey survey(mine);
    survey.begin_poll(kStart);
    std::set<std::string> listed;
    std::set<std::string> policies;
    bool bookies = false;
    for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) {
      for (const auto& ask : asks) {
        const auto ns = pulsar::parse_path(ask.path).ns;
        std::string body = ask.endpoint == pulsar::Endpoint::kPolicies ? "{}" : "[]";
        if (ask.endpoint == pulsar::Endpoint::kTenants) body = R"(["acme"])";
        if (ask.endpoint == pulsar::Endpoint::kNamespaces) {
          body = R"(["acme/a","acme/b","acme/c","acme/d","acme/e","acme/f"])";
        }
        if (ask.endpoint == pulsar::Endpoint::kTopics) listed.insert(ns);
        if (ask.endpoint == pulsar::Endpoint::kPolicies) policies.insert(ns);
        bookies = bookies || ask.endpoint == pulsar::Endpoint::kBookies;
        (void)survey.take(from_broker(kStart, ask.path, body));
      }
    }
    CHECK(bookies == (index == 0));
    CHECK(policies == (index == 0 ? std::set(all.begin(), all.end()) : listed));
    std::vector<std::pair<std::string, std::vector<Sub>>> loaded;
    for (const auto& ns : all) loaded.push_back({"persistent://" + ns + "/x", {{"gone", 40, 0}}});
    sweep(survey, kStart, sweep_of(loaded));
    const auto snapshot = survey.end_poll();
    CHECK(snapshot->topics.size() == listed.size());
    for (const auto& topic : snapshot->topics) {
      CHECK(listed.contains(topic->ns));
      CHECK(topics.insert(topic->name).second);  // nobody else has it
    }
  }
  CHECK(topics.size() == all.size());
}

namespace {

std::string names_of(const std::vector<std::string>& topics) {
  std::string members;
  for (const auto& topic : topics) members += (members.empty() ? "\"" : ",\"") + topic + R"(":{"dataLedgerOpenOp":0})";
  return R"({"acme/shop":{)" + members + "}}";
}

// One poll of who watches beside sidecars: what a broker has loaded, by name.
std::shared_ptr<const model::Snapshot> poll_beside(survey::Survey& survey, TimeMs now,
                                                   const std::vector<std::string>& loaded) {
  survey.begin_poll(now);
  answer_topology(survey, now, "[\"" + kOrders + "\",\"" + kOther + "\"]");
  const auto asks = survey.sweeps();
  REQUIRE(asks.size() == 1);
  CHECK(asks[0].path == pulsar::loaded_topics_path());
  REQUIRE(survey.take(from_broker(now, asks[0].path, names_of(loaded))).has_value());
  survey.end_sweeps();
  CHECK(asked_topics(survey).empty());
  for (auto info = survey.next_info(); info; info = survey.next_info()) {
    REQUIRE(survey.take(from_broker(now, info->path, info_of(-1))).has_value());
  }
  return survey.end_poll();
}

survey::Options beside() {
  auto made = options();
  made.share.watch = model::Watch::kBesideSidecars;
  return made;
}

}  // namespace

TEST_CASE("beside sidecars: no statistics are read, and what no broker has loaded at two polls is judged") {
  survey::Survey survey(beside());
  for (int poll = 0; poll <= 3; ++poll) {
    INFO(poll);
    const auto snapshot = poll_beside(survey, kStart + poll * kMinute, {kOther});
    CHECK(snapshot->namespaces.at("acme/shop").judged_elsewhere == (poll < 1 ? 2 : 1));
    REQUIRE(snapshot->topics.size() == (poll < 1 ? 0 : 1));
    CHECK(survey.take_newcomers() == (poll == 1 ? 1 : 0));
    if (poll < 1) continue;
    CHECK(snapshot->topics[0]->name == kOrders);
    CHECK(snapshot->topics[0]->loaded == model::Loaded::kNo);
    CHECK(snapshot->topics[0]->cursors.size() == 1);
  }
}

TEST_CASE("beside sidecars: what is loaded again is kept until its sidecar must have seen it") {
  survey::Survey survey(beside());
  for (int poll = 0; poll < 3; ++poll) poll_beside(survey, kStart + poll * kMinute, {kOther});
  for (int poll = 3; poll < 9; ++poll) {
    INFO(poll);
    const auto snapshot = poll_beside(survey, kStart + poll * kMinute, {kOther, kOrders});
    REQUIRE(snapshot->topics.size() == (poll < 6 ? 1 : 0));
    if (poll < 6) CHECK(snapshot->topics[0]->loaded == model::Loaded::kUnknown);
  }
  CHECK(poll_beside(survey, kStart + 9 * kMinute, {kOther})->topics.empty());
}

TEST_CASE("beside sidecars: after a restart what was ours is ours at once, unless somebody loaded it meanwhile") {
  for (const bool loaded : {false, true}) {
    survey::Survey survey(beside());
    survey.remember({kOrders, kStart - kMinute, 0, 0, {}});
    std::vector<std::string> names{kOther};
    if (loaded) names.push_back(kOrders);
    CHECK(poll_beside(survey, kStart, names)->topics.size() == (loaded ? 0 : 1));
  }
}

TEST_CASE("beside sidecars: while a broker does not answer, nothing is taken for unloaded") {
  survey::Survey survey(beside());
  poll_beside(survey, kStart, {kOther, kOrders});
  for (int poll = 1; poll < 6; ++poll) {
    const auto now = kStart + poll * kMinute;
    survey.begin_poll(now);
    REQUIRE(survey.take(from_broker(now, pulsar::loaded_topics_path(), "", 503)).has_value());
    CHECK(survey.end_poll()->topics.empty());
  }
}
