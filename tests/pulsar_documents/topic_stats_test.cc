#include "pulsar/topic_stats.h"

#include <cstdlib>

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

TopicStats read(const std::string& version, const std::string& name) {
  auto stats = decode_topic_stats(sample(version, name));
  REQUIRE(stats.has_value());
  return std::move(*stats);
}

}  // namespace

TEST_CASE("stats of a live and an abandoned subscription") {
  struct Want {
    const char* version;
    std::int64_t storage, backlog, bytes_in;
    double rate_in;
    const char* owner;
    double live_rate_out;
    TimeMs live_flow, live_advanced, gone_flow, gone_advanced;
    const char* consumer;
    std::int64_t gone_bytes;  // 2.x: 0 unless asked for
  };
  const Want kWants[] = {
      {"2.10.5", 25492, 23342, 30465, 7.866804852526704, "", 7.867803296078625, 1795989303331, 1795989322382,
       1795989304446, 1795989322382, "43fc30d2d8", 0},
      {"3.0.7", 25810, 23190, 30350, 6.0159828746461645, "127.0.0.1:8104", 5.7243246485009145, 1795989228887,
       1795989243279, 1795989229240, 1795989243223, "80b8afe9a1", 23190},
      {"4.0.7", 24384, 22204, 29311, 6.434908112778903, "127.0.0.1:8100", 6.538724319732372, 1795988573817,
       1795988597034, 1795988574989, 1795988597079, "cf981a278f", 22204},
      {"5.0.1", 25129, 22869, 29753, 4.719754372079411, "127.0.0.1:8101", 4.133927602145582, 1795988576175,
       1795988597191, 1795988576592, 1795988597144, "27d3d0c8d2", 22869},
  };
  for (const auto& want : kWants) {
    INFO(want.version);
    auto stats = read(want.version, "stats-live.json");
    CHECK(stats.storage_bytes == want.storage);
    CHECK(stats.backlog_bytes == want.backlog);
    CHECK(stats.messages_in == 130);
    CHECK(stats.bytes_in == want.bytes_in);
    CHECK(stats.publishers == 1);
    CHECK(near(stats.rate_in, want.rate_in));
    CHECK(stats.open_transactions == 0);
    CHECK(stats.owner_broker == want.owner);
    CHECK(stats.replicators.empty());
    REQUIRE(stats.subscriptions.size() == 2);

    const auto& live = named(stats.subscriptions, "live");
    CHECK(live.type == "Exclusive");
    REQUIRE(live.consumers.at(0).connected_ms);
    CHECK(std::llabs(*live.consumers.at(0).connected_ms - want.live_flow) < 60000);
    CHECK(live.durable);
    CHECK(!live.replicated);
    CHECK(live.backlog_entries == 0);
    CHECK(live.backlog_bytes == 0);
    CHECK(near(live.rate_out, want.live_rate_out));
    CHECK(live.messages_out == 130);
    CHECK(live.flow_ms == want.live_flow);
    CHECK(live.mark_delete_advanced_ms == want.live_advanced);
    CHECK(!live.expired_ms);
    CHECK(!live.earliest_publish_ms);
    CHECK(live.properties.empty());
    REQUIRE(live.consumers.size() == 1);
    CHECK(live.consumers[0].name == want.consumer);
    CHECK(live.consumers[0].available_permits == 870);
    CHECK(live.consumers[0].unacked_messages == 0);
    CHECK(!live.consumers[0].blocked);

    const auto& gone = named(stats.subscriptions, "gone");
    CHECK(gone.consumers.empty());
    CHECK(gone.backlog_entries == 100);
    CHECK(gone.backlog_bytes == want.gone_bytes);
    CHECK(gone.flow_ms == want.gone_flow);
    CHECK(gone.mark_delete_advanced_ms == want.gone_advanced);
    CHECK(gone.rate_out == 0);
  }
}

