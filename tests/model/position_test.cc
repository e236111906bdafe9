#include "model/position.h"

#include "support/catch.h"

using namespace tidemark::model;

TEST_CASE("positions are read as brokers print them") {
  CHECK(parse_position("101:19") == Position{101, 19});
  CHECK(parse_position("101:-1") == Position{101, -1});
  CHECK(parse_position("-1:-2") == Position{-1, -2});
  for (const auto* text : {"", "101", "101:", ":5", "101:5x", "101:5:6", "a:b"}) {
    INFO(text);
    CHECK_FALSE(parse_position(text));
  }
  CHECK(to_string(Position{101, -1}) == "101:-1");
}

TEST_CASE("an entry id is small enough to be counted with, whatever the text says") {
  constexpr std::int64_t kMost = 9007199254740992;
  // PositionImpl.LATEST and EARLIEST's neighbours as Java prints them.
  CHECK(parse_position("9223372036854775807:9223372036854775807") == Position{9223372036854775807, kMost});
  CHECK(parse_position("5:-9223372036854775808") == Position{5, -kMost});
  CHECK_FALSE(parse_position("9223372036854775808:0"));
  CHECK_FALSE(parse_position("5:9223372036854775808"));
  CHECK_FALSE(parse_position("5: 1"));
  CHECK_FALSE(parse_position("5:1e3"));
}
