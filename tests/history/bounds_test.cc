// Names that come and go without end: what is remembered stays within its limits, nobody who is old is forgotten for
// who is new, and whoever has no place is seen as just seen.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "history/history.h"
#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

constexpr std::string_view kTopic = "persistent://acme/shop/orders";

history::Tuning small(std::size_t max_bytes, std::size_t max_removed) {
  history::Tuning tuning;
  tuning.max_bytes = max_bytes;
  tuning.max_removed = max_removed;
  return tuning;
}

std::shared_ptr<model::TopicView> topic_of(const std::string& name, std::vector<std::string> cursors, TimeMs now) {
  OneCursor seen;
  seen.at(now, {101, 19});
  auto topic = std::make_shared<model::TopicView>(seen.topic);
  topic->name = name;
  topic->internal_at_ms = now;
  std::sort(cursors.begin(), cursors.end());
  for (auto& cursor : cursors) {
    seen.cursor.name = cursor;
    topic->cursors.push_back(seen.cursor);
  }
  return topic;
}

// A poll as the judge makes it, where every cursor is found idle.
void poll(history::History& history, TimeMs now, const std::vector<std::shared_ptr<model::TopicView>>& topics) {
  model::Snapshot snapshot;
  snapshot.at_ms = now;
  {
    history::History::Walk walk(history, snapshot);
    for (const auto& topic : topics) {
      for (auto* cursor : walk.observe(*topic).cursors) {
        cursor->judged = true;
        cursor->state = model::State::kIdle;
      }
    }
  }
  history.each_missing(now, [now](std::string_view, history::Topic& past) {
    for (auto& [name, cursor] : past.cursors) {
      if (!cursor.removed_ms) cursor.removed_ms = now;
    }
  });
  history.forget_unseen(now);
}

std::vector<std::string> names(const std::string& front, std::size_t count) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(front + std::to_string(i));
  return made;
}

std::vector<std::string> with_old(std::vector<std::string> cursors) {
  cursors.emplace_back("old");
  return cursors;
}

}  // namespace

TEST_CASE("a stream of cursors that come and go on one topic stays bounded, and costs the old one nothing") {
  history::History history(small(1 << 20, 500));
  std::size_t early_bytes = 0;
  for (int i = 0; i < 400; ++i) {
    const auto now = kStart + i * kMinute;
    poll(history, now, {topic_of(std::string(kTopic), with_old(names("s" + std::to_string(i) + "-", 50)), now)});
    CHECK(history.cursors() <= 500 + 3 * 50 + 1);  // the limit, who is there and who went in one poll
    if (i == 100) early_bytes = history.bytes();
  }
  CHECK(history.cursors() >= 500);
  CHECK(history.bytes() < early_bytes + early_bytes / 5);
  CHECK(history.find(kTopic, "old")->first_position_ms == kStart);
  const auto overflow = history.take_overflow();
  CHECK(overflow.gone > 400 * 50 - 500 - 200);
  CHECK(overflow.cursors == 0);
  // The longest gone went.
  CHECK_FALSE(history.find(kTopic, "s100-7"));
  CHECK(history.find(kTopic, "s395-7"));
}

TEST_CASE("a stream of topics that come and go stays bounded, those that are long missing first") {
  history::History history(small(1 << 20, 500));
  for (int i = 0; i < 3000; ++i) {
    const auto now = kStart + i * kMinute;
    poll(history, now,
         {topic_of(std::string(kTopic), {"old"}, now),
          topic_of("persistent://acme/shop/t" + std::to_string(i), names("s", 2), now)});
    CHECK(history.topics() <= 500);
    CHECK(history.cursors() <= 1000);
  }
  CHECK(history.bytes() < 500 * 600);
  CHECK(history.find(kTopic, "old")->first_position_ms == kStart);
  CHECK(history.find("persistent://acme/shop/t2990", "s1"));
}

TEST_CASE("topics without cursors that come and go are forgotten likewise") {
  history::History history(small(1 << 20, 100));
  for (int i = 0; i < 1000; ++i) {
    const auto now = kStart + i * kMinute;
    poll(history, now, {topic_of("persistent://acme/shop/t" + std::to_string(i), {}, now)});
    CHECK(history.topics() <= 103);
  }
}

TEST_CASE("receipts of leftovers outlive a stream of others that had a finding") {
  history::History history(small(1 << 20, 100));
  const std::string topic(kTopic);
  auto view = topic_of(topic, {"leftover"}, kStart);
  model::Snapshot snapshot;
  snapshot.at_ms = kStart;
  history::History::Walk(history, snapshot).observe(*view).cursors[0]->leftover.emplace();
  for (int i = 1; i < 200; ++i) {
    const auto now = kStart + i * kMinute;
    poll(history, now, {topic_of(topic, names("s" + std::to_string(i) + "-", 20), now)});
  }
  CHECK(history.find(kTopic, "leftover")->removed_ms == kStart + kMinute);
  // After a day nothing is told of it, and then it goes like any other.
  for (int i = 0; i < 10; ++i) {
    const auto now = kStart + 2 * kDay + i * kMinute;
    poll(history, now, {topic_of(topic, names("z" + std::to_string(i) + "-", 20), now)});
  }
  CHECK_FALSE(history.find(kTopic, "leftover"));
}

