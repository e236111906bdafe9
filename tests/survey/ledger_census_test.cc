// The looks through all ledgers: what is asked, in which order, and what is made of the answers.
#include <algorithm>
#include <map>

#include "formats/base64.h"
#include "support/catch.h"
#include "survey/documents.h"
#include "survey/survey.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::Unreferenced;
using pulsar::Endpoint;

namespace {

constexpr TimeMs kDay = 24 * kHour;
const std::string kBroker = "broker-0:8080";
const std::string kBookie = "bookie-0:8000";
const std::string kLost = "persistent://acme/shop/lost";

std::string entry(std::int64_t id, const std::vector<std::pair<std::string, std::string>>& tags, TimeMs created) {
  std::string text = R"("application":")" + formats::encode_base64("pulsar") + "\"";
  for (const auto& [name, value] : tags) text += ",\"" + name + "\":\"" + formats::encode_base64(value) + "\"";
  return fmt::format(R"("{}":{{"state":"CLOSED","length":100,"writeQuorumSize":2,"ctime":{},"customMetadata":{{{}}}}})",
                     id, created, text);
}

std::string data(std::int64_t id, const std::string& topic = "orders", TimeMs created = kStart - 2 * kDay) {
  return entry(id, {{"component", "managed-ledger"}, {"pulsar/managed-ledger", "acme/shop/persistent/" + topic}},
               created);
}

std::string cursor(std::int64_t id, const std::string& name) {
  return entry(id,
               {{"component", "managed-ledger"},
                {"pulsar/managed-ledger", "acme/shop/persistent/orders"},
                {"pulsar/cursor", name}},
               kStart - 2 * kDay);
}

std::string schema(std::int64_t id, const std::string& topic = "orders") {
  return entry(id, {{"component", "schema"}, {"pulsar/schemaId", "acme/shop/" + topic}}, kStart - 2 * kDay);
}

std::string compacted(std::int64_t id, const std::string& topic) {
  return entry(id, {{"component", "compacted-ledger"}, {"pulsar/compactedTopic", "persistent://acme/shop/" + topic}},
               kStart - 2 * kDay);
}

// A cluster of one broker and one bookie that answers by path, and everything it was asked for. A path that is in
// `answers` wins, 404 for what nobody knows.
struct Cluster {
  survey::Survey survey;
  std::map<std::string, std::pair<int, std::string>> answers;
  std::vector<std::string> asked;

  explicit Cluster(survey::Options options) : survey(std::move(options)) {
    answers = {{"/admin/v2/brokers/version", {200, "4.0.7"}},
               {"/admin/v2/clusters", {200, R"(["west"])"}},
               {"/admin/v2/tenants", {200, R"(["acme"])"}},
               {"/admin/v2/namespaces/acme", {200, R"(["acme/shop"])"}},
               {"/admin/v2/namespaces/acme/shop", {200, "{}"}},
               {"/admin/v2/persistent/acme/shop?includeSystemTopic=true", {200, "[\"" + kOrders + "\"]"}},
               {pulsar::sweep_path(), {200, sweep_of({{kOrders, {{"sub", 0, 1}}}})}},
               {pulsar::internal_info_path(kOrders), {200, info_of(9)}},
               {pulsar::internal_info_path(kLost), {500, "<html>"}},
               {pulsar::schema_metadata_path(kOrders), {200, R"({"info":{"ledgerId":30},"index":[{"ledgerId":30}]})"}}};
  }

  void list(const std::vector<std::string>& entries) {
    std::string text;
    for (const auto& one : entries) text += (text.empty() ? "" : ",") + one;
    answers[pulsar::ledger_list_path(1)] = {200, "{" + text + "}"};
    answers[pulsar::ledger_list_path(2)] = {200, "{ }"};
  }

  std::shared_ptr<const model::Snapshot> poll(TimeMs at) {
    asked.clear();
    survey.begin_poll(at);
    for (auto asks = survey.topology(); !asks.empty(); asks = survey.topology()) all(at, asks);
    all(at, survey.sweeps());
    survey.end_sweeps();
    for (auto page = survey.next_ledger_page(); page; page = survey.next_ledger_page()) take(at, *page);
    for (auto asks = survey.next_suspect(kBroker); !asks.empty(); asks = survey.next_suspect(kBroker)) all(at, asks);
    for (auto ask = survey.next_info(); ask; ask = survey.next_info()) take(at, *ask);
    return survey.end_poll();
  }

  bool was_asked(const std::string& path) const { return std::find(asked.begin(), asked.end(), path) != asked.end(); }

 private:
  void all(TimeMs at, const std::vector<survey::Ask>& asks) {
    for (const auto& ask : asks) take(at, ask);
  }

