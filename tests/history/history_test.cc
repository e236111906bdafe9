#include "history/history.h"

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;

namespace {

model::Snapshot snapshot_of(const OneCursor& seen, TimeMs now) {
  model::Snapshot snapshot;
  snapshot.at_ms = now;
  auto topic = std::make_shared<model::TopicView>(seen.topic);
  topic->cursors = {seen.cursor};
  snapshot.topics = {topic};
  return snapshot;
}

}  // namespace

TEST_CASE("each cursor has its own history; readers have none") {
  history::History history;
  OneCursor seen;
  history.observe(snapshot_of(seen.at(kStart, {101, 19}), kStart));
  REQUIRE(history.find("persistent://acme/shop/orders", "sub").has_value());
  CHECK_FALSE(history.find("persistent://acme/shop/orders", "other").has_value());
  seen.cursor.name = "reader-1";
  seen.cursor.kind = model::CursorKind::kReader;
  history.observe(snapshot_of(seen, kStart + kMinute));
  CHECK(history.cursors() == 1);
}

TEST_CASE("what is gone is kept for a while and then forgotten") {
  history::History history;
  OneCursor seen;
  history.observe(snapshot_of(seen.at(kStart, {101, 19}), kStart));
  CHECK(history.bytes() > 0);
  history.forget_unseen(kStart + 30 * kDay);
  CHECK(history.cursors() == 1);
  history.forget_unseen(kStart + 30 * kDay + 1);
  CHECK(history.cursors() == 0);
  CHECK(history.bytes() == 0);
}

TEST_CASE("a cursor that is there again after a long time is the one that it was") {
  history::History history;
  OneCursor seen;
  history.observe(snapshot_of(seen.at(kStart, {101, 19}), kStart));
  history.observe(snapshot_of(seen.at(kStart + 100 * kDay, {101, 19}), kStart + 100 * kDay));
  CHECK(history.find("persistent://acme/shop/orders", "sub")->frozen_since_ms == kStart);
}

TEST_CASE("one that is gone is forgotten while its topic lives on") {
  history::History history;
  OneCursor seen;
  history.observe(snapshot_of(seen.at(kStart, {101, 19}), kStart));
  seen.cursor.name = "other";
  const auto poll = [&](TimeMs now) { history.observe(snapshot_of(seen.at(now, {101, 19}), now)); };
  poll(kStart + kDay);
  poll(kStart + 31 * kDay);
  CHECK(history.find("persistent://acme/shop/orders", "sub")->removed_ms == kStart + kDay);
  poll(kStart + 31 * kDay + 1);
  CHECK_FALSE(history.find("persistent://acme/shop/orders", "sub"));
  CHECK(history.cursors() == 1);
}

TEST_CASE("a topic of which no document has come yet has lost no cursor") {
  history::History history;
  OneCursor seen;
  history.observe(snapshot_of(seen.at(kStart, {101, 19}), kStart));
  model::Snapshot blank;
  blank.at_ms = kStart + kMinute;
  auto topic = std::make_shared<model::TopicView>();
  topic->name = seen.topic.name;
  blank.topics = {topic};
  history.observe(blank);
  CHECK_FALSE(history.find(seen.topic.name, "sub")->removed_ms.has_value());
  blank.at_ms += kMinute;
  topic->sweep_at_ms = blank.at_ms;
  history.observe(blank);
  CHECK(history.find(seen.topic.name, "sub")->removed_ms == blank.at_ms);
}

TEST_CASE("frozen time costs nothing") {
  history::History history;
  OneCursor seen;
  history.observe(snapshot_of(seen.at(kStart, {101, 19}), kStart));
  const auto bytes = history.bytes();
  for (int poll = 1; poll <= 1000; ++poll) {
    const auto now = kStart + poll * kMinute;
    history.observe(snapshot_of(seen.at(now, {101, 19}), now));
  }
  CHECK(history.bytes() <= bytes + 16);  // a distance in time takes a byte more when it is 128 times as long
}
