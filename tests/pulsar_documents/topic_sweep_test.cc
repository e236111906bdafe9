#include "pulsar/topic_sweep.h"

#include <map>
#include <set>

#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using pulsar::testing::kVersions;
using pulsar::testing::named;
using pulsar::testing::near;
using pulsar::testing::sample;
using pulsar::testing::with;

namespace {

constexpr std::size_t kCap = 1U << 20U;

struct Sweep {
  std::map<std::string, SweepTopic> topics;
  std::set<std::string> namespaces;
  std::int64_t undecoded = 0;
  std::int64_t skipped = 0;
  Errc code = Errc::kNone;
};

Sweep read(std::string_view text, std::size_t piece = 4096) {
  Sweep sweep;
  auto splitter =
      split_sweep(kCap, [&sweep](formats::MemberSplitter::Path path, std::string_view item) -> Result<void> {
        auto topic = decode_sweep_topic(path.back(), item);
        if (topic.has_error()) {
          ++sweep.undecoded;
          return {};
        }
        sweep.namespaces.insert(path.front());
        auto name = topic->name;
        sweep.topics.emplace(std::move(name), std::move(*topic));
        return {};
      });
  for (std::size_t at = 0; at < text.size(); at += piece) REQUIRE(splitter.feed(text.substr(at, piece)).has_value());
  const auto done = splitter.finish();
  if (done.has_error()) sweep.code = done.error().code();
  sweep.skipped = splitter.skipped_items();
  return sweep;
}

}  // namespace

TEST_CASE("a sweep with a blocked consumer") {
  const struct {
    const char* version;
    std::int64_t storage;
    double rate_in, rate_out;
    std::size_t topics;
  } kWants[] = {{"2.10.5", 13799, 0.701, 0, 1},
                {"3.0.7", 13817, 0.894, 0, 2},
                {"4.0.7", 13799, 4.83, 1.511, 2},
                {"5.0.1", 13747, 3.916, 1.276, 2}};
  for (const auto& want : kWants) {
    INFO(want.version);
    auto sweep = read(sample(want.version, "sweep-blocked.json"));
    CHECK(sweep.code == Errc::kNone);
    CHECK(sweep.topics.size() == want.topics);
    CHECK(sweep.namespaces == std::set<std::string>{"acme/s08-blocked"});
    auto& topic = sweep.topics.at("persistent://acme/s08-blocked/orders");
    CHECK(topic.storage_bytes == want.storage);
    CHECK(topic.backlog_bytes == want.storage);
    CHECK(topic.messages_in == 60);
    CHECK(topic.bytes_in == want.storage);
    CHECK(topic.publishers == 1);
    CHECK(near(topic.rate_in, want.rate_in));
    CHECK(topic.replicators.empty());
    REQUIRE(topic.subscriptions.size() == 1);
    const auto& workers = topic.subscriptions[0];
    CHECK(workers.name == "workers");
    CHECK(workers.type == "Shared");
    CHECK(workers.consumers == 1);
    CHECK(workers.backlog_entries == 60);
    CHECK(workers.acked_ranges == 0);
    CHECK(workers.unacked_messages == 20);
    CHECK(workers.blocked_on_unacked);  // the consumer's flag
    CHECK(near(workers.rate_out, want.rate_out));
  }
}

TEST_CASE("a sweep with ack holes") {
  const std::pair<const char*, const char*> kNamespaces[] = {
      {"2.10.5", "s04-hole"}, {"3.0.7", "s04-hole-c"}, {"4.0.7", "s04-hole-b"}, {"5.0.1", "s04-hole-b"}};
  for (const auto& [version, ns] : kNamespaces) {
    INFO(version);
    auto sweep = read(sample(version, "sweep-holes.json"));
    auto& topic = sweep.topics.at("persistent://acme/" + std::string(ns) + "/oddname");
    const auto& cursor = named(topic.subscriptions, "team/a%b+c d \xC3\xA9");
    CHECK(cursor.acked_ranges == 2);
    CHECK(cursor.backlog_entries == 83);
    CHECK(cursor.unacked_messages == 20);
    CHECK(cursor.blocked_on_unacked);
    CHECK(cursor.consumers == 1);
  }
}

