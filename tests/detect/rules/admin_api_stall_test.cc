#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

struct BrokerBench {
  TopicBench bench;
  TimeMs now = kStart;

  // A poll in which nine in ten calls took so long, and so many got no answer.
  std::vector<model::Finding> poll(std::optional<std::int64_t> p90, std::int64_t timeouts = 0) {
    model::BrokerView broker;
    broker.name = "broker-0:8080";
    broker.reachable = timeouts == 0;
    broker.calls_p90_ms = p90;
    broker.calls_timed_out = timeouts;
    bench.snapshot.brokers = {broker};
    auto found = findings_of(bench.poll(now), "admin_api_stall");
    now += kMinute;
    return found;
  }

  std::vector<model::Finding> polls(int count, std::optional<std::int64_t> p90, std::int64_t timeouts = 0) {
    std::vector<model::Finding> found;
    for (int i = 0; i < count; ++i) found = poll(p90, timeouts);
    return found;
  }
};

}  // namespace

TEST_CASE("calls that take three times as long as in the last day, and a second, at three polls") {
  BrokerBench bench;
  CHECK(bench.polls(24 * 60, 400).empty());
  CHECK(bench.polls(2, 1200).empty());
  const auto found = bench.poll(1200);
  REQUIRE(found.size() == 1);
  const auto& finding = found.front();
  CHECK(finding.level == model::Level::kBroker);
  CHECK(finding.severity == model::Severity::kWarning);
  CHECK(finding.subject == "broker-0:8080");
  CHECK(finding.since_ms == bench.now - 3 * kMinute);
  CHECK(finding.summary == "nine in ten calls take up to 1s, usually 400ms");
  CHECK(fact<std::int64_t>(finding, "p90_ms") == 1200);
  CHECK(fact<std::int64_t>(finding, "usual_p90_ms") == 400);
  CHECK(fact<std::int64_t>(finding, "polls") == 3);
  CHECK(bench.poll({}).size() == 1);  // no call tells nothing
  CHECK(bench.poll(400).empty());
  CHECK(bench.polls(2, 5000).empty());
  CHECK(bench.poll(5000).size() == 1);
}

TEST_CASE("brokers that are as they always were, or of which too little is known") {
  struct Row {
    const char* why;
    int usual_polls;
    std::optional<std::int64_t> usual;
    std::optional<std::int64_t> now;
  };
  const std::vector<Row> rows{
      {"not three times as long", 1440, 400, 1199},
      {"ten times as long, and still fast", 1440, 50, 999},
      {"always slow", 1440, 4000, 4500},
      {"watched for too short a time", 700, 100, 5000},
      {"nobody measured what the calls took", 1440, {}, {}},
      {"nobody measured them before", 1440, {}, 5000},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    BrokerBench bench;
    CHECK(bench.polls(row.usual_polls, row.usual).empty());
    CHECK(bench.polls(10, row.now).empty());
  }
}

TEST_CASE("calls without an answer need no day to compare with") {
  BrokerBench bench;
  CHECK(bench.polls(2, {}, 2).empty());
  const auto found = bench.poll({}, 2);
  REQUIRE(found.size() == 1);
  CHECK(found.front().summary == "2 calls got no answer in time in this poll");
  CHECK(bench.poll(30).empty());
  CHECK(bench.poll(30, 1).empty());  // once is none
  CHECK(bench.poll(30).empty());
}

TEST_CASE("who gave no answer in time and answers again stalls no more, however few calls there are") {
  BrokerBench bench;
  CHECK(bench.polls(3, {}, 1).size() == 1);
  CHECK(bench.poll({}).empty());
  CHECK(bench.polls(2, {}, 1).empty());
  CHECK(bench.poll({}, 1).size() == 1);
}

TEST_CASE("half a day of a stall does not become the usual") {
  BrokerBench bench;
  CHECK(bench.polls(24 * 60, 200).empty());
  CHECK(bench.polls(11 * 60, 3000).size() == 1);
}

TEST_CASE("what was usual outlives a time in which nobody looked, however long it was") {
  struct Row {
    const char* why;
    Duration away;
    int polls_before_the_stall;
  };
  const std::vector<Row> rows{
      {"an hour", Duration{60LL * kMinute}, 0},
      {"all but the first minutes of the last day", Duration{23 * 60LL * kMinute + 50 * kMinute}, 0},
      {"more than a day", Duration{37 * 60LL * kMinute}, 0},
      {"more than a day, and then fast for some polls", Duration{37 * 60LL * kMinute}, 30},
      {"a week", Duration{7 * 24 * 60LL * kMinute}, 1},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    BrokerBench bench;
    CHECK(bench.polls(24 * 60, 200).empty());
    bench.now += row.away.count();
    CHECK(bench.polls(row.polls_before_the_stall, 200).empty());
    CHECK(bench.polls(2, 3000).empty());
    CHECK(bench.polls(60, 3000).size() == 1);
  }
}

TEST_CASE("a broker that stays slow is not stalled for ever, also where nobody looked when it began") {
  for (const auto away : {Duration{0}, Duration{37 * 60LL * kMinute}}) {
    BrokerBench bench;
    CHECK(bench.polls(24 * 60, 200).empty());
    bench.now += away.count();
    CHECK(bench.polls(11 * 60, 3000).size() == 1);
    CHECK(bench.polls(3 * 60, 3000).empty());
  }
}