TEST_CASE("stats of a subscription drained by its TTL, nobody ever connected") {
  const struct {
    const char* version;
    TimeMs advanced, expired;
    std::int64_t total;
  } kWants[] = {{"2.10.5", 1795989337838, 1795989337725, 70},
                {"3.0.7", 1795989263194, 1795989263055, 80},
                {"4.0.7", 1795988611100, 1795988611095, 70},
                {"5.0.1", 1795988610729, 1795988610673, 70}};
  for (const auto& want : kWants) {
    INFO(want.version);
    auto stats = read(want.version, "stats-ttl.json");
    const auto& gone = named(stats.subscriptions, "gone");
    CHECK(gone.type == "None");
    CHECK(!gone.flow_ms);
    CHECK(gone.mark_delete_advanced_ms == want.advanced);
    CHECK(gone.expired_ms == want.expired);
    CHECK(gone.expired_total == want.total);
  }
}

TEST_CASE("stats with delayed, unacknowledged and non-durable ones") {
  for (const auto* version : kVersions) {
    INFO(version);
    auto delayed = read(version, "stats-delayed.json");
    CHECK(named(delayed.subscriptions, "workers").delayed_entries == 20);
    CHECK(named(delayed.subscriptions, "workers").backlog_entries == 20);
    CHECK(named(delayed.subscriptions, "workers").type == "Shared");

    auto unacked = read(version, "stats-unacked.json");
    const auto& workers = named(unacked.subscriptions, "workers");
    CHECK(workers.unacked_messages == 20);
    CHECK(!workers.blocked_on_unacked);
    CHECK(workers.messages_out == 20);
    REQUIRE(workers.consumers.size() == 1);
    CHECK(workers.consumers[0].available_permits == 980);
    CHECK(workers.consumers[0].unacked_messages == 20);
    CHECK(workers.consumers[0].blocked);

    auto reader = read(version, "stats-reader.json");
    REQUIRE(reader.subscriptions.size() == 2);
    for (const auto& subscription : reader.subscriptions) {
      CHECK(subscription.durable == (subscription.name == "live"));
      if (subscription.durable) continue;
      CHECK(subscription.name.starts_with("reader-"));
      CHECK(subscription.consumers.at(0).name.empty());
      CHECK(subscription.consumers.at(0).available_permits == 0);
    }

    auto replicated = read(version, "stats-replicated.json");
    CHECK(named(replicated.subscriptions, "geo").replicated);
    CHECK(named(replicated.subscriptions, "geo").durable);
  }
}

TEST_CASE("stats: what no recorded document has") {
  for (const auto* version : {"2.10.5", "5.0.1"}) {
    INFO(version);
    auto text = sample(version, "stats-unacked.json");
    text = with(
        text, "\"replication\":{}",
        R"("ongoingTxnCount":2,"replication":{"west":{"msgRateIn":0.0,"replicationBacklog":42,"connected":true,"replicationDelayInSeconds":3},)"
        R"("east":{"connected":false}})");
    text = with(text, "\"blockedSubscriptionOnUnackedMsgs\":false", "\"blockedSubscriptionOnUnackedMsgs\":true");
    text = with(text, "\"earliestMsgPublishTimeInBacklog\":0", "\"earliestMsgPublishTimeInBacklog\":1795988574000");
    text = with(text, "\"subscriptionProperties\":{}", R"("subscriptionProperties":{"owner":"team a","keep":"yes"})");
    text = with(text, "\"msgBacklog\":60", "\"msgBacklog\":-3");
    auto stats = decode_topic_stats(text).value();
    CHECK(stats.open_transactions == 2);
    REQUIRE(stats.replicators.size() == 2);
    CHECK(stats.replicators[0].cluster == "west");
    CHECK(stats.replicators[0].connected);
    CHECK(stats.replicators[0].backlog_entries == 42);
    CHECK(!stats.replicators[1].connected);
    const auto& workers = named(stats.subscriptions, "workers");
    CHECK(workers.blocked_on_unacked);
    CHECK(workers.earliest_publish_ms == 1795988574000);
    CHECK(workers.properties == std::map<std::string, std::string>{{"keep", "yes"}, {"owner", "team a"}});
    CHECK(workers.backlog_entries == -3);
  }
}

