// What clients, administrators and time do to a topic, as the recordings of 4.0.7 show it.

#include "sim/topic.h"

#include "sim/documents.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'699'999'980'000;
constexpr TimeMs kMinute = 60'000;

struct Fixture {
  Fixture() {
    settings.ledgers.max_entries = 20;
    settings.ledgers.min_rollover = Duration{0};
    topic = std::make_unique<Topic>("persistent://acme/ns/orders", storage, settings, kStart);
  }

  // One minute passes.
  void minute() {
    topic->step(policies, now, now + kMinute, 0);
    now += kMinute;
  }
  void minutes(int count) {
    for (int i = 0; i < count; ++i) minute();
  }
  SimSubscription& sub(const char* name = "sub") { return *topic->find(name); }
  Position mark_delete(const char* name = "sub") { return sub(name).cursor.mark_delete(); }
  std::int64_t backlog(const char* name = "sub") { return sub(name).cursor.backlog(topic->ledger()); }
  std::string type(const char* name = "sub") { return sub(name).dispatcher ? name_of(sub(name).wanted_type) : "None"; }
  void subscribe(const char* name = "sub", SubscriptionType kind = SubscriptionType::kExclusive) {
    topic->subscribe(name, kind, Start::kEarliest, now);
  }
  void connect(Behaviour behaviour, const char* name = "sub") {
    SimConsumer consumer;
    consumer.name = std::string(1, 'c');
    consumer.behaviour = behaviour;
    topic->connect(name, consumer, now);
  }

  Storage storage;
  BrokerSettings settings;
  Effective policies;
  std::unique_ptr<Topic> topic;
  TimeMs now = kStart;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "timestamps follow the events (16-timestamps)") {
  subscribe();
  topic->publish(70, 200, now, now + 1000);
  CHECK(type() == "None");
  CHECK(sub().flow_ms == 0);

  connect(Behaviour::kHolds);
  CHECK(sub().flow_ms == now);
  CHECK(type() == "Exclusive");
  minute();
  CHECK(sub().consumers[0].consumed_ms == now);
  CHECK(sub().consumers[0].acked_ms == 0);
  CHECK(sub().mark_delete_advanced_ms == 0);

  topic->ack("sub", 10, now);
  CHECK(sub().mark_delete_advanced_ms == now);
  CHECK(mark_delete().entry_id == 9);
  const TimeMs flow = sub().flow_ms;
  const TimeMs advanced = sub().mark_delete_advanced_ms;

  topic->disconnect("sub", "c", now);
  minute();
  CHECK(type() == "Exclusive");  // the last type stays
  CHECK(sub().flow_ms == flow);
  CHECK(sub().mark_delete_advanced_ms == advanced);

  topic->unload(now);
  topic->load(now + 5);
  CHECK(type() == "None");
  CHECK(sub().flow_ms == 0);
  CHECK(sub().mark_delete_advanced_ms == 0);
  CHECK_FALSE(sub().cursor.open());
  CHECK(topic->ledger().added_since_load() == 0);
  CHECK(backlog() == 60);
  CHECK(topic->ledger().bytes_after(mark_delete()) == 60 * 200);
}

TEST_CASE_METHOD(Fixture, "admin moves touch no timestamp and write one position") {
  subscribe();
  topic->publish(70, 200, now, now + 1000);
  minute();
  topic->expire("sub", 0, now + kMinute);
  CHECK(sub().expired_total == 70);
  CHECK(sub().mark_delete_advanced_ms - sub().expire_ms < 100);
  CHECK(backlog() == 0);
  CHECK(sub().cursor.cursor_ledger_last_entry() == 1);
  const TimeMs advanced = sub().mark_delete_advanced_ms;

  topic->publish(30, 200, now, now + 1000);
  topic->skip("sub", 5, now + 2000);
  CHECK(backlog() == 25);
  CHECK(sub().cursor.cursor_ledger_last_entry() == 2);
  topic->reset("sub", topic->ledger().end_index(), now + 3000);
  CHECK(backlog() == 0);
  CHECK(sub().cursor.cursor_ledger_last_entry() == 3);
  topic->reset("sub", 0, now + 4000);  // long deleted or not, it lands on the first listed ledger
  CHECK(mark_delete() == Position{topic->ledger().ledgers().front().id, -1});
  CHECK(sub().cursor.cursor_ledger_last_entry() == 4);
  CHECK(sub().mark_delete_advanced_ms == advanced);
  CHECK(sub().flow_ms == 0);
}

