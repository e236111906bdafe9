// Messages beyond their TTL, data beyond its policies, and delayed messages that the TTL takes.
#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::Position;
using model::Retention;

namespace {

constexpr TimeMs kTtl = 24 * kHour;
constexpr TimeMs kOverdue = kTtl + 6 * kMinute;  // and one check of the broker
constexpr TimeMs kOverdueConnected = kTtl * 3 / 2 + 6 * kMinute;

// A day of TTL, looks every hour.
struct TtlBench : TopicBench {
  model::CursorView& cursor;

  explicit TtlBench(Position position = {101, 9}) : cursor(add("sub", position)) {
    snapshot.interval = Duration{kHour};
    ns.ttl_seconds = kTtl / 1000;
    snapshot.defaults.ttl_seconds = 0;
    cursor.type = "Shared";
    cursor.backlog_entries = 40;
    cursor.expired_total = 0;
    cursor.messages_out = 0;
  }
  TtlBench(const TtlBench&) = delete;
  TtlBench& operator=(const TtlBench&) = delete;

  void close_ledgers(TimeMs at) {
    auto ledgers = topic.ledgers.list();
    for (std::size_t i = 0; i + 1 < ledgers.size(); ++i) ledgers[i].closed_ms = at;
    topic.ledgers = model::Ledgers(std::move(ledgers));
  }

  bool fires(TimeMs now, const std::string& rule) { return !findings_of(poll(now), rule).empty(); }
};

}  // namespace

TEST_CASE("overdue: older than the TTL and one check, and nothing expires") {
  struct Row {
    const char* why;
    TimeMs age;
    int consumers;
    std::int64_t backlog;
    bool fires;
  };
  const std::vector<Row> rows{
      {"nobody connected", kOverdue, 0, 40, true},
      {"within a check of the TTL", kTtl + 4 * kMinute, 0, 40, false},
      {"somebody connected with little to do", kOverdue, 1, 999, false},
      {"somebody connected with much to do", kOverdue, 1, 1000, true},
      {"half the TTL more has gone by", kOverdueConnected, 1, 40, true},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    for (const bool by_ledger : {false, true}) {
      INFO(by_ledger);
      TtlBench bench;
      const auto now = kStart + kHour;
      if (by_ledger) {
        bench.close_ledgers(now - row.age);
      } else {
        bench.cursor.earliest_publish_ms = now - row.age;
      }
      bench.cursor.backlog_entries = row.backlog;
      bench.cursor.consumers = row.consumers;
      CHECK_FALSE(bench.fires(kStart, "ttl_overdue"));  // one look is no window
      const auto found = findings_of(bench.poll(now), "ttl_overdue");
      REQUIRE(found.empty() != row.fires);
      if (found.empty()) continue;
      CHECK(found[0].severity == model::Severity::kWarning);
      CHECK(fact<std::int64_t>(found[0], "oldest_ms") == now - row.age);
    }
  }
}

TEST_CASE("on 2.x the age is that of a ledger which we saw closed") {
  TtlBench bench;
  bench.snapshot.version = "2.8.2";
  bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}}};
  (void)bench.poll(kStart);
  bench.topic.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {102, 10, 100, {}, false}}};
  bench.cursor.mark_delete = Position{101, 9};
  for (int hour = 1; hour <= 25; ++hour) CHECK_FALSE(bench.fires(kStart + hour * kHour, "ttl_overdue"));
  const auto found = findings_of(bench.poll(kStart + 26 * kHour), "ttl_overdue");
  REQUIRE(found.size() == 1);
  CHECK(fact<std::int64_t>(found[0], "oldest_ms") == kStart + kHour);
  CHECK(fact<std::string>(found[0], "oldest_source") == "observed");
}

