#include "formats/json_writer.h"

#include <rapidjson/document.h>

#include <limits>

#include "support/catch.h"

using namespace tidemark::formats;

namespace {

template <class T>
std::string written(const T& its_value) {
  JsonWriter json;
  json.value(its_value);
  return json.take();
}

}  // namespace

TEST_CASE("objects, arrays and null") {
  JsonWriter json;
  json.begin_object();
  json.member("text", "x");
  json.member("none", std::optional<std::string>{});
  json.member("some", std::optional<std::int64_t>{5});
  json.key("list");
  json.begin_array();
  json.value(true);
  json.value(nullptr);
  json.value(1);
  json.begin_object();
  json.end_object();
  json.end_array();
  json.end_object();
  CHECK(json.take() == R"({"text":"x","none":null,"some":5,"list":[true,null,1,{}]})");
  json.value("again");
  CHECK(json.take() == R"("again")");
}

TEST_CASE("numbers are exact and short") {
  CHECK(written(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(written(0.1) == "0.1");
  CHECK(written(5.0) == "5");
  CHECK(written(700000.0) == "700000");
  CHECK(written(-0.0) == "0");
  CHECK(written(691200.125) == "691200.125");
  CHECK(written(1.0 / 3) == "0.3333333333333333");
  CHECK(written(1e300) == "1e+300");
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(written(-std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("any text comes back from a parser") {
  const std::vector<std::string> rows{"",
                                      "quote \" backslash \\ slash /",
                                      "line\nfeed\ttab\rreturn",
                                      std::string("nul\0inside", 10),
                                      "\x1b[31mred\x7f",
                                      "caf\xC3\xA9 \xF0\x9F\x8C\x8A",
                                      "<script>alert('x')</script>"};
  for (const auto& row : rows) {
    JsonWriter json;
    json.begin_object();
    json.member(row, row);
    json.end_object();
    rapidjson::Document document;
    const auto text = json.take();
    document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
    INFO(text);
    REQUIRE_FALSE(document.HasParseError());
    REQUIRE(document.MemberCount() == 1);
    const auto& member = *document.MemberBegin();
    CHECK(std::string(member.name.GetString(), member.name.GetStringLength()) == row);
    CHECK(std::string(member.value.GetString(), member.value.GetStringLength()) == row);
  }
}

TEST_CASE("text that is no UTF-8 is mended") {
  CHECK(written("a\xFF"
                "b") ==
        "\"a\xEF\xBF\xBD"
        "b\"");
  CHECK(written(std::string_view{}) == "\"\"");
  JsonWriter json;
  json.begin_object();
  json.member("\xC3", 1);
  json.end_object();
  CHECK(json.take() == "{\"\xEF\xBF\xBD\":1}");
}

TEST_CASE("a writer can be moved") {
  JsonWriter first;
  first.begin_array();
  JsonWriter second = std::move(first);
  second.value(1);
  second.end_array();
  CHECK(second.take() == "[1]");
}
