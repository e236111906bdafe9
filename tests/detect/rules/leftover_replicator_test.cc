#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("a replicator to a cluster that is replicated to no more") {
  struct Row {
    const char* why;
    const char* cursor;
    std::vector<std::string> clusters;
    std::optional<bool> connected;
    bool fires;
    TimeMs policies_at = kStart;
  };
  const std::vector<Row> rows{
      {"left over", "pulsar.repl.b", {"a"}, {}, true},
      {"left over and cut off", "pulsar.repl.b", {"a", "c"}, false, true},
      {"it is replicated to", "pulsar.repl.b", {"a", "b"}, false, false},
      {"connected: the topic has a list of its own", "pulsar.repl.b", {"a"}, true, false},
      {"nobody told the clusters", "pulsar.repl.b", {}, {}, false},
      {"the list is older than the replicator", "pulsar.repl.b", {"a"}, {}, false, kStart - kMinute},
      {"a shadow topic is no cluster", "pulsar.repl-persistent://acme/shop/copy", {"a"}, {}, false},
      {"a name that only begins like one", "pulsar.repl.b2", {"a", "b"}, {}, true},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    TopicBench bench;
    auto& cursor = bench.add(row.cursor, {102, 9});
    cursor.kind = model::CursorKind::kReplicator;
    cursor.connected = row.connected;
    bench.ns.replication_clusters = row.clusters;
    bench.ns.policies_at_ms = row.policies_at;
    const auto found = findings_of(bench.poll(kStart), "leftover_replicator");
    REQUIRE(found.empty() != row.fires);
    if (found.empty()) continue;
    CHECK(found[0].severity == model::Severity::kWarning);
    CHECK(found[0].level == model::Level::kCursor);
    CHECK(found[0].cursor == row.cursor);
  }
}