TEST_CASE("not overdue: what expires, moves, is not bound or not known") {
  struct Row {
    const char* why;
    void (*change)(TtlBench& bench);
    bool fires = false;
  };
  const std::vector<Row> rows{
      {"the twin that is overdue", [](TtlBench&) {}, true},
      {"something expired", [](TtlBench& b) { b.cursor.expired_total = 1; }},
      {"loaded anew", [](TtlBench& b) { ++b.topic.epoch; }},
      {"not loaded", [](TtlBench& b) { b.topic.loaded = model::Loaded::kNo; }},
      {"no TTL here", [](TtlBench& b) { b.ns.ttl_seconds = 0; }},
      {"no TTL anywhere", [](TtlBench& b) { b.ns.ttl_seconds.reset(); }},
      {"the broker's TTL",
       [](TtlBench& b) {
         b.ns.ttl_seconds.reset();
         b.snapshot.defaults.ttl_seconds = kTtl / 1000;
       },
       true},
      {"the topic's own, longer TTL",
       [](TtlBench& b) { b.snapshot.topic_policies[b.topic.name].ttl_seconds = 2 * kTtl / 1000; }},
      {"nobody knows the TTL",
       [](TtlBench& b) {
         b.ns.ttl_seconds.reset();
         b.snapshot.defaults.ttl_seconds.reset();
       }},
      {"a system topic", [](TtlBench& b) { b.topic.system = true; }},
      {"a replicator", [](TtlBench& b) { b.cursor.kind = model::CursorKind::kReplicator; }},
      {"the place moved since the time was told", [](TtlBench& b) { b.cursor.mark_delete = Position{101, 20}; }},
      {"caught up",
       [](TtlBench& b) {
         b.cursor.backlog_entries = 0;
         b.cursor.mark_delete = Position{103, 49};
       }},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    TtlBench bench;
    bench.cursor.earliest_publish_ms = kStart - kOverdue;
    (void)bench.poll(kStart);
    bench.cursor.earliest_publish_ms.reset();  // it is asked for once a day
    row.change(bench);
    CHECK(bench.fires(kStart + kHour, "ttl_overdue") == row.fires);
  }
}

TEST_CASE("data that outlived its policies: not acknowledged") {
  struct Row {
    const char* why;
    std::optional<Retention> retention;
    std::optional<std::int64_t> ttl_seconds;
    TimeMs age;
    bool fires;
  };
  constexpr std::int64_t kDaySeconds = kTtl / 1000;
  const std::vector<Row> rows{
      {"beyond the TTL, a rollover and a check", Retention{0, 0}, kDaySeconds, 29 * kHour, true},
      {"a rollover later it may still be there", Retention{0, 0}, kDaySeconds, 28 * kHour, false},
      {"retention is the shorter one", Retention{60, -1}, kDaySeconds, 29 * kHour, true},
      {"retention adds to a shorter TTL", Retention{48 * 60, -1}, kDaySeconds, 75 * kHour, false},
      {"both are over", Retention{48 * 60, -1}, kDaySeconds, 77 * kHour, true},
      {"kept for good", Retention{-1, -1}, kDaySeconds, 500 * kHour, false},
      {"a size of 0 keeps nothing", Retention{48 * 60, 0}, kDaySeconds, 29 * kHour, true},
      {"no TTL", Retention{0, 0}, 0, 500 * kHour, false},
      {"nobody knows the TTL", Retention{0, 0}, {}, 500 * kHour, false},
      {"nobody knows the retention", {}, kDaySeconds, 500 * kHour, false},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    TtlBench bench;
    bench.snapshot.defaults.ttl_seconds.reset();
    bench.ns.ttl_seconds = row.ttl_seconds;
    bench.ns.retention = row.retention;
    bench.cursor.earliest_publish_ms = kStart - row.age;
    const auto found = findings_of(bench.poll(kStart), "ttl_retention");
    REQUIRE(found.empty() != row.fires);
    if (found.empty()) continue;
    CHECK(found[0].ns == "acme/shop");
    CHECK(found[0].level == model::Level::kNamespace);
    CHECK(fact<std::string>(found[0], "cause") == "unacknowledged");
    CHECK(fact<std::string>(found[0], "worst_cursor") == "sub");
    CHECK(fact<std::int64_t>(found[0], "topics") == 1);
  }
}

TEST_CASE("data is as old as it was when it was seen, and who is connected has half the TTL more") {
  TtlBench bench;
  bench.cursor.earliest_publish_ms = kStart - 28 * kHour;
  CHECK_FALSE(bench.fires(kStart, "ttl_retention"));
  // Nobody answers since: what is an hour older may have expired.
  CHECK(findings_of(bench.again(kStart + kHour), "ttl_retention").empty());
  CHECK(bench.fires(kStart + 2 * kHour, "ttl_retention"));
  bench.cursor.consumers = 1;
  CHECK_FALSE(bench.fires(kStart + 3 * kHour, "ttl_retention"));
  bench.cursor.backlog_entries = 1000;
  CHECK(bench.fires(kStart + 4 * kHour, "ttl_retention"));
}

