// A broker that fails while it renders one topic goes on with the next and leaves brackets open: everything else in the
// document must survive.
#include "formats/split.h"
#include "support/catch.h"

using namespace tidemark;
using formats::testing::split_in;
using formats::testing::split_whole;
using formats::testing::topic_resync;

namespace {

using Items = std::vector<std::string>;

std::string topic(const std::string& name, const std::string& body) {
  return "\"persistent://t/n/" + name + "\":" + body;
}

const std::string kGood =
    R"({"publishers":[],"replication":{},"subscriptions":{"s":{"consumers":[]}},"storageSize":1})";

// The broken topic stands between `a` and `c`, then come another bundle and another namespace.
std::string document(const std::string& broken) {
  return R"({"t/n":{"0x0_0x4":{"persistent":{)" + topic("a", kGood) + "," + topic("b", broken) + "," +
         topic("c", kGood) + R"(}},"0x4_0x8":{"persistent":{)" + topic("d", kGood) +
         R"(}}},"t/m":{"0x0_0x8":{"persistent":{)" + topic("e", kGood) + "}}}}";
}

// The topic's last key, and whether the keys above it were known.
Items names(const Items& items) {
  Items out;
  for (const auto& item : items) {
    const auto from = item.find("persistent://");
    REQUIRE(from != std::string::npos);
    out.push_back(item.substr(from + 17, item.find(": ", from) - from - 17));
  }
  return out;
}

}  // namespace

TEST_CASE("a topic left unfinished costs that topic only") {
  const std::string kBroken[] = {
      // a consumer, its list and the subscription are open
      R"({"publishers":[],"subscriptions":{"s1":{"consumers":[{"address":"x","s2":{"consumers":[]}},"storageSize":1})",
      // the list and the subscription are open
      R"({"publishers":[],"subscriptions":{"s1":{"consumers":[,"s2":{"consumers":[]}},"storageSize":1})",
      // only the subscription: every bracket still has its partner
      R"({"publishers":[],"subscriptions":{"s1":{"consumers":[],"s2":{"consumers":[]}},"storageSize":1})",
      // a publisher
      R"({"publishers":[{"producerName":"p")",
      R"({"publishers":[)",
      // a replicator
      R"({"publishers":[],"replication":{"west":{"connected":true)",
      R"({"publishers":[],"replication":{)",
      // at once
      "{",
      // too many brackets
      R"({"subscriptions":{}}]}})",
      R"({"a":[}])",
      // not JSON
      R"({"subscriptions":{}},oops)",
  };
  for (const auto& broken : kBroken) {
    const auto text = document(broken);
    INFO(broken);
    const auto whole = split_whole(text, 4, 1U << 20U, topic_resync());
    const auto got = names(whole.items);
    // A topic that was complete before the fault may be among them.
    Items others = got;
    others.erase(std::remove(others.begin(), others.end(), "b"), others.end());
    CHECK(others == Items{"a", "c", "d", "e"});
    CHECK(whole.skipped >= 1);
    for (std::size_t size = 1; size <= 50; ++size) CHECK(split_in(size, text, 4, 1U << 20U, topic_resync()) == whole);
  }
}

TEST_CASE("levels are right again after a resync") {
  const auto got = split_whole(document(R"({"publishers":[)"), 4, 1U << 20U, topic_resync());
  CHECK(got.code == Errc::kNone);
  REQUIRE(got.items.size() == 4);
  CHECK(got.items[1] == "///persistent://t/n/c: " + kGood);  // the keys above were lost
  CHECK(got.items[2].starts_with("/0x4_0x8/persistent/persistent://t/n/d: "));
  CHECK(got.items[3].starts_with("t/m/0x0_0x8/persistent/persistent://t/n/e: "));
}

TEST_CASE("a broken topic over the cap does not swallow the rest") {
  const auto text = document(R"({"publishers":[{"producerName":")" + std::string(5000, 'x') + "\"");
  for (const std::size_t size : {1U, 100U, 3000U, 100000U}) {
    const auto got = split_in(size, text, 4, 1000, topic_resync());
    CHECK(names(got.items) == Items{"a", "c", "d", "e"});
    CHECK(got.skipped == 1);
    CHECK(got.code == Errc::kNone);
  }
}

TEST_CASE("several broken topics are counted one by one") {
  const auto text = R"({"t/n":{"0x0":{"persistent":{)" + topic("a", "{\"x\":[") + "," + topic("b", kGood) + "," +
                    topic("c", "{\"x\":[}") + "," + topic("d", "{\"x\":{") + "," + topic("e", kGood) + "}}}}";
  const auto got = split_whole(text, 4, 1U << 20U, topic_resync());
  CHECK(names(got.items) == Items{"b", "e"});
  CHECK(got.skipped == 3);
  CHECK(got.code == Errc::kNone);
}

TEST_CASE("a broken last topic: nothing to go on with, what came before is kept") {
  const auto text = R"({"t/n":{"0x0":{"persistent":{)" + topic("a", kGood) + "," + topic("b", "{\"x\":[") + "}}}}";
  const auto got = split_whole(text, 4, 1U << 20U, topic_resync());
  CHECK(names(got.items) == Items{"a"});
  CHECK(got.code == Errc::kMalformed);
  CHECK(got.skipped == 1);
}

TEST_CASE("a subscription with the name of a topic is no fault") {
  const std::string nasty =
      R"({"publishers":[{"metadata":{"persistent://t/n/m":"x"}}],"subscriptions":{"persistent://t/n/evil":{"msgBacklog":3},)"
      R"("non-persistent://x/y/z":{}},"storageSize":1})";
  const auto text = document(nasty);
  for (const std::size_t cap : {std::size_t{1} << 20U, std::size_t{60}}) {  // also when it is discarded
    const auto whole = split_whole(text, 4, cap, topic_resync());
    CHECK(whole.code == Errc::kNone);
    if (cap > 1000) {
      CHECK(names(whole.items) == Items{"a", "b", "c", "d", "e"});
      CHECK(whole.skipped == 0);
    } else {
      CHECK(whole.items.empty());
      CHECK(whole.skipped == 5);
    }
    for (std::size_t size = 1; size <= 50; ++size) CHECK(split_in(size, text, 4, cap, topic_resync()) == whole);
  }
}

TEST_CASE("a topic name inside a text is no topic") {
  const auto text =
      document(R"({"publishers":[,"note":"\",\"persistent://t/n/fake\":{\"x\":1}","x":["persistent://t/n/y",{}])");
  const auto got = split_whole(text, 4, 1U << 20U, topic_resync());
  CHECK(names(got.items) == Items{"a", "c", "d", "e"});
}

TEST_CASE("an answer that is no document at all") {
  const auto got = split_whole("<html><body>\"500\" {oops}</body></html>", 4, 1U << 20U, topic_resync());
  CHECK(got.items.empty());
  CHECK(got.code == Errc::kMalformed);
  CHECK(got.error == "byte 0: not a JSON object, and nothing to go on with after it");
}
