#include "bookie/registered.h"

#include <fstream>
#include <iterator>

#include "support/catch.h"

using namespace tidemark;
using bookie::decode_registered;

TEST_CASE("what a real bookie lists, and a list of none") {
  std::ifstream in(std::string(TIDEMARK_TEST_DATA) + "/pulsar-samples/4.0.7/bookie-list.json");
  REQUIRE(in.good());
  const auto listed = decode_registered(std::string{std::istreambuf_iterator<char>(in), {}}).value();
  CHECK(listed == std::vector<std::string>{"127.0.0.2:37547", "127.0.0.4:43647", "127.0.0.3:42393"});
  CHECK(decode_registered("{ }").value().empty());
  // With print_hostnames=true.
  CHECK(decode_registered(R"({"10.0.0.1:3181":"bookie-0"})").value() == std::vector<std::string>{"10.0.0.1:3181"});
}

TEST_CASE("what is no list of bookies is none") {
  for (const auto* none : {"", "[]", "null", "<html>", R"(["a:1"])", R"({"a:1":{}})", R"({"a:1":[]})", R"({"a:1":1})",
                           R"({"a:1":true})", R"({"a:1":null)"}) {
    INFO(none);
    CHECK(decode_registered(none).has_error());
  }
}
