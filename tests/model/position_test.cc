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
