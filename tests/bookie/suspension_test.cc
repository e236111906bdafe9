#include "bookie/suspension.h"

#include "support/catch.h"

using namespace tidemark;
using bookie::decode_suspension;

TEST_CASE("which compactions are suspended is written as texts") {
  const auto real =
      decode_suspension("{\n  \"isMajorGcSuspended\" : \"true\",\n  \"isMinorGcSuspended\" : \"false\"\n}");
  CHECK(real.value().major == true);
  CHECK(real.value().minor == false);
  const auto flags = decode_suspension(R"({"isMinorGcSuspended":true})");
  CHECK_FALSE(flags.value().major);
  CHECK(flags.value().minor == true);
}

TEST_CASE("what tells of no compaction is no answer") {
  for (const auto* none :
       {"", "{}", "[]", "<html>", R"({"isMajorGcSuspended":"yes"})", R"({"isMajorGcSuspended":1})"}) {
    INFO(none);
    CHECK(decode_suspension(none).has_error());
  }
}
