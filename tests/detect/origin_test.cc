// Own patterns, and names that nobody would choose; what the built-in rules say is in origin_names_test.cc.
#include "detect/origin.h"

#include "support/catch.h"

using namespace tidemark;
using model::Origin;

TEST_CASE("own patterns come first, and a bad one is named") {
  const auto patterns = detect::OriginPatterns::compile({{"^billing-", Origin::kBatchJob}}).value();
  CHECK(patterns.of("billing-test").origin == Origin::kBatchJob);
  const auto chosen = detect::OriginPatterns::compile({{"^iphone-", Origin::kNamed}}).value();
  CHECK(chosen.of("iphone-pro-15").origin == Origin::kNamed);
  CHECK(chosen.of("iphone-pro-15").group == "iphone-pro-15");
  const auto bad = detect::OriginPatterns::compile({{"(", Origin::kNamed}});
  REQUIRE(bad.has_error());
  CHECK(bad.error().code() == Errc::kConfig);
  CHECK(bad.error().text().find("'('") != std::string::npos);
}

TEST_CASE("a hostile name of any length is only a name") {
  const auto patterns = detect::OriginPatterns::compile({}).value();
  CHECK(patterns.of(std::string(1 << 20, 'a')).origin == Origin::kNamed);
  CHECK_NOTHROW(patterns.of(std::string(5000, '-')));
  CHECK_NOTHROW(patterns.of(std::string("\0\xff\n", 3)));
  std::string addresses;
  for (int i = 0; i < 200000; ++i) addresses += "a:1-";
  CHECK(patterns.of(addresses).group.size() <= addresses.size());
}
