#include "report/api_json.h"

#include <rapidjson/document.h>

#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::State;

namespace {

rapidjson::Document parsed(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  INFO(text);
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

const rapidjson::Value& cursor_named(const rapidjson::Document& document, const std::string& name) {
  for (const auto& row : document["cursors"].GetArray()) {
    if (name == row["cursor"].GetString()) return row;
  }
  FAIL("no cursor " << name);
  return document;
}

std::string names(const std::string& json) {
  const auto document = parsed(json);
  std::string text;
  for (const auto& row : document["cursors"].GetArray()) {
    text += (text.empty() ? "" : " ") + std::string(row["cursor"].GetString());
  }
  return text;
}

}  // namespace

TEST_CASE("an empty cluster is a whole document") {
  CHECK(
      findings_json({}) ==
      R"({"at_ms":0,"cursors":[],"findings":[],"removed":[],"coverage":{"listed":0,"evaluated":0,"unknown":0,"unattributed_ledgers":null,"by_namespace":{}}})");
}

TEST_CASE("a cursor field by field") {
  const auto document = parsed(findings_json(report_samples::verdicts()));
  CHECK(document["at_ms"].GetInt64() == report_samples::kNow);
  const auto& row = cursor_named(document, "billing");
  CHECK(row["topic"] == "persistent://acme/orders/events-partition-0");
  CHECK(row["kind"] == "subscription");
  CHECK(row["state"] == "abandoned");
  CHECK(row["drain"] == "none");
  CHECK(row["origin"] == "named");
  CHECK(row["group"] == "billing");
  CHECK(row["owner"] == "payments");
  CHECK(row["since_ms"].GetInt64() == report_samples::kNow - 9 * report_samples::kDay);
  CHECK(row["created_ms"].IsNull());
  CHECK(row["age_seconds"]["low"].IsInt());
  CHECK(row["age_seconds"]["low"].GetInt() == 777600);
  CHECK(row["age_seconds"]["high"].GetDouble() == 777601.5);
  CHECK(row["evidence"] == "observed");
  CHECK(row["mark_delete"] == "101:-1");
  CHECK(row["last_confirmed"] == "107:3");
  CHECK(row["consumers"].GetInt() == 0);
  CHECK(row["pinned_entries"].GetInt() == 42);
  CHECK(row["pinned_bytes"].GetInt() == 5000);
  CHECK(row["reclaimable_bytes"].GetInt() == 4000);
  CHECK(row["topic_reclaimable_bytes"].GetInt() == 4000);
  CHECK(row["reclaimable_shared_with"].Empty());
  CHECK(row["hole"].IsNull());
  CHECK(row["stale"].IsFalse());
  CHECK(row["last_state"].IsNull());
  CHECK(row["backlog_entries"].GetInt() == 42);
}

TEST_CASE("what nobody knows is null, never left out") {
  const auto document = parsed(findings_json(report_samples::verdicts()));
  const auto& blank = cursor_named(document, "blank");
  for (const auto* name : {"last_state", "owner", "exception", "since_ms", "state_since_ms", "created_ms",
                           "mark_delete", "last_confirmed", "consumers", "backlog_entries", "pinned_entries",
                           "pinned_bytes", "reclaimable_bytes", "topic_reclaimable_bytes", "hole"}) {
    INFO(name);
    REQUIRE(blank.HasMember(name));
    CHECK(blank[name].IsNull());
  }
  CHECK(blank["age_seconds"]["low"].IsNull());
  CHECK(blank["age_seconds"]["high"].IsNull());
  const auto& kept = cursor_named(document, "nightly");
  CHECK(kept["state"] == "unknown");
  CHECK(kept["last_state"] == "abandoned");
  CHECK(kept["stale"].IsTrue());
}

TEST_CASE("an exception says why and until when") {
  auto verdicts = report_samples::verdicts();
  verdicts.cursors.front().exception = model::Exception{"read once a year", 1767225600000};
  const auto document = parsed(findings_json(verdicts));
  CHECK(document["cursors"][0]["exception"]["reason"] == "read once a year");
  CHECK(document["cursors"][0]["exception"]["until_ms"].GetInt64() == 1767225600000);
  verdicts.cursors.front().exception = model::Exception{"read once a year", std::nullopt};
  CHECK(parsed(findings_json(verdicts))["cursors"][0]["exception"]["until_ms"].IsNull());
}

TEST_CASE("hostile names survive, mended where they are no UTF-8") {
  auto name = report_samples::hostile_name();
  name.replace(name.size() - 1, 1, "\xEF\xBF\xBD");
  const auto document = parsed(findings_json(report_samples::verdicts()));
  const auto& row = cursor_named(document, name);
  CHECK(row["topic"].GetString() == report_samples::hostile_topic());
  CHECK(row["evidence_facts"]["note"].GetString() == name);
  CHECK(row["hole"]["first"] == "100:15");
  CHECK(row["hole"]["holder"].IsNull());
}

TEST_CASE("findings, their evidence and the coverage") {
  const auto verdicts = report_samples::verdicts();
  const auto document = parsed(findings_json(verdicts));
  REQUIRE(document["findings"].Size() == verdicts.findings.size());
  const auto& evidence = document["findings"][0]["evidence"];
  CHECK(evidence["text"] == "a \"b\"");
  CHECK(evidence["count"].GetInt64() == 9007199254740993);
  CHECK(evidence["ratio"].GetDouble() == 0.25);
  CHECK(evidence["flag"].IsTrue());
  CHECK(evidence["none"].IsNull());
  const auto& held = document["findings"][document["findings"].Size() - 1];
  CHECK(held["rule"] == "held_without_cursor");
  CHECK(held["level"] == "topic");
  CHECK(held["severity"] == "info");
  CHECK(held["cursor"].IsNull());
  CHECK(held["namespace"].IsNull());
  CHECK(document["coverage"]["listed"].GetInt() == 7);
  CHECK(document["coverage"]["by_namespace"]["beta/jobs"]["unknown"].GetInt() == 2);
}

TEST_CASE("cursors are filtered and paged") {
  const auto verdicts = report_samples::verdicts();
  CursorFilter filter;
  filter.ns = "acme/orders";
  filter.state = State::kAbandoned;
  CHECK(names(cursors_json(verdicts, filter)) == "worker-1 worker-2 worker-3 billing spark-7");
  filter.offset = 1;
  filter.limit = 2;
  const auto page = parsed(cursors_json(verdicts, filter));
  CHECK(page["total"].GetInt() == 5);
  CHECK(page["offset"].GetInt() == 1);
  CHECK(page["limit"].GetInt() == 2);
  CHECK(names(cursors_json(verdicts, filter)) == "worker-2 worker-3");
  filter.offset = 100;
  CHECK(names(cursors_json(verdicts, filter)).empty());

  CursorFilter by_topic;
  by_topic.topic = "persistent://acme/orders/events";
  CHECK(names(cursors_json(verdicts, by_topic)) == "billing billing");
  by_topic.topic = "persistent://acme/orders/events-partition-1";
  CHECK(names(cursors_json(verdicts, by_topic)) == "billing");

  CursorFilter by_tenant;
  by_tenant.tenant = "beta";
  by_tenant.state = State::kAbandoned;  // by the verdict it kept
  CHECK(names(cursors_json(verdicts, by_tenant)) == "nightly");
  CursorFilter by_name;
  by_name.cursor = "spark-7";
  CHECK(names(cursors_json(verdicts, by_name)) == "spark-7");
}

TEST_CASE("a query becomes a filter or one line of refusal") {
  const auto good = parse_cursor_filter({{"tenant", "t"},
                                         {"namespace", "t/n"},
                                         {"topic", "persistent://t/n/x"},
                                         {"cursor", "c"},
                                         {"state", "idle"},
                                         {"limit", "5"},
                                         {"offset", "10"}});
  REQUIRE(good.has_value());
  CHECK(good->tenant == "t");
  CHECK(good->ns == "t/n");
  CHECK(good->topic == "persistent://t/n/x");
  CHECK(good->cursor == "c");
  CHECK(good->state == State::kIdle);
  CHECK(good->limit == 5);
  CHECK(good->offset == 10);
  CHECK(parse_cursor_filter({})->limit == 1000);
  using Query = std::vector<std::pair<std::string, std::string>>;
  for (const auto& query : {Query{{"state", "broken"}}, Query{{"limit", "-1"}}, Query{{"limit", "1e3"}},
                            Query{{"offset", ""}}, Query{{"offset", "99999999999999999999"}}, Query{{"namespace", "n"}},
                            Query{{"topic", "x"}}, Query{{"tennant", "t"}}}) {
    INFO(query[0].first << "=" << query[0].second);
    CHECK(parse_cursor_filter(query).has_error());
  }
}
