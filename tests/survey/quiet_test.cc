// Which brokers are left alone: those in motion or in trouble, for two polls. What one topic does is no trouble of its
// broker, or a single broken one would keep all its neighbours from being asked.
#include <fmt/format.h>

#include "survey/questions.h"
#include "survey/survey.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

using Listed = std::vector<std::pair<std::string, std::vector<Sub>>>;

Listed abandoned(int count) {
  Listed topics;
  for (int i = 0; i < count; ++i) topics.push_back({fmt::format("persistent://acme/shop/t{}", i), {{"gone", 40, 0}}});
  return topics;
}

// A poll in which those topics of which `broken` says so answer 500. Which ones were asked.
template <typename Broken>
std::set<std::string> poll(survey::Survey& survey, TimeMs at, const Listed& topics, const Broken& broken) {
  survey.begin_poll(at);
  sweep(survey, at, sweep_of(topics));
  survey.end_sweeps();
  std::set<std::string> asked;
  for (auto asks = survey.next_suspect(kBroker); !asks.empty(); asks = survey.next_suspect(kBroker)) {
    const auto topic = pulsar::parse_path(asks[0].path).topic;
    const int status = broken(topic) ? 500 : 200;
    asked.insert(topic);
    CHECK(survey.take(from_broker(at, asks[0].path, internal_of("7:19"), status)).has_value());
    CHECK(survey.take(from_broker(at, asks[1].path, stats_of({"gone", 40, 0}), status)).has_value());
  }
  survey.end_poll();
  return asked;
}

}  // namespace

TEST_CASE("a topic that is broken for ever is asked for now and then, and its neighbours as ever") {
  survey::Survey survey(options());
  const auto topics = abandoned(4);
  const auto is_broken = [](const std::string& topic) { return topic.ends_with("t1"); };
  CHECK(poll(survey, kStart, topics, is_broken).size() == 4);
  int broken = 0;
  std::set<std::string> seen;
  for (int i = 1; i <= 120; ++i) {
    for (const auto& topic : poll(survey, kStart + i * kMinute, topics, is_broken)) {
      broken += is_broken(topic) ? 1 : 0;
      seen.insert(topic);
    }
  }
  CHECK(seen.size() == 4);
  CHECK(broken >= 4);
  CHECK(broken <= 14);  // at the next poll, then each ten minutes
}

TEST_CASE("many broken topics are no trouble of a broker that answers for more") {
  survey::Survey survey(options());
  const auto topics = abandoned(9);
  const auto is_broken = [](const std::string& topic) { return topic.back() >= '5'; };
  CHECK(poll(survey, kStart, topics, is_broken).size() == 9);
  CHECK(poll(survey, kStart + 61 * kMinute, topics, is_broken).size() == 9);
}

TEST_CASE("a broker of which several topics begin to fail is left alone for two polls") {
  survey::Survey survey(options());
  const auto topics = abandoned(6);
  const auto none = [](const std::string&) { return false; };
  const auto all = [](const std::string&) { return true; };
  auto at = kStart;
  std::set<std::string> asked = poll(survey, at, topics, all);
  CHECK(asked.size() == 3);  // the third failure ends it
  at += kMinute;
  CHECK(poll(survey, at, topics, none).empty());
  at += kMinute;
  CHECK(poll(survey, at, topics, none).size() == 6);
}
