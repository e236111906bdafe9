// The splitter on documents without a fault, or with one that ends them. Faults that are overcome: resync_test.cc.
#include "formats/member_splitter.h"

#include <random>

#include "formats/split.h"
#include "support/catch.h"

using namespace tidemark;
using formats::MemberSplitter;
using formats::testing::split_by;
using formats::testing::split_in;
using formats::testing::split_whole;
using formats::testing::SplitResult;

namespace {

using Items = std::vector<std::string>;

// Four levels, blanks, escapes, brackets and quotes in strings, empty objects on every level, values of every type.
const std::string kSweep =
    R"( {"t/n":{"0x0_0x4":{"persistent":{"persistent://t/n/a":{"s":{"caf\u00e9 \\\"}{][":[1,-2.5e3,"]"]}},)"
    R"("persistent://t/n/b" : { "x" : "\\" } },"non-persistent":{}},"0x4_0x8":{"persistent":{)"
    "\n\t\"persistent://t/n/c\\u00e9\\\"\":{\"deep\":[[[{}]]]}}}},\"t/empty\":{},\"t/odd\":null,\"t/"
    "list\":[{\"a\":\"]\"}],"
    R"("t/n2":{"0x0":{"persistent":{"q":12,"r":"text","s":[1,2],"t":true,"u":null,"v":"\u005c"}}}} )";

const Items kSweepItems = {
    R"(t/n/0x0_0x4/persistent/persistent://t/n/a: {"s":{"caf\u00e9 \\\"}{][":[1,-2.5e3,"]"]}})",
    R"(t/n/0x0_0x4/persistent/persistent://t/n/b: { "x" : "\\" })",
    R"(t/n/0x4_0x8/persistent/persistent://t/n/c\u00e9\": {"deep":[[[{}]]]})",
    "t/n2/0x0/persistent/q: 12",
    "t/n2/0x0/persistent/r: \"text\"",
    "t/n2/0x0/persistent/s: [1,2]",
    "t/n2/0x0/persistent/t: true",
    "t/n2/0x0/persistent/u: null",
    R"(t/n2/0x0/persistent/v: "\u005c")",
};

}  // namespace

TEST_CASE("items of the fourth level, with the keys above them") {
  const auto got = split_whole(kSweep, 4);
  CHECK(got.items == kSweepItems);
  CHECK(got.skipped == 0);
  CHECK(got.code == Errc::kNone);
}

TEST_CASE("a flat map has depth 1") {
  const auto got = split_whole(R"({"a":"1","b":2,"c":{"d":[]},"e":[]})", 1);
  CHECK(got.items == Items{"a: \"1\"", "b: 2", "c: {\"d\":[]}", "e: []"});
  CHECK(split_whole("{}", 1).code == Errc::kNone);
  CHECK(split_whole(" {} \n", 4).code == Errc::kNone);
}

TEST_CASE("any cutting gives the same items") {
  const auto whole = split_whole(kSweep, 4);
  for (std::size_t size = 1; size <= 50; ++size) {
    INFO("pieces of " << size);
    CHECK(split_in(size, kSweep, 4) == whole);
  }
  std::mt19937 random(20250109);
  for (int round = 0; round < 500; ++round) {
    std::uniform_int_distribution<std::size_t> size(0, 40);  // also empty pieces
    CHECK(split_by(kSweep, 4, 1U << 20U, {}, [&] { return size(random); }) == whole);
  }
}

TEST_CASE("a cut between any two bytes, escapes included") {
  const auto whole = split_whole(kSweep, 4);
  for (std::size_t at = 1; at < kSweep.size(); ++at) {
    INFO("cut at " << at << ": " << kSweep.substr(at > 8 ? at - 8 : 0, 16));
    bool first = true;
    CHECK(split_by(kSweep, 4, 1U << 20U, {}, [&] {
            const auto size = first ? at : std::string_view::npos;
            first = false;
            return size;
          }) == whole);
  }
}

TEST_CASE("an item over the cap is left out and counted, the rest goes on") {
  const std::string big(1000, 'x');
  const std::string text =
      R"({"a":{"v":1},"big":{"v":")" + big + R"(","w":["}"]},"bigger":")" + big + R"(","z":{"v":2}})";
  const Items rest = {"a: {\"v\":1}", "z: {\"v\":2}"};
  const auto whole = split_whole(text, 1, 200);
  CHECK(whole.items == rest);
  CHECK(whole.skipped == 2);
  for (const std::size_t size : {1U, 7U, 64U, 199U, 200U, 201U, 999U}) CHECK(split_in(size, text, 1, 200) == whole);
  SECTION("exactly the cap is not over it") {
    const std::string item = "{\"v\":\"" + std::string(192, 'x') + "\"}";
    REQUIRE(item.size() == 200);
    for (const std::size_t size : {1U, 150U, 5000U}) {
      CHECK(split_in(size, "{\"k\":" + item + "}", 1, 200).items.size() == 1);
      CHECK(split_in(size, "{\"k\":" + item + "}", 1, 199).skipped == 1);
    }
  }
}