  void take(TimeMs at, const survey::Ask& ask) {
    asked.push_back(ask.path);
    const auto known = answers.find(ask.path);
    const auto& [status, body] = known == answers.end() ? std::pair<int, std::string>{404, ""} : known->second;
    (void)survey.take({at, ask.target, ask.name, ask.path, status, body});
  }
};

survey::Options options(Duration interval = Duration{kDay}) {
  survey::Options made;
  made.seed = kBroker;
  made.bookies = {kBookie};
  made.audit_share = 0;
  made.ledger_list_interval = interval;
  return made;
}

// What of `id` was concluded; empty: something refers to it.
std::optional<Unreferenced> why(const model::LedgerPass& pass, std::int64_t id) {
  for (const auto& loose : pass.loose) {
    if (loose.ledger.id == id) return loose.why;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("ledgers are held against the documents of whom they name") {
  Cluster cluster(options());
  cluster.list({data(5), data(7), data(11, "lost"), cursor(9, "sub"), cursor(12, "sub"), cursor(13, "left"), schema(30),
                schema(31), compacted(40, "orders"), compacted(41, "lost"), R"("50":null)",
                data(60, "orders", kStart - kHour)});
  const auto pass = cluster.poll(kStart)->ledgers;
  REQUIRE(pass);
  CHECK(pass->at_ms == kStart);
  CHECK(pass->ledgers == 12);
  CHECK(why(*pass, 5) == Unreferenced::kUnlisted);
  CHECK_FALSE(why(*pass, 7));
  CHECK(why(*pass, 11) == Unreferenced::kTopicGone);
  CHECK_FALSE(why(*pass, 9));
  CHECK(why(*pass, 12) == Unreferenced::kUnlisted);
  CHECK(why(*pass, 13) == Unreferenced::kCursorGone);
  CHECK_FALSE(why(*pass, 30));
  CHECK(why(*pass, 31) == Unreferenced::kUnlisted);
  CHECK(why(*pass, 40) == Unreferenced::kCursorGone);  // without a cursor of compaction nothing refers to it
  CHECK(why(*pass, 41) == Unreferenced::kTopicGone);
  CHECK(why(*pass, 50) == Unreferenced::kUnproven);
  CHECK(why(*pass, 60) == Unreferenced::kUnlisted);  // how old it is is for who judges
}

TEST_CASE("a compacted ledger is held against what the broker uses, a delayed index's against its cursor") {
  Cluster cluster(options());
  const auto bucket = [](std::int64_t id, const std::string& sub) {
    return entry(id,
                 {{"component", "delayed-index-bucket"},
                  {"pulsar/delayedIndexTopic", kOrders},
                  {"pulsar/delayedIndexCursor", sub}},
                 kStart - 2 * kDay);
  };
  cluster.list({compacted(40, "orders"), compacted(42, "orders"), bucket(50, "__compaction"), bucket(51, "left")});
  cluster.answers[pulsar::internal_info_path(kOrders)] = {200, info_of(9, "__compaction")};
  auto internal = internal_of("8:49");
  internal.insert(1, R"("compactedLedger":{"ledgerId":42,"entries":1,"size":5},)");
  cluster.answers[pulsar::internal_stats_path(kOrders)] = {200, internal};
  cluster.answers[pulsar::stats_path(kOrders)] = {200, stats_of({"sub", 0, 1})};
  const auto pass = cluster.poll(kStart)->ledgers;
  REQUIRE(pass);
  CHECK(why(*pass, 40) == Unreferenced::kUnlisted);
  CHECK_FALSE(why(*pass, 42));
  CHECK(why(*pass, 50) == Unreferenced::kUnproven);  // no document shows what its cursor refers to
  CHECK(why(*pass, 51) == Unreferenced::kCursorGone);
}

TEST_CASE("without the document that would refer to it nothing is proven") {
  struct Row {
    const char* why;
    std::string path;
    std::int64_t id;
  };
  const std::vector<Row> rows{
      {"its topic's metadata is refused", pulsar::internal_info_path(kOrders), 5},
      {"its schema's ledgers are", pulsar::schema_metadata_path(kOrders), 31},
      {"the metadata of a topic that no list has", pulsar::internal_info_path(kLost), 11},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    Cluster cluster(options());
    cluster.list({data(5), data(11, "lost"), schema(31)});
    cluster.answers[row.path] = {403, ""};
    const auto pass = cluster.poll(kStart)->ledgers;
    REQUIRE(pass);
    CHECK(why(*pass, row.id) == Unreferenced::kUnproven);
  }
  // A refusal alone does not make a topic go that the lists have.
  Cluster cluster(options());
  cluster.list({data(5)});
  cluster.answers[pulsar::internal_info_path(kOrders)] = {500, ""};
  const auto pass = cluster.poll(kStart)->ledgers;
  REQUIRE(pass);
  CHECK(why(*pass, 5) == Unreferenced::kUnproven);
}

TEST_CASE("who has no schema document is asked for the broker's own list of its schema's ledgers") {
  Cluster cluster(options());
  cluster.answers["/admin/v2/brokers/version"] = {200, "3.0.7"};
  cluster.list({schema(30), schema(31)});
  auto internal = internal_of("8:49");
  internal.insert(1, R"("schemaLedgers":[{"ledgerId":30,"entries":1,"size":5}],)");
  cluster.answers[pulsar::internal_stats_path(kOrders)] = {200, internal};
  cluster.answers[pulsar::stats_path(kOrders)] = {200, stats_of({"sub", 0, 1})};
  const auto pass = cluster.poll(kStart)->ledgers;
  REQUIRE(pass);
  CHECK_FALSE(cluster.was_asked(pulsar::schema_metadata_path(kOrders)));
  CHECK_FALSE(why(*pass, 30));
  CHECK(why(*pass, 31) == Unreferenced::kUnlisted);
}

TEST_CASE("the list is read once an interval, and only where it is wanted") {
  Cluster off(options(Duration{0}));
  off.list({data(5)});
  CHECK_FALSE(off.poll(kStart)->ledgers);
  CHECK_FALSE(off.was_asked(pulsar::ledger_list_path(1)));

  Cluster cluster(options());
  cluster.list({data(5)});
  const auto first = cluster.poll(kStart)->ledgers;
  REQUIRE(first);
  CHECK(cluster.was_asked(pulsar::ledger_list_path(2)));
  CHECK(cluster.poll(kStart + kDay - 1)->ledgers == first);
  CHECK_FALSE(cluster.was_asked(pulsar::ledger_list_path(1)));
  const auto snapshot = cluster.poll(kStart + kDay);
  CHECK(snapshot->ledgers->at_ms == kStart + kDay);
  CHECK(snapshot->ledgers_before == first);
}

TEST_CASE("a page that fails is tried again, and the list is given up after five times") {
  Cluster cluster(options());
  cluster.list({data(5)});
  cluster.answers[pulsar::ledger_list_path(2)] = {500, ""};
  CHECK_FALSE(cluster.poll(kStart)->ledgers);
  cluster.answers[pulsar::ledger_list_path(2)] = {200, "{}"};
  const auto snapshot = cluster.poll(kStart + kMinute);
  REQUIRE(snapshot->ledgers);
  CHECK_FALSE(cluster.was_asked(pulsar::ledger_list_path(1)));
  CHECK(snapshot->ledgers->at_ms == kStart);

  Cluster broken(options());
  broken.answers[pulsar::ledger_list_path(1)] = {500, ""};
  for (int i = 0; i < 5; ++i) {
    CHECK_FALSE(broken.poll(kStart + i * kMinute)->ledgers);
    CHECK(broken.was_asked(pulsar::ledger_list_path(1)));
  }
  (void)broken.poll(kStart + 5 * kMinute);
  CHECK_FALSE(broken.was_asked(pulsar::ledger_list_path(1)));
  broken.list({data(5)});
  CHECK(broken.poll(kStart + kDay)->ledgers);
}

TEST_CASE("as many pages are read in a poll as their ledgers are worth metadata reads") {
  auto slow = options();
  slow.internal_info_rate = 5;  // 300 reads a minute
  Cluster cluster(slow);
  for (int page = 1; page <= 5; ++page) cluster.answers[pulsar::ledger_list_path(page)] = {200, "{" + data(page) + "}"};
  cluster.answers[pulsar::ledger_list_path(6)] = {200, "{}"};
  CHECK_FALSE(cluster.poll(kStart)->ledgers);
  CHECK(cluster.was_asked(pulsar::ledger_list_path(3)));
  CHECK_FALSE(cluster.was_asked(pulsar::ledger_list_path(4)));
  const auto pass = cluster.poll(kStart + kMinute)->ledgers;
  REQUIRE(pass);
  CHECK(pass->ledgers == 5);
}

TEST_CASE("a topic that is asked for on a ledger's account alone is no topic of the cluster") {
  Cluster cluster(options());
  cluster.list({data(11, "lost")});
  cluster.answers[pulsar::internal_info_path(kLost)] = {200, info_of(-1)};  // in no list, and yet there
  const auto snapshot = cluster.poll(kStart);
  CHECK(snapshot->topics.size() == 1);
  REQUIRE(snapshot->ledgers);
  CHECK(why(*snapshot->ledgers, 11) == Unreferenced::kUnproven);
}
