#include "survey/clock_offset.h"

#include "support/catch.h"
#include "survey/assemble.h"

using namespace tidemark;

namespace {
constexpr TimeMs kNow = 1735776000000;
constexpr TimeMs kSecond = 1000;
}  // namespace

TEST_CASE("clocks that agree as far as a Date in whole seconds tells") {
  survey::ClockOffset clocks;
  CHECK(clocks.value() == Duration{0});
  clocks.saw("a", kNow - kSecond, kNow, kNow + 40);
  CHECK(clocks.value() == Duration{0});
  SECTION("a slow answer says little") {
    clocks.saw("a", kNow + 5 * kSecond, kNow, kNow + 20 * kSecond);
    CHECK(clocks.value() == Duration{0});
  }
}

TEST_CASE("a cluster that is ahead, and one broker that is alone with its time") {
  survey::ClockOffset clocks;
  clocks.saw("a", kNow + 3600 * kSecond, kNow, kNow);
  CHECK(clocks.value() == Duration{3600 * kSecond + 500});
  SECTION("what moves within a second is the same") {
    clocks.saw("a", kNow + 3601 * kSecond, kNow, kNow);
    CHECK(clocks.value() == Duration{3600 * kSecond + 500});
  }
  SECTION("set right again") {
    clocks.saw("a", kNow, kNow, kNow);
    CHECK(clocks.value() == Duration{0});
  }
  SECTION("two that agree with us") {
    clocks.saw("b", kNow, kNow, kNow);
    clocks.saw("c", kNow, kNow, kNow);
    CHECK(clocks.value() == Duration{0});
    SECTION("and that are no brokers of the cluster any more") {
      clocks.keep_only([](const std::string& broker) { return broker == "a"; });
      CHECK(clocks.value() == Duration{3600 * kSecond + 500});
    }
  }
}

TEST_CASE("every time that a broker told is put onto our clock, our own are left alone") {
  model::TopicView view;
  view.sweep_at_ms = kNow;
  view.epoch_started_ms = kNow;
  view.ledgers = model::Ledgers{{{7, 10, 100, kNow, false}, {8, {}, {}, {}, false}}};
  model::CursorView cursor;
  cursor.position_at_ms = kNow;
  cursor.flow_ms = cursor.mark_delete_advanced_ms = cursor.created_ms = cursor.connected_since_ms = kNow;
  view.cursors = {cursor};
  survey::onto_our_clock(view, Duration{60 * kSecond});
  CHECK(view.sweep_at_ms == kNow);
  CHECK(view.epoch_started_ms == kNow - 60 * kSecond);
  CHECK(view.ledgers.list().at(0).closed_ms == kNow - 60 * kSecond);
  CHECK_FALSE(view.ledgers.list().at(1).closed_ms);
  CHECK(view.cursors.at(0).position_at_ms == kNow);
  CHECK(view.cursors.at(0).flow_ms == kNow - 60 * kSecond);
  CHECK(view.cursors.at(0).mark_delete_advanced_ms == kNow - 60 * kSecond);
  CHECK(view.cursors.at(0).created_ms == kNow - 60 * kSecond);
  CHECK(view.cursors.at(0).connected_since_ms == kNow - 60 * kSecond);
  CHECK_FALSE(view.cursors.at(0).expired_ms);
}