TEST_CASE_METHOD(Fixture, "a client's seek reconnects: the flow timestamp moves, the other does not") {
  subscribe();
  topic->publish(90, 200, now, now + 1000);
  connect(Behaviour::kDrains);
  minute();
  CHECK(backlog() == 0);
  const TimeMs advanced = sub().mark_delete_advanced_ms;
  topic->seek("sub", 40, now + 500);
  CHECK(sub().flow_ms == now + 500);
  CHECK(sub().mark_delete_advanced_ms == advanced);
}

TEST_CASE_METHOD(Fixture, "who creates a subscription decides whether its cursor has a ledger") {
  topic->subscribe("by-client", SubscriptionType::kExclusive, Start::kLatest, now);
  topic->subscribe("by-admin", SubscriptionType::kExclusive, Start::kLatest, now, CreatedBy::kAdmin);
  CHECK_FALSE(sub("by-client").cursor.open());
  CHECK(sub("by-admin").cursor.open());
  CHECK(sub("by-admin").cursor.cursor_ledger_last_entry() == 1);
}

TEST_CASE_METHOD(Fixture, "TTL drains a subscription that nobody uses") {
  policies.ttl_seconds = 600;
  subscribe();
  PublishRate rate;
  rate.per_minute = 10;
  topic->add_publisher("p", "/10.0.0.1:1", rate, now);
  minutes(60);
  // Between 10 and 15 minutes of messages are left: the check runs every five.
  CHECK(backlog() >= 90);
  CHECK(backlog() <= 170);
  CHECK(sub().expired_total + backlog() == topic->ledger().end_index());
  CHECK(sub().mark_delete_advanced_ms - sub().expire_ms < 100);
  CHECK(now - sub().expire_ms <= 5 * kMinute);
  CHECK(type() == "None");
  // The ledgers went with them.
  CHECK(topic->ledger().total_entries() <= backlog() + 20);
}

TEST_CASE_METHOD(Fixture, "TTL leaves an almost caught-up consumer alone until half as long again") {
  policies.ttl_seconds = 600;
  subscribe();
  topic->publish(10, 200, now, now + 1000);
  connect(Behaviour::kHolds);
  minutes(12);
  CHECK(backlog() == 10);
  minutes(8);
  CHECK(backlog() == 0);
  CHECK(sub().expired_total == 10);
}

TEST_CASE_METHOD(Fixture, "expiration deletes the unused, and a load restarts its clock on 4.0") {
  policies.expiration_minutes = 30;
  subscribe();
  topic->publish(50, 200, now, now + 1000);
  minutes(20);
  topic->unload(now);
  topic->load(now + 1000);
  minutes(20);
  CHECK(topic->find("sub") != nullptr);
  minutes(20);
  CHECK(topic->find("sub") == nullptr);
  minutes(3);
  CHECK(topic->ledger().total_entries() == 0);

  SECTION("3.0: the clock survives the load") {
    settings.expiration_survives_load = true;
    subscribe("other");
    minutes(20);
    topic->unload(now);
    topic->load(now + 1000);
    minutes(20);
    CHECK(topic->find("other") == nullptr);
  }
}

