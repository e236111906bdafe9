#include "survey/list_check.h"

#include "support/catch.h"
#include "survey/documents.h"

using namespace tidemark;
using namespace tidemark::testing;
using model::ListFault;
using survey::ComparedTopic;

namespace {

const std::string kNs = "acme/shop";

std::string full(const std::string& local) { return "persistent://acme/shop/" + local; }

struct Topic {
  std::string local;
  bool listed = true;
  bool loaded = false;
  bool unknown = false;
};

// One comparison; `counts`: partitioned topics with what the cluster says of each, 0 = it was not asked.
std::array<std::vector<std::string>, 5> faults(const std::vector<Topic>& topics,
                                               const std::map<std::string, int>& counts) {
  survey::ListCheck check;
  check.take_topics(kNs, kStart);
  std::vector<std::string> partitioned;
  for (const auto& [local, count] : counts) partitioned.push_back(full(local));
  check.take_partitioned(kNs, partitioned, kStart);
  for (const auto& [local, count] : counts) {
    if (count > 0) check.take_count(kNs, full(local), count, kStart);
  }
  std::vector<std::string> names;
  for (const auto& topic : topics) names.push_back(full(topic.local));
  std::vector<ComparedTopic> compared;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    compared.push_back({names[i], topics[i].listed, topics[i].loaded, topics[i].unknown});
  }
  check.compare(kNs, compared, kStart);
  std::map<std::string, model::NamespaceView> views{{kNs, {}}};
  check.tell(views);
  auto found = views.at(kNs).lists->names;
  for (auto& list : found) {
    for (auto& name : list) name = name.substr(full("").size());
  }
  return found;
}

}  // namespace

TEST_CASE("the lists of a namespace against each other") {
  using Names = std::vector<std::string>;
  struct Row {
    const char* why;
    std::vector<Topic> topics;
    std::map<std::string, int> partitioned;
    ListFault fault;
    Names names;
  };
  const auto none = ListFault::kNoPartitions;
  const std::vector<Row> rows{
      {"all is there", {{"a"}, {"p-partition-0"}, {"p-partition-1"}}, {{"p", 2}}, none, {}},
      {"loaded and listed", {{"a", true, true}}, {}, ListFault::kNotListed, {}},
      {"none of its partitions", {{"a"}}, {{"p", 2}}, none, {"p"}},
      {"one in the middle",
       {{"p-partition-0"}, {"p-partition-2"}},
       {{"p", 0}},
       ListFault::kMissingPartition,
       {"p-partition-1"}},
      {"the last one, by the number that the cluster tells",
       {{"p-partition-0"}},
       {{"p", 2}},
       ListFault::kMissingPartition,
       {"p-partition-1"}},
      {"the last one, and the number is not known", {{"p-partition-0"}}, {{"p", 0}}, ListFault::kMissingPartition, {}},
      {"partitions without their topic",
       {{"p-partition-0"}, {"p-partition-1"}},
       {},
       ListFault::kNoPartitionedTopic,
       {"p-partition-0", "p-partition-1"}},
      {"no stored metadata", {{"a", true, false, true}}, {}, ListFault::kNoMetadata, {"a"}},
      {"loaded, and not listed", {{"a", false, true}}, {}, ListFault::kNotListed, {"a"}},
      {"known from before, neither loaded nor listed", {{"a", false, false}}, {}, ListFault::kNotListed, {}},
      {"a partition that is loaded and not listed is missing, too",
       {{"p-partition-0"}, {"p-partition-1", false, true}},
       {{"p", 2}},
       ListFault::kMissingPartition,
       {"p-partition-1"}},
      {"a system topic's partitions", {{"a"}}, {{"__transaction_buffer_snapshot", 2}}, none, {}},
  };
  for (const auto& row : rows) {
    INFO(row.why);
    auto found = faults(row.topics, row.partitioned);
    CHECK(found.at(static_cast<std::size_t>(row.fault)) == row.names);
    if (!row.names.empty() && row.why != rows[10].why) {
      found.at(static_cast<std::size_t>(row.fault)).clear();
      for (const auto& others : found) CHECK(others.empty());
    }
  }
}

TEST_CASE("a list that names things without end is kept to the first ones") {
  const auto found = faults({{"p-partition-0"}, {"p-partition-999999"}}, {{"p", 0}});
  CHECK(found.at(static_cast<std::size_t>(ListFault::kMissingPartition)).size() == model::ListPass::kMost);
}

TEST_CASE("a namespace is compared once both its lists came anew") {
  survey::ListCheck check;
  CHECK(check.due().empty());
  check.take_topics(kNs, kStart);
  CHECK(check.due().empty());
  check.take_partitioned(kNs, {}, kStart + kMinute);
  CHECK(check.due() == std::vector{kNs});
  CHECK(check.listed_ms(kNs) == kStart);
  check.compare(kNs, {}, kStart + kMinute);
  CHECK(check.due().empty());
  check.take_topics(kNs, kStart + kHour);
  CHECK(check.due().empty());
  check.take_partitioned(kNs, {}, kStart + kHour);
  check.compare(kNs, {}, kStart + kHour);
  std::map<std::string, model::NamespaceView> views{{kNs, {}}, {"other/one", {}}};
  check.tell(views);
  CHECK(views.at(kNs).lists->at_ms == kStart + kHour);
  CHECK(views.at(kNs).lists_before->at_ms == kStart + kMinute);
  CHECK(views.at("other/one").lists == nullptr);
  check.keep_only([](const std::string&) { return false; });
  CHECK(check.listed_ms(kNs) == 0);
}

TEST_CASE("how many partitions a topic has is asked once a day, and kept while it is listed") {
  survey::ListCheck check;
  const auto topic = full("p");
  check.take_partitioned(kNs, {topic}, kStart);
  CHECK(check.uncounted(kStart) == std::vector{topic});
  check.take_count(kNs, topic, 3, kStart);
  CHECK(check.uncounted(kStart + 23 * kHour).empty());
  check.take_partitioned(kNs, {topic}, kStart + 23 * kHour);
  CHECK(check.uncounted(kStart + 23 * kHour).empty());
  CHECK(check.uncounted(kStart + 24 * kHour) == std::vector{topic});
  check.take_partitioned(kNs, {}, kStart + 24 * kHour);
  check.take_count(kNs, topic, 3, kStart + 24 * kHour);
  CHECK(check.uncounted(kStart + 24 * kHour).empty());
}
