#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

constexpr const char* kRule = "expiration_at_risk";

// Every third day somebody comes for an hour; the last time on the ninth.
struct Visitor {
  TopicBench bench;
  model::CursorView* cursor;

  Visitor() {
    bench.snapshot.interval = Duration{kDay};
    bench.ns.expiration_minutes = 4 * 1440;
    cursor = &bench.add("sub", {102, 9});
    for (int day = 0; day <= 9; day += 3) {
      cursor->consumers = 1;
      bench.poll(kStart + day * kDay);
      cursor->consumers = 0;
      bench.poll(kStart + day * kDay + kHour);
    }
  }

  std::vector<model::Finding> on(double day) {
    return findings_of(bench.poll(kStart + static_cast<TimeMs>(day * kDay)), kRule);
  }
};

}  // namespace

TEST_CASE("expiration that does not wait for who comes now and then") {
  Visitor visitor;
  SECTION("it expires before one comes late") {
    const auto found = visitor.on(11);
    REQUIRE(found.size() == 1);
    CHECK(found[0].cursor == "sub");
    CHECK(fact<std::int64_t>(found[0], "longest_pause_seconds") == 3 * kDay / 1000);
    CHECK(fact<std::int64_t>(found[0], "latest_return_seconds") == 4.5 * kDay / 1000);
    CHECK(found[0].summary ==
          "came back after pauses of up to 3d, may take half as long again (4d 12h), and expires after 4d");
    CHECK(fact<std::int64_t>(found[0], "expiration_minutes") == 4 * 1440);
    CHECK(fact<std::int64_t>(found[0], "expires_ms") == kStart + 13 * kDay + kHour);
  }
  SECTION("who does not come any more is not at risk") { CHECK(visitor.on(14).empty()); }
  SECTION("it waits long enough") {
    visitor.bench.ns.expiration_minutes = 5 * 1440;
    CHECK(visitor.on(11).empty());
  }
  SECTION("the broker's, where the namespace has none") {
    visitor.bench.ns.expiration_minutes.reset();
    visitor.bench.snapshot.defaults.expiration_minutes = 1440;
    CHECK(visitor.on(11).size() == 1);
    visitor.bench.snapshot.defaults.expiration_minutes = 0;
    CHECK(visitor.on(11).empty());
  }
  SECTION("somebody is there") {
    visitor.cursor->consumers = 1;
    CHECK(visitor.on(11).empty());
  }
  SECTION("nothing waits") {
    visitor.cursor->mark_delete = model::Position{103, 49};
    CHECK(visitor.on(11).empty());
  }
  SECTION("a replicated one never expires") {
    visitor.cursor->replicated = true;
    CHECK(visitor.on(11).empty());
  }
  SECTION("nor does anything on an unloaded topic") {
    visitor.bench.topic.loaded = model::Loaded::kNo;
    CHECK(visitor.on(11).empty());
  }
}