TEST_CASE("data that outlived its policies: acknowledged") {
  struct Row {
    const char* why;
    std::optional<Retention> retention;
    TimeMs closed_ago;
    Position before;
    bool fires;
  };
  const std::vector<Row> rows{
      {"nothing is retained", Retention{0, 0}, 5 * kHour, {103, 9}, true},
      {"it may still have been open", Retention{0, 0}, 4 * kHour, {103, 9}, false},
      {"retained", Retention{120, -1}, 5 * kHour, {103, 9}, false},
      {"retained long enough", Retention{120, -1}, 7 * kHour, {103, 9}, true},
      {"retained for good", Retention{-1, -1}, 500 * kHour, {103, 9}, false},
      {"by size alone", Retention{-1, 100}, 500 * kHour, {103, 9}, false},
      {"nobody knows", {}, 500 * kHour, {103, 9}, false},
      {"acknowledged a moment ago", Retention{0, 0}, 5 * kHour, {101, 9}, false},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    TtlBench bench(row.before);
    bench.ns.ttl_seconds = 0;
    bench.ns.retention = row.retention;
    bench.cursor.consumers = 1;
    bench.close_ledgers(kStart + kHour - row.closed_ago);
    (void)bench.poll(kStart);
    bench.cursor.mark_delete = Position{103, 19};
    const auto found = findings_of(bench.poll(kStart + kHour), "ttl_retention");
    REQUIRE(found.empty() != row.fires);
    if (!found.empty()) CHECK(fact<std::string>(found[0], "cause") == "acknowledged");
  }
}

TEST_CASE("a cursor whose place is not known may need all, a reader nothing") {
  TtlBench bench({103, 9});
  bench.ns.ttl_seconds = 0;
  bench.close_ledgers(kStart - 5 * kHour);
  bench.add("reader", {101, 9}).kind = model::CursorKind::kReader;
  (void)bench.poll(kStart);
  CHECK(bench.fires(kStart + kHour, "ttl_retention"));
  bench.add("other", {103, 9}).mark_delete.reset();
  CHECK_FALSE(bench.fires(kStart + 2 * kHour, "ttl_retention"));
}

TEST_CASE("delayed messages near the end of the TTL are a risk, by our own looks only") {
  struct Row {
    const char* why;
    int hours;
    std::int64_t delayed;
    Position then;
    bool fires;
  };
  const std::vector<Row> rows{
      {"three quarters of the TTL", 18, 40, {101, 9}, true},
      {"less", 17, 40, {101, 9}, false},
      {"nothing is delayed", 18, 0, {101, 9}, false},
      {"it moved", 18, 40, {101, 10}, false},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    TtlBench bench;
    bench.cursor.consumers = 1;
    bench.cursor.mark_delete_advanced_ms = kStart - 20 * kHour;
    bench.cursor.delayed_entries = row.delayed;
    (void)bench.poll(kStart);
    bench.cursor.mark_delete = row.then;
    const auto found = findings_of(bench.poll(kStart + row.hours * kHour), "delayed_outlives_ttl");
    REQUIRE(found.empty() != row.fires);
    if (found.empty()) continue;
    CHECK(found[0].severity == model::Severity::kWarning);
    CHECK(fact<std::int64_t>(found[0], "expired_undelivered") == 0);
  }
}

TEST_CASE("delayed messages that expired before anybody got them are a loss, for a day") {
  TtlBench bench;
  auto& cursor = bench.cursor;
  cursor.consumers = 1;
  cursor.delayed_entries = 40;
  (void)bench.poll(kStart);
  cursor.delayed_entries = 10;
  cursor.backlog_entries = 10;
  cursor.expired_total = 30;
  cursor.mark_delete = Position{101, 39};
  const auto found = findings_of(bench.poll(kStart + kHour), "delayed_outlives_ttl");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kCritical);
  CHECK(fact<std::int64_t>(found[0], "expired_undelivered") == 30);
  CHECK(bench.fires(kStart + 20 * kHour, "delayed_outlives_ttl"));
  cursor.delayed_entries = 0;
  CHECK_FALSE(bench.fires(kStart + 26 * kHour, "delayed_outlives_ttl"));
}