TEST_CASE_METHOD(Fixture, "a reader pins nothing and is pushed along (09-reader)") {
  topic->subscribe("reader-1", SubscriptionType::kExclusive, Start::kEarliest, now, CreatedBy::kClient, false);
  connect(Behaviour::kHolds, "reader-1");
  subscribe("live");
  connect(Behaviour::kDrains, "live");
  topic->publish(130, 200, now, now + 1000);
  minute();
  const auto& ledgers = topic->ledger().ledgers();
  CHECK(ledgers.size() == 1);
  CHECK(mark_delete("reader-1").entry_id == 19);
  CHECK(mark_delete("reader-1").ledger_id < ledgers.front().id);
  CHECK(backlog("reader-1") == 10);
  CHECK(topic->slowest() == &sub("live"));
  CHECK(internal_info_document(*topic, now).find("reader-1") == std::string::npos);
  topic->disconnect("reader-1", "c", now);
  CHECK(topic->find("reader-1") == nullptr);
}

TEST_CASE_METHOD(Fixture, "delayed messages are counted only while the dispatcher lives (07-delayed)") {
  subscribe("sub", SubscriptionType::kShared);
  topic->publish(5, 200, now, now + 1000);
  topic->publish(20, 200, now + 1000, now + 2000, std::chrono::hours{1});
  connect(Behaviour::kDrains);
  minute();
  CHECK(backlog() == 20);
  CHECK(mark_delete().entry_id == 4);
  CHECK(topic->delayed(sub(), now) == 20);
  CHECK(sub().messages_out == 5);

  topic->disconnect("sub", "c", now);
  minute();
  CHECK(topic->delayed(sub(), now) == 20);
  CHECK(type() == "Shared");

  topic->unload(now);
  topic->load(now + 100);
  CHECK(topic->delayed(sub(), now) == 0);
  CHECK(backlog() == 20);
  CHECK(type() == "None");

  connect(Behaviour::kDrains);
  minute();
  CHECK(topic->delayed(sub(), now) == 20);
  CHECK(sub().messages_out == 0);
  minutes(61);
  CHECK(topic->delayed(sub(), now) == 0);
  CHECK(backlog() == 0);
  CHECK(sub().messages_out == 20);
}

TEST_CASE_METHOD(Fixture, "what expires before it is due was sent to nobody") {
  policies.ttl_seconds = 1800;
  subscribe("sub", SubscriptionType::kShared);
  connect(Behaviour::kDrains);
  topic->publish(2000, 200, now, now + 1000, std::chrono::hours{1});
  minutes(90);
  CHECK(sub().expired_total == 2000);
  CHECK(sub().messages_out == 0);
}

TEST_CASE_METHOD(Fixture, "messages between delayed ones are acknowledged around them") {
  subscribe("sub", SubscriptionType::kShared);
  connect(Behaviour::kDrains);
  topic->publish(5, 200, now, now + 1000, std::chrono::hours{1});
  topic->publish(5, 200, now + 1000, now + 2000);
  minute();
  CHECK(backlog() == 5);
  CHECK(mark_delete().entry_id == -1);
  CHECK(sub().cursor.printed(topic->ledger()).size() == 1);
}

TEST_CASE_METHOD(Fixture, "attached clients reconnect after an unload, others leave the topic unloaded") {
  subscribe();
  CHECK_FALSE(topic->has_clients());
  connect(Behaviour::kDrains);
  CHECK(topic->has_clients());
  topic->unload(now);
  topic->load(now + 1000);
  CHECK(sub().consumers.size() == 1);
  CHECK(sub().consumers[0].connected_ms == now + 1000);
  CHECK(type() == "Exclusive");
}

TEST_CASE_METHOD(Fixture, "an unloaded topic is neither trimmed nor expired") {
  policies.ttl_seconds = 60;
  subscribe();
  topic->publish(50, 200, now, now + 1000);
  topic->unload(now + 1000);
  minutes(30);
  CHECK(backlog() == 50);
  CHECK_FALSE(topic->loaded());
}