TEST_CASE("an item nested more deeply than any decoder takes is left out") {
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  for (const std::size_t size : {1U, 100U, 5000U}) {
    const auto got = split_in(size, "{\"deep\":" + deep + ",\"z\":1}", 1);
    CHECK(got.items == Items{"z: 1"});
    CHECK(got.skipped == 1);
  }
}

TEST_CASE("one topic of 100 MB takes no memory") {
  constexpr std::size_t kCap = 1U << 20U;
  Items names;
  MemberSplitter splitter(4, kCap, [&names](MemberSplitter::Path path, std::string_view) -> Result<void> {
    names.push_back(path.back());
    return {};
  });
  REQUIRE(splitter.feed(R"({"t/n":{"0x0":{"persistent":{"before":{},"big":{"consumers":[{"name":"c"})").has_value());
  std::string piece;
  while (piece.size() < 64U << 10U) piece += R"(,{"name":"a consumer {[\"","unackedMessages":12})";
  for (std::size_t sent = 0; sent < 100U << 20U; sent += piece.size()) REQUIRE(splitter.feed(piece).has_value());
  REQUIRE(splitter.feed(R"(]},"after":{}}}}})").has_value());
  CHECK(splitter.finish().has_value());
  CHECK(names == Items{"before", "after"});
  CHECK(splitter.skipped_items() == 1);
  CHECK(splitter.items() == 2);
  CHECK(splitter.carry_capacity() <= kCap);
}

TEST_CASE("the carry settles at the largest item, below the cap") {
  std::string text = "{";
  for (int i = 0; i < 300; ++i) text += "\"k" + std::to_string(i) + "\":\"" + std::string(3000, 'x') + "\",";
  text += "\"z\":0}";
  MemberSplitter splitter(1, 4096, [](MemberSplitter::Path, std::string_view) -> Result<void> { return {}; });
  for (std::size_t at = 0; at < text.size(); at += 1000) {
    REQUIRE(splitter.feed(std::string_view(text).substr(at, 1000)).has_value());
  }
  CHECK(splitter.finish().has_value());
  CHECK(splitter.items() == 301);
  CHECK(splitter.carry_capacity() <= 4096);
}

TEST_CASE("without resync a fault ends the stream and keeps what came before") {
  const struct {
    const char* text;
    const char* error;
    std::size_t items;
  } kCases[] = {
      {R"({"a":1,"b":[1},"c":2})", "byte 13: '}' closes an array", 1},
      {R"({"a":1,"b":{"x":2],"c":2})", "byte 17: ']' closes an object", 1},
      {R"({"a":1 "b":2})", "byte 7: ',' or '}' was expected", 1},
      {R"({"a" 1})", "byte 5: ':' was expected", 0},
      {R"({"a":})", "byte 5: a value was expected", 0},
      {R"({"a":1,})", "byte 7: a key was expected", 1},
      {R"({a:1})", "byte 1: a key was expected", 0},
      {R"({"a":1]})", "byte 6: ',' or '}' was expected", 1},
      {R"({"a":1}})", "byte 7: text after the end of the object", 1},
      {R"({"a":1} {"b":2})", "byte 8: text after the end of the object", 1},
      {"[1]", "byte 0: not a JSON object", 0},
      {"<html>", "byte 0: not a JSON object", 0},
  };
  for (const auto& c : kCases) {
    INFO(c.text);
    const auto whole = split_whole(c.text, 1);
    CHECK(whole.code == Errc::kMalformed);
    CHECK(whole.error == c.error);
    CHECK(whole.items.size() == c.items);
    for (const std::size_t size : {1U, 2U, 3U, 5U}) CHECK(split_in(size, c.text, 1) == whole);
  }
}

TEST_CASE("a document that ends early is truncated, at every length") {
  const auto whole = split_whole(kSweep, 4);
  const auto end = kSweep.rfind('}');
  for (std::size_t size = 0; size <= end; ++size) {
    const auto got = split_in(17, std::string_view(kSweep).substr(0, size), 4);
    REQUIRE(got.code == Errc::kTruncated);
    REQUIRE(got.items.size() <= whole.items.size());
    REQUIRE(std::equal(got.items.begin(), got.items.end(), whole.items.begin()));
  }
}

TEST_CASE("a key of more than 64 KiB is a fault, not memory") {
  const std::string text = "{\"" + std::string(200000, 'k') + "\":1}";
  for (const std::size_t size : {1000U, 1U << 20U}) {
    const auto got = split_in(size, text, 1);
    CHECK(got.code == Errc::kMalformed);
    CHECK(got.items.empty());
  }
}

TEST_CASE("an error of the sink ends the stream and stays") {
  int calls = 0;
  MemberSplitter splitter(1, 100, [&calls](MemberSplitter::Path, std::string_view) -> Result<void> {
    if (++calls == 2) return Error{Errc::kCancelled, "enough"};
    return {};
  });
  CHECK(splitter.feed(R"({"a":1,"b":2,"c":3})").error().code() == Errc::kCancelled);
  CHECK(splitter.feed("x").error().text() == "enough");
  CHECK(splitter.finish().error().text() == "enough");
  CHECK(calls == 2);
}