TEST_CASE("who is gone, of one moment and too many, is cut to the limit") {
  history::History history(small(1 << 20, 100));
  const std::string topic(kTopic);
  poll(history, kStart, {topic_of(topic, with_old(names("s", 1000)), kStart)});
  for (int i = 1; i < 4; ++i) poll(history, kStart + i * kMinute, {topic_of(topic, {"old"}, kStart + i * kMinute)});
  CHECK(history.cursors() == 101);
  CHECK(history.take_overflow().gone == 900);
}

TEST_CASE("memory that is full takes nobody new: each is just seen at each poll, until there is room") {
  constexpr std::size_t kMost = 20000;
  history::History history(small(kMost, 0));
  const std::string topic(kTopic);
  poll(history, kStart, {topic_of(topic, {"old"}, kStart)});
  TimeMs now = kStart;
  std::vector<std::string> listed{"old"};
  for (int i = 1; i < 60; ++i) {
    now = kStart + i * kMinute;
    for (auto& name : names("s" + std::to_string(100 + i) + "-", 20)) listed.push_back(name);
    poll(history, now,
         {topic_of(topic, listed, now), topic_of("persistent://acme/shop/t" + std::to_string(i), {"s"}, now)});
    CHECK(history.bytes() <= kMost + kMost / 5);  // those who are remembered may grow
  }
  const auto refused = history.take_overflow();
  CHECK(refused.cursors > 1000);
  CHECK(refused.topics > 0);
  CHECK(history.find(topic, "old")->first_position_ms == kStart);
  CHECK(history.find(topic, "s101-0")->first_position_ms == kStart + kMinute);
  CHECK_FALSE(history.find(topic, "s159-0"));

  model::Snapshot snapshot;
  snapshot.at_ms = now + kMinute;
  const auto view = topic_of(topic, listed, snapshot.at_ms);
  {
    history::History::Walk walk(history, snapshot);
    const auto seen = walk.observe(*view).cursors;
    REQUIRE(seen.size() == listed.size());
    CHECK(seen.back()->passing);
    CHECK(seen.back()->first_position_ms == snapshot.at_ms);  // not since it was seen first
    CHECK_FALSE(seen.front()->passing);
  }
  CHECK(history.take_strangers() < listed.size());  // nobody is asked for those without a place

  // Most of them go; then there is room for who is there.
  for (int i = 2; i < 6; ++i) {
    now += kMinute;
    poll(history, now, {topic_of(topic, {"old", "s159-0"}, now)});
  }
  CHECK(history.find(topic, "s159-0"));
  history.take_overflow();
  poll(history, now + kMinute, {topic_of(topic, {"old", "s159-0"}, now + kMinute)});
  CHECK(history.take_overflow().cursors == 0);
}

TEST_CASE("a topic without a place leaves nothing behind") {
  history::History history(small(0, 10));
  for (int i = 0; i < 3; ++i) poll(history, kStart + i * kMinute, {topic_of(std::string(kTopic), {"a", "b"}, kStart)});
  CHECK(history.topics() == 0);
  CHECK(history.bytes() == 0);
  const auto refused = history.take_overflow();
  CHECK(refused.topics == 3);
  CHECK(refused.cursors == 6);
}

TEST_CASE("who is gone gives way to who is there and has no place, but for receipts") {
  history::History history(small(20000, 100000));
  const std::string topic(kTopic);
  const auto view = topic_of(topic, {"leftover"}, kStart);
  {
    model::Snapshot snapshot;
    snapshot.at_ms = kStart;
    history::History::Walk(history, snapshot).observe(*view).cursors[0]->leftover.emplace();
  }
  poll(history, kStart + kMinute, {topic_of(topic, names("first-", 400), kStart + kMinute)});
  CHECK(history.take_overflow().cursors > 0);
  TimeMs now = kStart + kMinute;
  for (int i = 0; i < 20; ++i) {
    now += kMinute;
    poll(history, now, {topic_of(topic, names("second-", 400), now)});
  }
  const auto known = history.all_of(topic)->cursors;
  const auto of_second =
      std::count_if(known.begin(), known.end(), [](const auto& one) { return one.first.starts_with("second-"); });
  CHECK(of_second == 400);
  CHECK(history.find(topic, "leftover"));
  CHECK(history.bytes() < 25000);
}
