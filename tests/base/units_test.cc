#include "base/units.h"

#include "support/catch.h"

using namespace tidemark;

TEST_CASE("lengths of time") {
  CHECK(parse_duration("8d").value() == std::chrono::hours{192});
  CHECK(parse_duration("500ms").value() == Duration{500});
  CHECK(parse_duration("1d12h").value() == std::chrono::hours{36});
  CHECK(parse_duration("0s").value() == Duration{0});
  for (const auto* text : {"", "5", "d", "-5s", "5 s", "5y", "99999999999999999d", "1d12"}) {
    INFO(text);
    REQUIRE(parse_duration(text).has_error());
    CHECK(parse_duration(text).error().code() == Errc::kConfig);
  }
}

TEST_CASE("sizes") {
  CHECK(parse_size("1024").value() == 1024);
  CHECK(parse_size("16MiB").value() == 16LL << 20);
  CHECK(parse_size("1GB").value() == 1LL << 30);
  for (const auto* text : {"", "x", "-1", "1.5GiB", "1XB", "9999999999999TiB"}) {
    INFO(text);
    CHECK(parse_size(text).has_error());
  }
}

TEST_CASE("lengths and sizes for people") {
  CHECK(format_duration(Duration{450}) == "450ms");
  CHECK(format_duration(std::chrono::seconds{200}) == "3m 20s");
  CHECK(format_duration(std::chrono::hours{193}) == "8d 1h");
  CHECK(format_duration(std::chrono::hours{192}) == "8d");
  CHECK(format_bytes(999) == "999 B");
  CHECK(format_bytes(3400000) == "3.4 MB");
  CHECK(format_bytes(999960) == "1.0 MB");
}
