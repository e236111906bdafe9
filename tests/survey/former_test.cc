// What an earlier run left us of topics and cursors, and when a topic that nobody may list is gone.
#include <algorithm>
#include <set>

#include "survey/questions.h"
#include "survey/survey.h"

using namespace tidemark;
using namespace tidemark::testing;

TEST_CASE("a topic of an earlier run is there until something says otherwise") {
  survey::Survey survey(options());
  survey.remember({kOrders, kStart - kMinute, 3, 50, {}});
  survey.begin_poll(kStart);
  const auto before = survey.end_poll();  // nobody answered
  REQUIRE(find(*before, kOrders) != nullptr);
  CHECK(find(*before, kOrders)->epoch == 3);
  CHECK(find(*before, kOrders)->loaded == model::Loaded::kUnknown);
  survey.begin_poll(kStart + kMinute);
  survey.end_list("acme/shop", true);
  CHECK(find(*survey.end_poll(), kOrders) == nullptr);
}

TEST_CASE("a cursor of an earlier run is there until a document that could show it lacks it") {
  survey::Survey survey(options());
  survey.remember({kOrders, kStart - kMinute / 4, 0, 0, {"gone", "pulsar.dedup", "sub"}});
  const auto names = [&](TimeMs now, const std::string& swept) {
    survey.begin_poll(now);
    answer_topology(survey, now, "[\"" + kOrders + "\"]");
    sweep(survey, now, swept);
    std::vector<std::string> found;
    const auto snapshot = survey.end_poll();
    REQUIRE(find(*snapshot, kOrders) != nullptr);
    for (const auto& cursor : find(*snapshot, kOrders)->cursors) found.push_back(cursor.name);
    return found;
  };
  const std::vector<std::string> all{"gone", "pulsar.dedup", "sub"};
  CHECK(names(kStart, "{}") == all);  // its broker has just started
  // What a sweep shows may be a statistics period old.
  CHECK(names(kStart + kMinute / 2, sweep_of({{kOrders, {{"sub"}}}})) == all);
  // It shows no internal cursors.
  CHECK(names(kStart + kMinute, sweep_of({{kOrders, {{"sub"}}}})) == std::vector<std::string>{"pulsar.dedup", "sub"});
  const auto now = kStart + 2 * kMinute;
  survey.begin_poll(now);
  sweep(survey, now, sweep_of({{kOrders, {{"sub"}}}}));
  REQUIRE(survey.take(from_broker(now, pulsar::internal_stats_path(kOrders), internal_of("7:19"))).has_value());
  const auto snapshot = survey.end_poll();
  REQUIRE(find(*snapshot, kOrders)->cursors.size() == 1);
  CHECK(find(*snapshot, kOrders)->cursors[0].name == "sub");
}

TEST_CASE("an unloaded topic of an earlier run: its last ledger is as large as that run knew") {
  survey::Survey survey(options());
  survey.remember({kOrders, kStart - kMinute, 0, 0, {"sub"}, model::Ledger{8, 50, 500, {}, false}});
  survey.begin_poll(kStart);
  answer_topology(survey, kStart, "[\"" + kOrders + "\"]");
  sweep(survey, kStart, sweep_of({{kOther, {{"sub"}}}}));
  REQUIRE(survey.take(from_broker(kStart, pulsar::internal_info_path(kOrders), info_of(-1))).has_value());
  const auto snapshot = survey.end_poll();
  REQUIRE(find(*snapshot, kOrders) != nullptr);
  CHECK(find(*snapshot, kOrders)->loaded == model::Loaded::kNo);
  CHECK(find(*snapshot, kOrders)->ledgers.find(8)->bytes == 500);
}

TEST_CASE("where nobody may list topics, one that left every sweep ends when its metadata does") {
  survey::Survey survey(options());
  survey.begin_poll(kStart);
  const auto there = [&](TimeMs now, bool swept, int info_status) {
    survey.begin_poll(now);
    answer_topology(survey, now, "", 403);
    std::vector<std::pair<std::string, std::vector<Sub>>> topics{{kOther, {{"sub"}}}};
    if (swept) topics.push_back({kOrders, {{"sub"}}});
    sweep(survey, now, sweep_of(topics));
    survey.end_sweeps();
    for (auto ask = survey.next_info(); ask; ask = survey.next_info()) {
      const bool orders = pulsar::parse_path(ask->path).topic == kOrders;
      (void)survey.take(from_broker(now, ask->path, info_of(-1), orders ? info_status : 200));
    }
    const auto snapshot = survey.end_poll();
    CHECK(find(*snapshot, kOther) != nullptr);
    return find(*snapshot, kOrders) != nullptr;
  };
  auto now = kStart;
  if (GENERATE(false, true)) {  // or nobody any more
    survey.list_topic(kOrders);
    survey.end_list("acme/shop", true);
    now += kMinute;
  }
  CHECK(there(now, true, 200));
  const auto polls = [&](int count, Duration step, int info_status) {
    bool found = true;
    for (int i = 0; i < count && found; ++i) found = there(now += step.count(), false, info_status);
    return found;
  };
  const Duration minute{kMinute};
  const Duration hours{6 * kHour};
  SECTION("unknown at two looks") {
    CHECK(polls(61, minute, 500));
    CHECK_FALSE(polls(2, minute, 500));
  }
  SECTION("one look may be mistaken") {
    CHECK(polls(30, minute, 500));
    CHECK(there(now += kMinute, true, 500));
    CHECK(polls(60, minute, 500));
  }
  SECTION("it is unloaded, for however long") { CHECK(polls(200, hours, 200)); }
  SECTION("that may not be read either: forgotten as what is gone") {
    CHECK(polls(119, hours, 403));
    CHECK_FALSE(polls(3, hours, 403));
  }
}
