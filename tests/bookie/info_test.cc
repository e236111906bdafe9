#include "bookie/info.h"

#include <cmath>
#include <fstream>
#include <iterator>

#include "support/catch.h"

using namespace tidemark;
using bookie::decode_info;

TEST_CASE("a real bookie's disk by its admin API") {
  std::ifstream in(std::string(TIDEMARK_TEST_DATA) + "/pulsar-samples/4.0.7/bookie-info.json");
  REQUIRE(in.good());
  const auto info = decode_info(std::string{std::istreambuf_iterator<char>(in), {}}).value();
  CHECK(info.free_bytes == 23207936);
  CHECK(info.total_bytes == 268435456);
  // The gauge among its metrics of that moment.
  CHECK(std::abs(info.usage_ratio() - 0.9135437) < 1e-6);
}

TEST_CASE("what is no size of a disk is no information") {
  CHECK(decode_info(R"({"freeSpace":0,"totalSpace":5})").value().usage_ratio() == 1);
  for (const auto* none : {"", "{}", "[]", "<html>", R"({"freeSpace":5})", R"({"totalSpace":5})",
                           R"({"freeSpace":0,"totalSpace":0})", R"({"freeSpace":-1,"totalSpace":5})",
                           R"({"freeSpace":6,"totalSpace":5})", R"({"freeSpace":"1","totalSpace":"5"})"}) {
    INFO(none);
    CHECK(decode_info(none).has_error());
  }
}
