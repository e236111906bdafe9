#include "formats/base64.h"

#include "support/catch.h"

using namespace tidemark::formats;

TEST_CASE("base64, both ways") {
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},        {"f", "Zg=="},          {"fo", "Zm8="},
      {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {std::string("\0\xFF\xFE", 3), "AP/+"}};
  for (const auto& [bytes, text] : rows) {
    CHECK(encode_base64(bytes) == text);
    CHECK(decode_base64(text) == bytes);
  }
}

TEST_CASE("what is no base64") {
  for (const auto* none : {"Z", "Zg", "Zg=", "Z===", "Zm 9", "Zm9-", "Zg==Zg==", "Zm9v\n"})
    CHECK_FALSE(decode_base64(none));
}