TEST_CASE("names of every kind, in any cutting") {
  const std::set<std::string> kTopics = {"back\\slash",  "new\nline", "quo\"te", "tab\tx",     "\xC3\xA9\xE6\xBC\xA2",
                                         "pl+us bl ank", "per%cent",  "q?a#b",   "semi;colon", "subs"};
  const std::set<std::string> kSubscriptions = {
      "a&b<c>?#;", "apos'",   "back\\slash", "ctl\x01",
      "new\nline", "quo\"te", "tab\t",       "uni \xC3\xA9 \xE6\xBC\xA2 \xF0\x9F\x98\x80"};
  const std::map<std::string, std::size_t> kCounts = {{"2.10.5", 52}, {"3.0.7", 75}, {"4.0.7", 69}, {"5.0.1", 77}};
  const std::string prefix = "persistent://acme/s19-names/";
  for (const auto* version : kVersions) {
    INFO(version);
    const auto text = sample(version, "sweep-names.json");
    auto sweep = read(text);
    CHECK(sweep.code == Errc::kNone);
    CHECK(sweep.undecoded == 0);
    CHECK(sweep.skipped == 0);
    CHECK(sweep.topics.size() == kCounts.at(version));
    for (const auto& name : kTopics) CHECK(sweep.topics.count(prefix + name) == 1);
    // A topic name with a slash is one of the old kind, up to 4.0; 5.0 refuses it and control characters.
    const std::size_t accepted = std::string(version) == "5.0.1" ? 0 : 1;
    CHECK(sweep.topics.count(prefix + "sl/ash") == accepted);
    CHECK(sweep.topics.count(prefix + "ctl\x01") == accepted);
    std::set<std::string> subscriptions;
    for (const auto& subscription : sweep.topics.at(prefix + "subs").subscriptions)
      subscriptions.insert(subscription.name);
    for (const auto& name : kSubscriptions) CHECK(subscriptions.count(name) == 1);
    for (const std::size_t piece : {1U, 7U, 65536U}) CHECK(read(text, piece).topics.size() == sweep.topics.size());
  }
}

TEST_CASE("a sweep: what no recorded document has") {
  for (const auto* version : {"2.10.5", "5.0.1"}) {
    INFO(version);
    auto text = sample(version, "sweep-blocked.json");
    // The last topic's, in both.
    const auto at = text.find("persistent://acme/s08-blocked/orders");
    auto tail = text.substr(at);
    tail = with(
        tail, "\"replication\":{}",
        R"("replication":{"west":{"connected":true,"msgRateExpired":0.0,"replicationBacklog":7,"replicationDelayInSeconds":0}})");
    tail = with(tail, "\"blockedSubscriptionOnUnackedMsgs\":false", "\"blockedSubscriptionOnUnackedMsgs\":true");
    tail = with(tail, "\"blockedConsumerOnUnackedMsgs\":true", "\"blockedConsumerOnUnackedMsgs\":false");
    tail = with(tail, "\"producerCount\":1,", "");
    auto sweep = read(text.substr(0, at) + tail);
    auto& topic = sweep.topics.at("persistent://acme/s08-blocked/orders");
    REQUIRE(topic.replicators.size() == 1);
    CHECK(topic.replicators[0].cluster == "west");
    CHECK(topic.replicators[0].connected);
    CHECK(topic.replicators[0].backlog_entries == 7);
    CHECK(topic.subscriptions.at(0).blocked_on_unacked);
    CHECK(topic.publishers == 1);  // counted from the list
  }
  CHECK(decode_sweep_topic("x", R"({"publishers":[],"producerCount":3,"subscriptions":{}})").value().publishers == 3);
}

TEST_CASE("a sweep tells since when the first of the consumers is there") {
  const auto read = [](const char* consumers) {
    const auto text = std::string(R"({"subscriptions":{"s":{"consumers":[)") + consumers + "]}}}";
    return decode_sweep_topic("x", text).value().subscriptions.at(0).connected_ms;
  };
  CHECK_FALSE(read(""));
  CHECK_FALSE(read(R"({"connectedSince":null},{})"));
  CHECK(read(R"({"connectedSince":"2026-11-29T21:45:43.812178222Z"},{"connectedSince":"2026-11-29T21:45:43Z"})") ==
        parse_iso8601("2026-11-29T21:45:43Z"));
  CHECK(read(R"({"connectedSince":"2026-11-29T22:45:43.812+01:00"})") == parse_iso8601("2026-11-29T21:45:43.812Z"));
}

TEST_CASE("a topic in which the broker broke off") {
  const std::string good = R"({"publishers":[],"subscriptions":{"s":{"consumers":[],"msgBacklog":1}},"storageSize":5})";
  // The subscription was never closed: its brackets match those that were meant for others, down to the last topic.
  const std::string open =
      R"({"publishers":[],"subscriptions":{"s":{"consumers":[],"t":{"consumers":[]}},"producerCount":0,"storageSize":5})";
  const std::string text = R"({"t/n":{"0x0":{"persistent":{"persistent://t/n/a":)" + good +
                           R"(,"persistent://t/n/b":)" + open + R"(,"persistent://t/n/c":)" + good + "}}}}";
  for (const std::size_t piece : {1U, 13U, 100000U}) {
    const auto sweep = read(text, piece);
    CHECK(sweep.topics.size() == 2);
    CHECK(sweep.topics.count("persistent://t/n/c") == 1);
    CHECK(sweep.skipped == 1);
  }
  SECTION("the last one of the document") {
    const auto last = read(R"({"t/n":{"0x0":{"persistent":{"persistent://t/n/a":)" + good +
                           R"(,"persistent://t/n/b":)" + open + "}}}}");
    CHECK(last.topics.size() == 1);
    CHECK(last.undecoded == 1);
    CHECK(last.code == Errc::kTruncated);
  }
}

TEST_CASE("errors of one topic name it") {
  CHECK(decode_sweep_topic("persistent://t/n/x", "{\"a\":}").error().text() ==
        "persistent://t/n/x: broker-stats: byte 5: Invalid value.");
  CHECK(decode_sweep_topic("bad\\x", "{}").has_error());
}
