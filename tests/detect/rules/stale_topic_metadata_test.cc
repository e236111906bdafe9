#include "detect/rules/topic_bench.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::ListFault;
using model::ListPass;

namespace {

std::shared_ptr<const ListPass> pass(TimeMs at, ListFault fault, std::vector<std::string> names) {
  auto made = std::make_shared<ListPass>();
  made->at_ms = at;
  made->of(fault) = std::move(names);
  return made;
}

std::vector<model::Finding> judge(std::shared_ptr<const ListPass> before, std::shared_ptr<const ListPass> now,
                                  bool deleted = false) {
  TopicBench bench;
  bench.ns.lists = std::move(now);
  bench.ns.lists_before = std::move(before);
  bench.ns.deleted = deleted;
  return findings_of(bench.poll(kStart), "stale_topic_metadata");
}

}  // namespace

TEST_CASE("what two comparisons of the lists show is told by its cause") {
  struct Row {
    ListFault fault;
    const char* cause;
    const char* summary;
  };
  const std::vector<Row> rows{
      {ListFault::kNoPartitions, "no_partitions",
       "2 partitioned topics without any partition: nobody used them yet, or they are lost"},
      {ListFault::kMissingPartition, "missing_partition",
       "2 partitions missing, while others of the same topic are there"},
      {ListFault::kNoPartitionedTopic, "no_partitioned_topic",
       "2 partitions of no partitioned topic: clients do not find them"},
      {ListFault::kNoMetadata, "no_metadata", "2 topics listed whose stored metadata is unknown"},
      {ListFault::kNotListed, "not_listed",
       "2 topics loaded by a broker that no list has: the next load will not find them"},
  };
  for (const auto& row : rows) {
    INFO(row.cause);
    const auto found =
        judge(pass(kStart - 10 * kMinute, row.fault, {"a", "b", "c"}), pass(kStart, row.fault, {"b", "c", "d"}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == model::Level::kNamespace);
    CHECK(found[0].severity == model::Severity::kInfo);
    CHECK(found[0].subject == "acme/shop");
    CHECK(found[0].since_ms == kStart - 10 * kMinute);
    CHECK(found[0].summary == row.summary);
    CHECK(fact<std::string_view>(found[0], "cause") == row.cause);
    CHECK(fact<std::int64_t>(found[0], "topics") == 2);
    CHECK(fact<std::string>(found[0], "names") == "b, c");
  }
}

TEST_CASE("one comparison proves nothing, nor do two that say something else") {
  const auto fault = ListFault::kMissingPartition;
  const auto now = pass(kStart, fault, {"a"});
  CHECK(judge(nullptr, now).empty());
  CHECK(judge(now, nullptr).empty());
  CHECK(judge(pass(kStart - 30'000, fault, {"a"}), now).empty());  // too near: it may be under way
  CHECK(judge(pass(kStart - kHour, fault, {"b"}), now).empty());
  CHECK(judge(pass(kStart - kHour, ListFault::kNoPartitions, {"a"}), now).empty());
  CHECK(judge(pass(kStart - kHour, fault, {"a"}), now, true).empty());  // the namespace is being deleted
  CHECK(judge(pass(kStart - kHour, fault, {"a"}), now).size() == 1);
}

TEST_CASE("of many the first ones are named, and one is one") {
  std::vector<std::string> names;
  for (int i = 10; i < 40; ++i) names.push_back("t" + std::to_string(i));
  const auto fault = ListFault::kNotListed;
  const auto many = judge(pass(kStart - kHour, fault, names), pass(kStart, fault, names));
  REQUIRE(many.size() == 1);
  CHECK(fact<std::int64_t>(many[0], "topics") == 30);
  CHECK(fact<std::string>(many[0], "names") == "t10, t11, t12, t13, t14, t15, t16, t17, t18, t19");
  const auto one = judge(pass(kStart - kHour, fault, {"x"}), pass(kStart, fault, {"x"}));
  REQUIRE(one.size() == 1);
  CHECK(one[0].summary == "1 topic loaded by a broker that no list has: the next load will not find them");
}
