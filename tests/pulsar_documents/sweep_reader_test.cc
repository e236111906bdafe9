#include "pulsar/sweep_reader.h"

#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using pulsar::testing::sample;

namespace {

struct Read {
  std::vector<std::string> topics;
  std::vector<std::string> raw;
  std::int64_t rejected = 0;
  std::string error;
};

Read read(std::string_view text, std::size_t cap = 1U << 20U) {
  Read got;
  SweepReader reader(
      cap, [&got](const SweepTopic& topic) { got.topics.push_back(topic.name); },
      [&got](std::span<const std::string> path, std::string_view object, const std::string&) {
        got.raw.push_back(path.front() + " " + path.back() + " " + std::string(object));
      });
  auto done = reader.feed(text);
  if (done) done = reader.finish();
  if (!done) got.error = done.error().text();
  got.rejected = reader.rejected();
  CHECK(reader.topics() == static_cast<std::int64_t>(got.topics.size()));
  return got;
}

const std::string kStart = R"({"t/n":{"0x0":{"persistent":{"persistent://t/n/a":{"subscriptions":{}})";
const std::string kEnd =
    R"(,"persistent://t/n/z":{"subscriptions":{}}},"non-persistent":{"non-persistent://t/n/y":{}}}}})";

}  // namespace

TEST_CASE("topics and their raw text; non-persistent ones are nobody's") {
  const auto got = read(kStart + kEnd);
  CHECK(got.topics == std::vector<std::string>{"persistent://t/n/a", "persistent://t/n/z"});
  CHECK(got.raw.at(0) == R"(t/n persistent://t/n/a {"subscriptions":{}})");
  CHECK(got.error.empty());
  CHECK(read(sample("4.0.7", "sweep-names.json")).topics.size() == 69);
  CHECK(read("{}").error.empty());
}

// A body without an end was read until the sweep's deadline, five minutes.
TEST_CASE("what never comes to a topic is given up") {
  const auto bytes_read = [](std::string_view start, std::string_view more) {
    SweepReader reader(1000, [](const SweepTopic&) {});
    REQUIRE(reader.feed(start).has_value());
    std::size_t bytes = 0;
    for (Result<void> fed; fed && bytes < 1'000'000; bytes += more.size()) {
      fed = reader.feed(more);
      if (!fed) CHECK(fed.error().code() == Errc::kTooLarge);
    }
    return bytes;
  };
  const std::string page(500, 'x');
  CHECK(bytes_read("{\"a\":\"", page) == 64000);
  CHECK(bytes_read(kStart + R"(,"persistent://t/n/b":{"x":")", page) == 64500);
  CHECK(bytes_read(kStart, R"(,"persistent://t/n/b":{"subscriptions":{}})") > 1'000'000 - 100);
}

TEST_CASE("what is damaged or too large is left out and said") {
  const std::string kDamaged[] = {
      R"(,"persistent://t/n/b":{"storageSize":)",                          // left open
      R"(,"persistent://t/n/b":{"subscriptions":{"s":{},"x":5}})",         // refused by the decoder
      R"(,"persistent://t/n/b":{"storageSize":1 1})",                      // not JSON
      R"(,"persistent://t/n/b":{"x":")" + std::string(3000, 'x') + "\"}",  // over the cap
      R"(,"persistent://t/n/b":{"subscriptions":{"\ud83d":{}}})",          // half a surrogate pair
      R"(,"persistent://t/n/b\ud83d":{"subscriptions":{}})",
      R"(,"persistent://t/n/b":{})",  // of nobody there would be something to say
      R"(,"persistent://t/n/b":{"storageSize":1e400,"subscriptions":{}})",
  };
  for (const auto& damaged : kDamaged) {
    INFO(damaged.substr(0, 80));
    const auto got = read(kStart + damaged + kEnd, 1000);
    CHECK(got.topics == std::vector<std::string>{"persistent://t/n/a", "persistent://t/n/z"});
    CHECK(got.rejected == 1);
    CHECK(got.error == "1 topics were damaged or too large and were left out");
  }
  // The fault hides the domain: the name tells.
  const auto got =
      read(R"({"t/n":{"0x0":{"non-persistent":{"non-persistent://t/n/a":{"x":[,"non-persistent://t/n/b":{}}}}})");
  CHECK(got.topics.empty());
  CHECK(got.rejected == 1);
}

TEST_CASE("a sweep that ends early keeps what came") {
  const auto got = read(kStart);
  CHECK(got.topics.size() == 1);
  CHECK(got.error.ends_with("the document ends early"));
}

TEST_CASE("names that are no UTF-8, and keys given twice, cost nobody anything") {
  const auto got =
      read(kStart + ",\"persistent://t/n/\xFF\xC3\":{\"subscriptions\":{\"\xE9\":{}}}" +
           R"(,"persistent://t/n/b":{"storageSize":1,"storageSize":null,"subscriptions":{"s":{},"s":{}}})" + kEnd);
  CHECK(got.error.empty());
  CHECK(got.topics.size() == 4);
}

TEST_CASE("the topics that a broker has loaded, by name alone") {
  const auto text = sample("4.0.7", "broker-stats-bookieops.json");
  for (std::size_t cut = 0; cut <= text.size(); cut += 7) {
    std::vector<SweepTopic> topics;
    SweepReader reader(1, [&](SweepTopic topic) { topics.push_back(std::move(topic)); }, {}, SweepOf::kNames);
    REQUIRE(reader.feed(std::string_view(text).substr(0, cut)).has_value());
    REQUIRE(reader.feed(std::string_view(text).substr(cut)).has_value());
    REQUIRE(reader.finish().has_value());
    REQUIRE(topics.size() == 2);
    CHECK(topics[0].name == "persistent://public/default/__change_events");
    CHECK(topics[1].name == "persistent://public/default/a");
    CHECK(topics[1].subscriptions.empty());
  }
  SweepReader torn(1, [](const SweepTopic&) {}, {}, SweepOf::kNames);
  REQUIRE(torn.feed(std::string_view(text).substr(0, 100)).has_value());
  CHECK_FALSE(torn.finish().has_value());
}
