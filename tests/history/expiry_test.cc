#include "history/expiry.h"

#include "history/topics.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
using history::Expiry;

namespace {

struct Look {
  std::int64_t delayed, backlog, expired, sent;
  std::uint64_t epoch = 0;
};

void show(Expiry& expiry, TimeMs at, const Look& look, const char* type = "Shared") {
  OneCursor seen;
  seen.at(at, {101, 9});
  seen.topic.epoch = look.epoch;
  seen.cursor.type = type;
  seen.cursor.delayed_entries = look.delayed;
  seen.cursor.backlog_entries = look.backlog;
  seen.cursor.expired_total = look.expired;
  seen.cursor.messages_out = look.sent;
  expiry.observe(seen.topic, seen.cursor);
}

}  // namespace

TEST_CASE("delayed messages that surely expired undelivered") {
  struct Row {
    const char* why;
    Look before, then;
    std::int64_t lost;
  };
  const std::vector<Row> rows{
      {"all of them", {40, 50, 7, 5}, {0, 10, 47, 5}, 40},
      {"some of them", {40, 50, 7, 5}, {25, 35, 22, 5}, 15},
      {"they were sent", {40, 50, 7, 5}, {0, 10, 47, 45}, 0},
      {"they became due", {40, 50, 7, 5}, {0, 50, 7, 5}, 0},
      {"the others expired", {40, 50, 7, 5}, {40, 40, 17, 5}, 0},
      {"the others expired and some became due", {40, 50, 7, 5}, {35, 40, 17, 5}, 0},
      {"loaded anew", {40, 50, 7, 5}, {0, 10, 47, 5, 1}, 0},
      {"a load that only the counter shows", {40, 50, 7, 5}, {0, 10, 6, 5}, 0},
      {"nothing else was there to expire, and more came", {40, 40, 7, 5}, {60, 60, 17, 5}, 10},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    Expiry expiry;
    show(expiry, kStart, row.before);
    CHECK_FALSE(expiry.loss());
    show(expiry, kStart + kHour, row.then);
    REQUIRE(expiry.loss().has_value() == (row.lost > 0));
    if (!expiry.loss()) continue;
    CHECK(expiry.loss()->messages == row.lost);
    CHECK(expiry.loss()->at == kStart + kHour);
  }
}

TEST_CASE("without a dispatcher nobody knows what is delayed") {
  Expiry expiry;
  show(expiry, kStart, {40, 50, 7, 5});
  show(expiry, kStart + kHour, {0, 10, 47, 5}, "None");
  CHECK_FALSE(expiry.loss());
  show(expiry, kStart + 2 * kHour, {0, 0, 57, 5});
  CHECK_FALSE(expiry.loss());
}

TEST_CASE("losses less than a day apart are one") {
  Expiry expiry;
  show(expiry, kStart, {40, 40, 0, 0});
  show(expiry, kStart + kHour, {30, 30, 10, 0});
  show(expiry, kStart + 2 * kHour, {25, 25, 15, 0});
  CHECK(expiry.loss()->messages == 15);
  show(expiry, kStart + 3 * kDay, {20, 20, 20, 0});
  CHECK(expiry.loss()->messages == 5);
}

TEST_CASE("since when the expired counter stands") {
  Expiry expiry;
  show(expiry, kStart, {0, 50, 7, 5});
  CHECK(expiry.stands_since_ms() == kStart);
  show(expiry, kStart + kHour, {0, 50, 7, 5});
  CHECK(expiry.stands_since_ms() == kStart);
  CHECK(expiry.at_ms() == kStart + kHour);
  show(expiry, kStart + 2 * kHour, {0, 49, 8, 5});
  CHECK(expiry.stands_since_ms() == kStart + 2 * kHour);
  show(expiry, kStart + 3 * kHour, {0, 49, 8, 5, 1});
  CHECK(expiry.stands_since_ms() == kStart + 3 * kHour);
  show(expiry, kStart + kHour, {0, 49, 9, 5});  // older
  CHECK(expiry.expired() == 8);
}
