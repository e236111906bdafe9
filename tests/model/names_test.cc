#include "model/names.h"

#include "support/catch.h"

using namespace tidemark::model;

TEST_CASE("a topic name is taken apart") {
  const auto name = parse_topic("persistent://acme/shop/orders-partition-3");
  REQUIRE(name);
  CHECK(name->tenant == "acme");
  CHECK(name->ns == "acme/shop");
  CHECK(name->local == "orders-partition-3");
  CHECK(name->parent == "persistent://acme/shop/orders");
  CHECK(name->partition == 3);
  for (const auto* own : {"x-partition-", "x-partition--1", "x-partition-01", "x-partition-1a", "x-partition"}) {
    INFO(own);
    const auto text = "persistent://acme/shop/" + std::string(own);
    CHECK(parse_topic(text)->partition == std::nullopt);
    CHECK(parse_topic(text)->parent == text);
  }
  CHECK(parse_topic("persistent://acme/shop/x-partition-0")->partition == 0);
  CHECK(parse_topic("persistent://acme/shop/x-partition-0-partition-1")->parent ==
        "persistent://acme/shop/x-partition-0");
  CHECK_FALSE(parse_topic("non-persistent://acme/shop/x")->persistent);
  for (const auto* text : {"", "orders", "persistent://", "persistent://a/b", "persistent://a//c", "http://a/b/c"}) {
    INFO(text);
    CHECK_FALSE(parse_topic(text));
  }
}

TEST_CASE("what is left out, and what is judged as system only") {
  CHECK(is_excluded_topic(*parse_topic("non-persistent://a/b/c")));
  CHECK(is_excluded_topic(*parse_topic("persistent://pulsar/broker-0:8080/healthcheck")));
  CHECK(is_excluded_topic(*parse_topic("persistent://pulsar/standalone/localhost:8080/healthcheck")));
  CHECK_FALSE(is_excluded_topic(*parse_topic("persistent://pulsar/system/x")));
  CHECK(is_system_topic(*parse_topic("persistent://acme/shop/__change_events")));
  CHECK_FALSE(is_system_topic(*parse_topic("persistent://acme/shop/orders")));
  CHECK_FALSE(is_system_topic(*parse_topic("persistent://acme/shop/my__orders")));
  for (const auto* name : {"__transaction_buffer_snapshot", "__transaction_buffer_snapshot_segments-partition-0",
                           "__transaction_buffer_snapshot_indexes", "orders-sub__transaction_pending_ack",
                           "cluster/ns/__change_events"}) {  // the last is of a V1 namespace
    INFO(name);
    CHECK(is_system_topic(*parse_topic("persistent://acme/" + std::string("shop/") + name)));
  }
  CHECK(is_system_topic(*parse_topic("persistent://pulsar/system/transaction_coordinator_assign-partition-3")));
}

TEST_CASE("cursors by name") {
  const auto kind = [](std::string_view name, bool system_topic = false) {
    return kind_of_cursor(name, system_topic, {});
  };
  CHECK(kind("orders-sub") == CursorKind::kSubscription);
  CHECK(kind("__compaction") == CursorKind::kCompaction);
  CHECK(kind("__compaction", true) == CursorKind::kCompaction);
  CHECK(kind("pulsar.dedup") == CursorKind::kDedup);
  CHECK(kind("pulsar.repl.cluster-b") == CursorKind::kReplicator);
  // Of a shadow topic.
  CHECK(kind("pulsar.repl-persistent%3A%2F%2Fa%2Fb%2Fc") == CursorKind::kReplicator);
  CHECK(kind("pulsar.repl-persistent://a/b/c") == CursorKind::kReplicator);
  CHECK(kind("anything", true) == CursorKind::kSystem);
  CHECK(kind("__pending_ack_state") == CursorKind::kSystem);
  CHECK(kind("transaction.subscription") == CursorKind::kSystem);
  // Names that only begin like those of the broker.
  for (const auto* name : {"pulsar.replica", "pulsar.repl", "pulsar.dedup2", "__compaction-2", "pulsar.DEDUP", ""}) {
    INFO(name);
    CHECK(kind(name) == CursorKind::kSubscription);
  }
}

TEST_CASE("cursors by name, as the brokers are configured") {
  const CursorNames names{"geo", {"auditor", "billing sync"}};
  CHECK(kind_of_cursor("geo.cluster-b", false, names) == CursorKind::kReplicator);
  CHECK(kind_of_cursor("geo-persistent://a/b/c", false, names) == CursorKind::kReplicator);
  CHECK(kind_of_cursor("geography", false, names) == CursorKind::kSubscription);
  CHECK(kind_of_cursor("pulsar.repl.cluster-b", false, names) == CursorKind::kSubscription);
  CHECK(kind_of_cursor("billing sync", false, names) == CursorKind::kSystem);
  CHECK(kind_of_cursor("auditor2", false, names) == CursorKind::kSubscription);
}

TEST_CASE("cursor names come out of Java's URLEncoder") {
  CHECK(decode_cursor_name("tenant-a%2Fns-1%2Ffn-old") == "tenant-a/ns-1/fn-old");
  CHECK(decode_cursor_name("team%2Fa%25b%2Bc+d+%C3%A9") == "team/a%b+c d \xC3\xA9");
  CHECK(decode_cursor_name("plain") == "plain");
  CHECK(decode_cursor_name("50%") == "50%");
  CHECK(decode_cursor_name("a%zzb") == "a%zzb");
  // Once and not twice: "a%2Fb" may be the name itself.
  CHECK(decode_cursor_name("a%252Fb") == "a%2Fb");
  CHECK(decode_cursor_name("a%2Fb") == "a/b");
  CHECK(decode_cursor_name("%22q%22%5C%0A%F0%9F%98%80%00") == std::string("\"q\"\\\n\xF0\x9F\x98\x80\0", 10));
  CHECK(decode_cursor_name("*-_.").size() == 4);
  CHECK(decode_cursor_name("%") == "%");
  CHECK(decode_cursor_name("%2") == "%2");
  CHECK(decode_cursor_name("").empty());
}

TEST_CASE("names that clients make for readers") {
  CHECK(generated_reader_front("reader-8aa60f73f6") == "reader-");
  CHECK(generated_reader_front("multiTopicsReader-0123456789") == "multiTopicsReader-");
  CHECK(generated_reader_front("__system_reader-reader-470c80df07") == "__system_reader-reader-");
  for (const auto* other : {"", "reader-", "reader-8aa60f73f", "reader-8aa60f73f66", "reader-8aa60f73fg",
                            "reader-8AA60F73F6", "my-reader-8aa60f73f6", "reader"}) {
    INFO(other);
    CHECK(generated_reader_front(other).empty());
  }
}

TEST_CASE("sets as Java prints them") {
  using Names = std::vector<std::string>;
  CHECK(names_of_set("[one, the other]") == Names{"one", "the other"});
  CHECK(names_of_set("[one]") == Names{"one"});
  for (const auto* none : {"", "[", "[]", "one", "[one"}) CHECK(names_of_set(none).empty());
}
