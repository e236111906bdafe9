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
  CHECK(parse_topic("persistent://acme/shop/x-partition-")->partition == std::nullopt);
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
}

TEST_CASE("cursors by name") {
  CHECK(kind_of_cursor("orders-sub", false) == CursorKind::kSubscription);
  CHECK(kind_of_cursor("__compaction", false) == CursorKind::kCompaction);
  CHECK(kind_of_cursor("pulsar.dedup", false) == CursorKind::kDedup);
  CHECK(kind_of_cursor("pulsar.repl.cluster-b", false) == CursorKind::kReplicator);
  CHECK(kind_of_cursor("pulsar.repl-persistent%3A%2F%2Fa%2Fb%2Fc", false) == CursorKind::kReplicator);
  CHECK(kind_of_cursor("anything", true) == CursorKind::kSystem);
}

TEST_CASE("cursor names come out of Java's URLEncoder") {
  CHECK(decode_cursor_name("tenant-a%2Fns-1%2Ffn-old") == "tenant-a/ns-1/fn-old");
  CHECK(decode_cursor_name("team%2Fa%25b%2Bc+d+%C3%A9") == "team/a%b+c d \xC3\xA9");
  CHECK(decode_cursor_name("plain") == "plain");
  CHECK(decode_cursor_name("50%") == "50%");
  CHECK(decode_cursor_name("a%zzb") == "a%zzb");
}
