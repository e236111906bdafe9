#include "history/exported.h"

#include <fstream>
#include <iterator>
#include <string>

#include "history/age.h"
#include "history/exported_answer.h"
#include "history/history.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using history::Exported;

namespace {

std::string read_data(const std::string& name) {
  std::ifstream in(std::string(TIDEMARK_TEST_DATA) + "/" + name);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  INFO(name);
  REQUIRE_FALSE(text.empty());
  return text;
}

constexpr model::Position kPlace{101, 19};

history::ExportedCursors of_one(std::vector<Exported> claims, TimeMs asked) {
  history::ExportedCursors exported;
  exported.asked_ms = asked;
  exported.topics["persistent://acme/shop/orders"]["sub"] = std::move(claims);
  return exported;
}

// The latest time of its last activity, once `claims` were taken in with its first position.
history::LastActivity after(const OneCursor& seen, std::vector<Exported> claims) {
  history::History history;
  history.expect(of_one(std::move(claims), kStart));
  model::Snapshot snapshot;
  snapshot.at_ms = seen.cursor.position_at_ms;
  auto topic = std::make_shared<model::TopicView>(seen.topic);
  topic->cursors = {seen.cursor};
  snapshot.topics = {topic};
  history.observe(snapshot);
  return history::last_activity(*history.find(topic->name, "sub"), seen.topic, seen.cursor);
}

OneCursor standing() {
  OneCursor seen;
  seen.at(kStart, kPlace);
  seen.cursor.cursor_ledger_last_entry = 5;  // no document bounds its age
  return seen;
}

}  // namespace

TEST_CASE("an exported age counts at the same place") {
  const auto known = after(standing(), {{kStart - kMinute, kPlace, kStart - 21 * kDay, kStart - 20 * kDay}});
  CHECK(known.latest == kStart - 20 * kDay);
  CHECK(known.latest_source == "an earlier export");
  CHECK(known.earliest == kStart - 21 * kDay);
}

TEST_CASE("the same place may be spelt otherwise") {
  const auto known = after(standing().at(kStart, {102, -1}), {{kStart, {101, 99}, {}, kStart - 20 * kDay}});
  CHECK(known.latest == kStart - 20 * kDay);
}

TEST_CASE("an exported age of another place says nothing, nor does what is older than that") {
  CHECK(after(standing(), {{kStart - kMinute, {101, 18}, {}, kStart - 20 * kDay}}).latest == kStart);
  CHECK(after(standing(), {{kStart - kMinute, {101, 18}, {}, kStart - kDay},
                           {kStart - 2 * kMinute, kPlace, {}, kStart - 20 * kDay}})
            .latest == kStart);
}

TEST_CASE("a time that nobody watched is bridged by the broker's clocks only") {
  const std::vector<Exported> claims{{kStart - 3 * kDay, kPlace, {}, kStart - 20 * kDay}};
  auto seen = standing();
  CHECK(after(seen, claims).latest == kStart);
  SECTION("which saw nobody since") {
    seen.cursor.flow_ms = kStart - 20 * kDay;
    CHECK(after(seen, claims).latest == kStart - 20 * kDay);
  }
  SECTION("which saw somebody since") {
    seen.cursor.flow_ms = kStart - kDay;
    CHECK(after(seen, claims).latest == kStart - kDay);
  }
  SECTION("of a load from before the last export") {
    seen.cursor.cursor_state = "NoLedger";
    seen.topic.epoch_started_ms = kStart - 4 * kDay;
    CHECK(after(seen, claims).latest == kStart - 20 * kDay);
  }
  SECTION("of a load since") {
    seen.cursor.cursor_state = "NoLedger";
    seen.topic.epoch_started_ms = kStart - 2 * kDay;
    CHECK(after(seen, claims).latest == kStart - 2 * kDay);
  }
}

TEST_CASE("exporters that follow each other are one") {
  const std::vector<Exported> claims{{kStart, kPlace, {}, kStart - 2 * kDay},
                                     {kStart - 2 * kDay, kPlace, {}, kStart - 20 * kDay}};
  CHECK(after(standing(), claims).latest == kStart - 20 * kDay);
}

