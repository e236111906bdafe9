#include <random>

#include "pulsar/cluster_documents.h"
#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using pulsar::testing::kVersions;
using pulsar::testing::sample;

using Names = std::vector<std::string>;

TEST_CASE("lists of real brokers") {
  const std::pair<const char*, const char*> kLists[] = {
      {"2.10.5", "s04-hole"}, {"3.0.7", "s04-hole-c"}, {"4.0.7", "s04-hole-b"}, {"5.0.1", "s04-hole-b"}};
  for (const auto& [version, ns] : kLists) {
    INFO(version);
    const auto prefix = "persistent://acme/" + std::string(ns) + "/";
    CHECK(decode_string_list(sample(version, "topics.json")).value() ==
          Names{prefix + "batched", prefix + "left", prefix + "oddname", prefix + "single"});
    CHECK(decode_string_list(sample(version, "clusters.json")).value() == Names{"standalone"});
    CHECK(decode_string_list(sample(version, "tenants.json")).value().at(0) == "acme");
    CHECK(decode_string_list(sample(version, "namespaces.json")).value().at(0) == "acme/s01-abandoned");
    CHECK(decode_string_list(sample(version, "brokers.json")).value().at(0).starts_with("127.0.0.1:81"));
  }
}

TEST_CASE("a list in any cutting") {
  const std::string text = "[ \"plain\",\n\"q\\\"uo\\\\\",\"caf\\u00e9 \\ud83d\\ude00\",\"\",\"[,]\" ]";
  const Names want = {"plain", "q\"uo\\", "caf\xC3\xA9 \xF0\x9F\x98\x80", "", "[,]"};
  for (std::size_t size = 1; size < text.size(); ++size) {
    Names got;
    StringListReader reader([&got](std::string name) { got.push_back(std::move(name)); });
    for (std::size_t at = 0; at < text.size(); at += size) REQUIRE(reader.feed(text.substr(at, size)).has_value());
    CHECK(reader.finish().has_value());
    CHECK(got == want);
  }
  CHECK(decode_string_list("[]").value().empty());
}

TEST_CASE("what is no list") {
  for (const auto* text : {"", "[", "[\"a\"", "[\"a\",", "[\"a"}) {
    INFO(text);
    CHECK(decode_string_list(text).error().code() == Errc::kTruncated);
  }
  for (const auto* text :
       {"{}", "\"a\"", "[1]", "[null]", "[[\"a\"]]", "[\"a\"]]", "[\"a\"][", "<html>", "[\"\\x\"]"}) {
    INFO(text);
    CHECK(decode_string_list(text).error().code() == Errc::kMalformed);
  }
  CHECK(decode_string_list("[\"" + std::string(100000, 'x') + "\"]").error().code() == Errc::kTooLarge);
}