TEST_CASE_METHOD(Fixture, "the backlog is what was added less what was consumed") {
  subscribe();
  topic->publish(70, 200, now, now + 1000);
  topic->ack("sub", 30, now + 1000);
  minute();
  topic->unload(now);
  topic->load(now + 1000);
  const std::string text = internal_stats_document(*topic);
  CHECK(text.find("\"messagesConsumedCounter\":-40") != std::string::npos);
  CHECK(text.find("\"state\":\"NoLedger\"") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "an open transaction holds back what came after its first entry") {
  subscribe();
  connect(Behaviour::kDrains);
  topic->publish(30, 200, now, now + 1000);
  minute();
  CHECK(backlog() == 0);
  topic->begin_transaction();
  topic->publish(40, 200, now, now + 1000);
  minutes(5);
  CHECK(backlog() == 40);
  CHECK(stats_document(*topic, "b", now).find("\"ongoingTxnCount\":1") != std::string::npos);
  topic->end_transaction();
  minute();
  CHECK(backlog() == 0);
}

TEST_CASE_METHOD(Fixture, "offloaded ledgers leave BookKeeper once, and are marked in both documents") {
  subscribe();
  topic->publish(50, 200, now, now + 1000);
  topic->offload(now + 1000);
  CHECK(topic->ledger().offloaded_bytes() == 40 * 200);
  CHECK(storage.deleted_bytes == 40 * 200);
  CHECK(internal_stats_document(*topic).find("\"offloaded\":true") != std::string::npos);
  CHECK(internal_info_document(*topic, now).find("\"isOffloaded\":true") != std::string::npos);
  topic->ack("sub", 50, now + 2000);
  topic->trim(policies, now + 3000);
  CHECK(topic->ledger().ledgers().size() == 1);
  CHECK(storage.deleted_bytes == 40 * 200);
}

TEST_CASE_METHOD(Fixture, "replicators and deduplication are cursors, and no subscriptions") {
  topic->publish(5, 200, now, now + 1000);
  subscribe("pulsar.repl.west");
  subscribe("pulsar.dedup");
  const auto stats = stats_document(*topic, "b", now);
  CHECK(stats.find("\"subscriptions\":{}") != std::string::npos);
  CHECK(stats.find("\"replication\":{\"west\":{") != std::string::npos);
  CHECK(stats.find("\"replicationBacklog\":5,\"connected\":false") != std::string::npos);
  CHECK(stats.find("\"deduplicationStatus\":\"Enabled\"") != std::string::npos);
  const auto internal = internal_stats_document(*topic);
  CHECK(internal.find("\"pulsar.repl.west\":{") != std::string::npos);
  CHECK(internal.find("\"pulsar.dedup\":{") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "who holds messages has no permits left, and gets some back with what it acknowledges") {
  subscribe();
  connect(Behaviour::kHolds);
  topic->publish(1500, 200, now, now + 1000);
  minute();
  CHECK(sub().consumers[0].unacked == 1000);
  CHECK(sub().consumers[0].permits() == 0);
  topic->ack("sub", 300, now);
  CHECK(sub().consumers[0].unacked == 700);
  CHECK(sub().consumers[0].permits() == 300);
}

TEST_CASE_METHOD(Fixture, "markers of the broker are stored, and no producer published them") {
  subscribe();
  topic->publish(3, 100, now, now + kMinute);
  topic->write_markers(10, 60, now, now + kMinute);
  CHECK(topic->messages_in() == 3);
  CHECK(topic->bytes_in() == 300);
  CHECK(topic->ledger().total_bytes() == 900);
  CHECK(backlog() == 13);
}

TEST_CASE_METHOD(Fixture, "a topic that the broker's check leaves out keeps what is beyond its TTL") {
  subscribe();
  policies.ttl_seconds = 600;
  topic->publish(30, 100, now, now + kMinute);
  topic->hold_expiry(true);
  minutes(30);
  CHECK(backlog() == 30);
  topic->hold_expiry(false);
  minutes(6);
  CHECK(backlog() == 0);
}
