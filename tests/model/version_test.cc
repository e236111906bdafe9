#include "model/version.h"

#include "support/catch.h"

using tidemark::model::parse_version;
using tidemark::model::Version;

TEST_CASE("versions as brokers say them") {
  CHECK(parse_version("2.10.5") == Version{2, 10, 5});
  CHECK(parse_version("4.1.0-SNAPSHOT") == Version{4, 1, 0});
  CHECK(parse_version("3.2.0.1") == Version{3, 2, 0});
  CHECK(parse_version("3") == Version{3, 0, 0});
  CHECK(parse_version("3.") == Version{3, 0, 0});
  CHECK_FALSE(parse_version(""));
  CHECK_FALSE(parse_version("unknown"));
  CHECK_FALSE(parse_version("-1.0"));
  CHECK(*parse_version("2.8.10") > *parse_version("2.8.2"));
}
