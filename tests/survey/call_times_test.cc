#include "survey/call_times.h"

#include "support/catch.h"
#include "survey/documents.h"
#include "survey/survey.h"

using namespace tidemark;
using namespace tidemark::testing;
using survey::CallTimes;

TEST_CASE("nine in ten calls of the last five minutes took at most so long") {
  CallTimes calls;
  calls.begin_poll(kStart);
  for (int i = 1; i <= 4; ++i) calls.add(kStart, Duration{1000});
  CHECK_FALSE(calls.p90());  // of a few nothing is said
  calls.begin_poll(kStart + kMinute);
  for (int i = 1; i <= 100; ++i) calls.add(kStart + kMinute, Duration{i});
  CHECK(calls.p90() == 94);  // with four of 1000
  calls.begin_poll(kStart + 5 * kMinute);
  CHECK(calls.p90() == 90);
  calls.begin_poll(kStart + 6 * kMinute);
  CHECK_FALSE(calls.p90());
}

TEST_CASE("what calls took is known of each broker, of what is streamed only that it did not come") {
  survey::Options options;
  options.seed = "broker-0:8080";
  options.replay = true;
  survey::Survey survey(options);
  const auto take = [&](const std::string& path, std::optional<Duration> took, bool timed_out = false) {
    auto exchange = from_broker(kStart, path, path == pulsar::sweep_path() ? sweep_of({}) : "{}", timed_out ? 0 : 200);
    exchange.took = took;
    exchange.timed_out = timed_out;
    (void)survey.take(exchange);
  };
  survey.begin_poll(kStart);
  take(pulsar::sweep_path(), Duration{90000});
  for (int i = 0; i < 5; ++i) take(pulsar::stats_path(kOrders), Duration{20});
  take(pulsar::stats_path(kOrders), {});
  auto brokers = survey.end_poll()->brokers;
  REQUIRE(brokers.size() == 1);
  CHECK(brokers.front().calls_p90_ms == 20);
  CHECK(brokers.front().calls_timed_out == 0);

  survey.begin_poll(kStart + kMinute);
  take(pulsar::stats_path(kOrders), Duration{30000}, true);
  take(pulsar::sweep_path(), Duration{30000}, true);
  brokers = survey.end_poll()->brokers;
  CHECK(brokers.front().calls_timed_out == 2);
  CHECK(brokers.front().calls_p90_ms == 20);
  survey.begin_poll(kStart + 2 * kMinute);
  CHECK(survey.end_poll()->brokers.front().calls_timed_out == 0);
}
