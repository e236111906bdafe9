#include "history/topic_history.h"

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

struct Bench {
  history::TopicHistory history;
  model::TopicView topic = OneCursor{}.topic;

  std::optional<TimeMs> silent(TimeMs now, std::int64_t publishers, std::int64_t messages) {
    topic.stats_at_ms = now;
    topic.publishers = publishers;
    topic.messages_in = messages;
    history.observe(topic, Duration{kHour});
    return history.no_producer_since();
  }

  void ledgers(TimeMs now, std::vector<model::Ledger> list) {
    topic.internal_at_ms = now;
    topic.ledgers = model::Ledgers(std::move(list));
    history.observe(topic, Duration{kHour});
  }
};

}  // namespace

TEST_CASE("silence begins with the first document that shows nobody, and ends with a message") {
  Bench bench;
  CHECK_FALSE(bench.silent(kStart, 1, 10));
  CHECK(bench.silent(kStart + kMinute, 0, 12) == kStart + kMinute);
  CHECK(bench.silent(kStart + 2 * kMinute, 0, 12) == kStart + kMinute);
  SECTION("a producer that came and went between two looks") {
    CHECK(bench.silent(kStart + 3 * kMinute, 0, 13) == kStart + 3 * kMinute);
  }
  SECTION("a load counts anew, which is no message") {
    bench.topic.epoch = 1;
    CHECK(bench.silent(kStart + 3 * kMinute, 0, 0) == kStart + kMinute);
    CHECK(bench.silent(kStart + 4 * kMinute, 0, 1) == kStart + 4 * kMinute);
  }
  SECTION("a load after which somebody published") {
    bench.topic.epoch = 1;
    CHECK(bench.silent(kStart + 3 * kMinute, 0, 12) == kStart + 3 * kMinute);
  }
  SECTION("nobody is connected to an unloaded topic") {
    bench.topic.loaded = model::Loaded::kNo;
    bench.topic.absent_at_ms = kStart + 5 * kMinute;
    bench.history.observe(bench.topic, Duration{kHour});
    CHECK(bench.history.no_producer_since() == kStart + kMinute);
  }
  SECTION("an older document changes nothing") { CHECK(bench.silent(kStart, 1, 99) == kStart + kMinute); }
}

TEST_CASE("the closing of ledgers that tell no time") {
  Bench bench;
  bench.ledgers(kStart, {{1, 10, 100, {}, false}, {2, 5, 50, {}, false}});
  CHECK_FALSE(bench.history.saw_closings());
  bench.ledgers(kStart + kMinute, {{1, 10, 100, {}, false}, {2, 10, 100, {}, false}, {4, 1, 10, {}, false}});
  CHECK_FALSE(bench.history.closed_ms(1));
  CHECK(bench.history.closed_ms(2) == kStart + kMinute);
  CHECK_FALSE(bench.history.closed_ms(4));
  bench.ledgers(kStart + 2 * kMinute,
                {{2, 10, 100, {}, false}, {4, 9, 90, {}, false}, {5, 9, 90, {}, false}, {6, 1, 10, {}, false}});
  CHECK(bench.history.closed_ms(2) == kStart + kMinute);
  CHECK(bench.history.closed_ms(4) == kStart + 2 * kMinute);
  CHECK(bench.history.closed_ms(5) == kStart + 2 * kMinute);
  bench.ledgers(kStart + 3 * kMinute, {{6, 1, 10, {}, false}});
  CHECK_FALSE(bench.history.saw_closings());
}

TEST_CASE("the size of the last ledger is that of its last load, until another follows") {
  Bench bench;
  CHECK_FALSE(bench.history.last_ledger());
  bench.ledgers(kStart, {{1, 10, 100, {}, false}, {2, 5, 50, {}, false}});
  bench.ledgers(kStart + kMinute, {{1, 10, 100, {}, false}, {2, 7, 70, {}, false}});
  REQUIRE(bench.history.last_ledger());
  CHECK(bench.history.last_ledger()->id == 2);
  CHECK(bench.history.last_ledger()->entries == 7);
  CHECK(bench.history.last_ledger()->bytes == 70);
  // The metadata of an unloaded topic does not tell it.
  bench.ledgers(kStart + 2 * kMinute, {{1, 10, 100, {}, false}, {2, {}, {}, {}, false}});
  REQUIRE(bench.history.last_ledger());
  CHECK(bench.history.last_ledger()->bytes == 70);
  bench.ledgers(kStart + 3 * kMinute, {{2, 10, 100, {}, false}, {3, {}, {}, {}, false}});
  CHECK_FALSE(bench.history.last_ledger());
}
