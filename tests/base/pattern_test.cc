#include "base/pattern.h"

#include <string>

#include "support/catch.h"

using tidemark::Pattern;

namespace {

std::string fault_of(const std::string& text) {
  const auto pattern = Pattern::compile(text);
  REQUIRE_FALSE(pattern.has_value());
  return pattern.error().text();
}

bool finds(const std::string& pattern, const std::string& text) { return Pattern::compile(pattern)->found_in(text); }

}  // namespace

TEST_CASE("a pattern is searched for anywhere, in characters and not in bytes") {
  CHECK(finds("b", "abc"));
  CHECK_FALSE(finds("^b", "abc"));
  CHECK(finds(R"(^persistent://acme/[a-z]+/orders(-\d{1,3})? \[sub\]$)", "persistent://acme/shop/orders-7 [sub]"));
  CHECK(finds("^.$", "\xc3\xa9"));
  CHECK(finds("(?i)ORDERS", "orders"));
  CHECK(finds("", "anything"));
}

TEST_CASE("no pattern takes more than linear time") {
  const std::string hostile = std::string(100000, 'a') + "!";
  for (const auto* pattern : {"(a+)+$", "^(a|a)*$", "(a|aa)+$", "([a-z]+)*[0-9]$", "(.*)(.*)(.*)(.*)(.*)x$"}) {
    INFO(pattern);
    CHECK_FALSE(finds(pattern, hostile));
  }
}

TEST_CASE("what is no regular expression is said in our words") {
  CHECK(fault_of("(") == "not a regular expression: a '(' or ')' is without the other");
  CHECK(fault_of("a)").find("without the other") != std::string::npos);
  CHECK(fault_of("[a").find("a '[' is without its ']'") != std::string::npos);
  CHECK(fault_of("*.log").find("nothing stands before") != std::string::npos);
  CHECK(fault_of("a**").find("one behind the other") != std::string::npos);
  CHECK(fault_of("[z-a]").find("ends swapped") != std::string::npos);
  CHECK(fault_of("[[:no:]]").find("class of characters") != std::string::npos);
  CHECK(fault_of("\\p{No such}").find("class of characters") != std::string::npos);
  CHECK(fault_of("a{1,2000}").find("more than 1000 times") != std::string::npos);
  CHECK(fault_of("a\\").find("at its end") != std::string::npos);
  CHECK(fault_of("\\y").find("gives no meaning") != std::string::npos);
  CHECK(fault_of("\xff").find("not UTF-8") != std::string::npos);
  CHECK(fault_of("((((a{100}){100}){100}){100})").find("repeats more than 1000") != std::string::npos);
  CHECK(fault_of(std::string(20000, '(')).find("not a regular expression") != std::string::npos);
}

TEST_CASE("what RE2 leaves out to be fast is named") {
  for (const auto* lookaround : {"(?=a)b", "a(?!b)", "(?<=a)b", "(?<!a)b"}) {
    INFO(lookaround);
    CHECK(fault_of(lookaround).find("no lookaround") != std::string::npos);
  }
  CHECK(fault_of("(a)\\1").find("no backreferences") != std::string::npos);
}