TEST_CASE("stats: either spelling of a flag, and values that mean nothing") {
  auto stats =
      decode_topic_stats(
          R"({"msgRateIn":"NaN","subscriptions":{"a":{"isDurable":false,"isReplicated":true,"backlogSize":-1,)"
          R"("msgRateOut":"NaN","earliestMsgPublishTimeInBacklog":-1},"b":{"durable":false,"replicated":true},"c":{}}})")
          .value();
  CHECK(stats.rate_in == 0);
  for (const auto* name : {"a", "b"}) {
    CHECK(!named(stats.subscriptions, name).durable);
    CHECK(named(stats.subscriptions, name).replicated);
  }
  CHECK(!named(stats.subscriptions, "a").backlog_bytes);
  CHECK(!named(stats.subscriptions, "a").earliest_publish_ms);
  CHECK(named(stats.subscriptions, "c").durable);
  CHECK(!named(stats.subscriptions, "c").backlog_bytes);
  CHECK(decode_topic_stats(R"({"subscriptions":{}})").value().subscriptions.empty());
  CHECK(decode_topic_stats("<html>").error().text() == "stats: byte 0: Invalid value.");
}

TEST_CASE("stats: null, words and figures that overflow where a number is expected") {
  for (const auto* odd : {"null", "\"NaN\"", "\"Infinity\"", "NaN", "Infinity", "-Infinity", "{}", "[]", "true"}) {
    INFO(odd);
    auto text = std::string(
        R"({"storageSize":#,"msgRateIn":#,"ongoingTxnCount":#,"subscriptions":{"a":{"msgBacklog":#,"backlogSize":#,)"
        R"("unackedMessages":#,"lastConsumedFlowTimestamp":#,"durable":#,"type":"Shared","consumers":)"
        R"([{"availablePermits":#,"unackedMessages":7}]}},"replication":{"west":{"replicationBacklog":#}}})");
    for (auto at = text.find('#'); at != std::string::npos; at = text.find('#')) text.replace(at, 1, odd);
    const auto stats = decode_topic_stats(text).value();
    CHECK(stats.storage_bytes == 0);
    CHECK(stats.rate_in == 0);
    CHECK(stats.open_transactions == 0);
    CHECK(stats.replicators.at(0).backlog_entries == 0);
    const auto& a = stats.subscriptions.at(0);
    CHECK(a.backlog_entries == 0);
    CHECK(!a.backlog_bytes);
    CHECK(!a.flow_ms);
    CHECK(a.durable);
    CHECK(a.type == "Shared");
    CHECK(a.consumers.at(0).name.empty());
    CHECK(a.consumers[0].unacked_messages == 7);
  }
  const auto huge =
      decode_topic_stats(
          R"({"msgInCounter":9223372036854775807,"subscriptions":{"a":{"msgBacklog":-9223372036854775808,)"
          R"("lastExpireTimestamp":9223372036854775807}}})")
          .value();
  CHECK(huge.messages_in == std::int64_t{1} << 53);
  CHECK(huge.subscriptions.at(0).backlog_entries == -(std::int64_t{1} << 53));
  CHECK(huge.subscriptions[0].expired_ms == std::int64_t{1} << 53);
}

// Believed, such an answer would say that every subscription is gone.
TEST_CASE("stats: without subscriptions they are none") {
  for (const auto* text : {"{}", R"({"subscriptions":null})", R"({"msgRateIn":0})", R"({"reason":"not found"})"}) {
    CHECK(decode_topic_stats(text).error().text().ends_with("without 'subscriptions'"));
  }
}