TEST_CASE("a stale sibling does not make a cursor older than one that went on watching") {
  const std::vector<Exported> claims{{kStart, kPlace, {}, kStart - kDay},
                                     {kStart - 2 * kDay, kPlace, {}, kStart - 20 * kDay}};
  CHECK(after(standing(), claims).latest == kStart - kDay);
}

TEST_CASE("one of the same name that was made anew has no past") {
  auto seen = standing();
  seen.cursor.created_ms = kStart - kDay;
  CHECK(after(seen, {{kStart, kPlace, {}, kStart - 20 * kDay}}).latest == kStart);
}

TEST_CASE("what we saw ourselves is stronger") {
  CHECK(after(standing().at(kStart, kPlace, 1), {{kStart, kPlace, {}, kStart - 20 * kDay}}).latest == kStart);
}

TEST_CASE("a cursor may show its position long after Prometheus was asked") {
  auto seen = standing().at(kStart + kHour, kPlace);
  CHECK(after(seen, {{kStart, kPlace, {}, kStart - 20 * kDay}}).latest == kStart - 20 * kDay);
}

TEST_CASE("cursors without consumer and past are counted, once") {
  history::History history;
  const auto seen = standing();
  model::Snapshot snapshot;
  snapshot.at_ms = kStart;
  auto topic = std::make_shared<model::TopicView>(seen.topic);
  topic->cursors = {seen.cursor};
  snapshot.topics = {topic};
  history.observe(snapshot);
  CHECK(history.take_strangers() == 1);
  history.observe(snapshot);
  CHECK(history.take_strangers() == 0);
  // Asked for now, it is recognised although its position is known already.
  history.expect(of_one({{kStart, kPlace, {}, kStart - 20 * kDay}}, kStart + kMinute));
  history.observe(snapshot);
  CHECK(history.find(topic->name, "sub")->no_activity_since_ms == kStart - 20 * kDay);
}

TEST_CASE("a cluster's name cannot break the questions") {
  const auto queries = history::export_queries("a\"b\\c\nd", Duration{90000});
  CHECK(queries[2] == "last_over_time(tidemark_cursor_mark_delete_ledger_id{pulsar_cluster=\"a\\\"b\\\\c\\nd\"}[90s])");
}

TEST_CASE("the answers of a real Prometheus make one past a cursor and exporter") {
  history::ExportedAnswers answers;
  using Query = history::ExportQuery;
  const auto take = [&](Query query, const std::string& name) {
    return answers.take(query, name, read_data("prometheus-2.42.0/" + name));
  };
  REQUIRE(take(Query::kActivity, "activity.json").has_value());
  REQUIRE(take(Query::kActivityTime, "activity_time.json").has_value());
  REQUIRE(take(Query::kLedger, "ledger.json").has_value());
  REQUIRE(take(Query::kEntry, "entry.json").has_value());
  const auto exported = answers.cursors(1796031300000);
  REQUIRE(exported.topics.size() == 1);
  const auto& cursors = exported.topics.at("persistent://acme/shop/orders");
  REQUIRE(cursors.size() == 1);
  const model::Position place{10, 79};
  CHECK(cursors.at("gone") == std::vector<Exported>{{1796031239889, place, 1793439225591, 1793439225591},
                                                    {1796031239545, place, 1793439225542, 1793439225542}});
}

TEST_CASE("what is no answer of Prometheus is one clear error") {
  history::ExportedAnswers answers;
  const auto error = [&](std::string_view json) {
    return answers.take(history::ExportQuery::kLedger, "GET http://prom:9090/api/v1/query", json).error().text();
  };
  CHECK(error("{}") == "GET http://prom:9090/api/v1/query: not an answer of Prometheus' query API");
  CHECK(error(R"({"status":"error","errorType":"execution","error":"too many samples"})") ==
        "GET http://prom:9090/api/v1/query: too many samples");
  CHECK(error("<html>").starts_with("GET http://prom:9090/api/v1/query: byte 0"));
  CHECK(answers.cursors(kStart).topics.empty());
}
