#include "base/time.h"

#include "support/catch.h"

using namespace tidemark;

TEST_CASE("broker timestamps of every spelling are read") {
  CHECK(parse_iso8601("1970-01-01T00:00:00Z") == 0);
  CHECK(parse_iso8601("2025-01-09T22:00:00Z") == 1736460000000);
  CHECK(parse_iso8601("2025-01-09T22:00Z") == 1736460000000);
  CHECK(parse_iso8601("2025-01-10T00:00:00+02:00") == 1736460000000);
  CHECK(parse_iso8601("2025-01-09T16:30:00-0530") == 1736460000000);
  CHECK(parse_iso8601("2026-11-29T21:42:52.54Z") == 1795988572540);
  CHECK(parse_iso8601("2026-11-29T21:42:52.540123456Z") == 1795988572540);
}

TEST_CASE("what is no timestamp is empty, never a guess") {
  for (const auto* text : {"", "2025", "2025-13-01T00:00:00Z", "2025-02-30T00:00:00Z", "2025-01-09 22:00:00Z",
                           "2025-01-09T25:00:00Z", "2025-01-09T22:00:00ZZ", "2025-01-09T22:00:00+x"}) {
    INFO(text);
    CHECK_FALSE(parse_iso8601(text));
  }
}

TEST_CASE("a timestamp survives being written and read") {
  for (const TimeMs at : {TimeMs{0}, TimeMs{1736460000000}, TimeMs{1795988572540}}) {
    CHECK(parse_iso8601(format_iso8601(at)) == at);
  }
  CHECK(format_iso8601(1736460000000) == "2025-01-09T22:00:00Z");
}
