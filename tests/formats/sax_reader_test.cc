#include "formats/sax_reader.h"

#include "support/catch.h"

using namespace tidemark;
using formats::read_json;
using formats::unescape_json;

namespace {

// Writes down what it hears.
class Recorder final : public formats::SaxHandler {
 public:
  bool start_object() override { return say("{"); }
  bool end_object() override { return say("}"); }
  bool start_array() override { return say("["); }
  bool end_array() override { return say("]"); }
  bool key(std::string_view text) override { return say("k:" + std::string(text)); }
  bool integer(std::int64_t value) override { return say("i:" + std::to_string(value)); }
  bool real(double value) override { return say("d:" + std::to_string(value)); }
  bool text(std::string_view value) override { return say("s:" + std::string(value)); }
  bool boolean(bool value) override { return say(value ? "true" : "false"); }
  bool null() override { return say("null"); }

  std::string heard;

 private:
  bool say(const std::string& what) {
    heard += what + " ";
    return what != "s:stop";
  }
};

std::string heard(std::string_view json) {
  Recorder recorder;
  const auto done = read_json("test", json, recorder);
  return done.has_error() ? done.error().text() : recorder.heard;
}

}  // namespace

TEST_CASE("every kind of event") {
  CHECK(heard(R"({"a":[1,-2,2.5,"x\u00e9\n",true,false,null,{}],"b\"":{}})") ==
        "{ k:a [ i:1 i:-2 d:2.500000 s:x\xC3\xA9\n true false null { } ] k:b\" { } } ");
  CHECK(heard("[]") == "[ ] ");
  CHECK(heard(" \"text\" ") == "s:text ");
}

TEST_CASE("numbers beyond 64 bits, NaN and infinities are real") {
  CHECK(heard("9223372036854775807") == "i:9223372036854775807 ");
  CHECK(heard("-9223372036854775808") == "i:-9223372036854775808 ");
  CHECK(heard("9223372036854775808").starts_with("d:9223372036854775808"));
  CHECK(heard("18446744073709551615").starts_with("d:18446744073709551"));
  CHECK(heard("123456789012345678901234567890").starts_with("d:1234567890123456"));
  CHECK(heard("[NaN,Infinity,-Infinity]") == "[ d:nan d:inf d:-inf ] ");
  CHECK(heard("\"NaN\"") == "s:NaN ");
}

TEST_CASE("errors name the document and the byte") {
  Recorder recorder;
  const auto error_of = [&](std::string_view json) { return read_json("stats", json, recorder).error(); };
  CHECK(error_of("{\"a\":1 \"b\"}").text() == "stats: byte 7: Missing a comma or '}' after an object member.");
  CHECK(error_of("{\"a\":1 \"b\"}").code() == Errc::kMalformed);
  CHECK(error_of("<html>").text() == "stats: byte 0: Invalid value.");
  CHECK(error_of("{} x").code() == Errc::kMalformed);
  CHECK(error_of("[\"stop\"]").text() == "stats: byte 7: not what was expected here");
  CHECK(error_of("").text() == "stats: byte 0: empty");
  CHECK(error_of("").code() == Errc::kTruncated);
  for (const auto* cut : {"{", "{\"a\"", "{\"a", "{\"a\":", "{\"a\":1", "[1,", "\"x\\", "tru", "  "}) {
    INFO(cut);
    CHECK(error_of(cut).code() == Errc::kTruncated);
  }
}

TEST_CASE("nesting is capped, and does not recurse") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(heard(nested(formats::kMaxJsonDepth)).starts_with("[ [ ["));
  CHECK(heard(nested(formats::kMaxJsonDepth + 1)) == "test: byte 64: nested too deeply");
  CHECK(heard(std::string(1U << 20U, '[')) == "test: byte 64: nested too deeply");
}

TEST_CASE("raw strings are unescaped") {
  CHECK(unescape_json("plain").value() == "plain");
  CHECK(unescape_json("").value().empty());
  CHECK(unescape_json(R"(a\"b\\c\/d\n\t\u0001\u00e9\ud83d\ude00)").value() ==
        "a\"b\\c/d\n\t\x01\xC3\xA9\xF0\x9F\x98\x80");
  CHECK(unescape_json(R"(a\x)").error().code() == Errc::kMalformed);
  CHECK(unescape_json(R"(\ud83d)").has_error());
}
