// Metadata that was left, or lost: partitions without their topic and topics without their partitions, topics that are
// listed and not stored, loaded and not listed. Only what two comparisons of the lists show, since a topic that is made
// or deleted between two lists looks like that, too.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

using model::ListFault;

constexpr Duration kApart{60000};
constexpr std::size_t kNamed = 10;  // in the evidence

std::vector<std::string> in_both(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::vector<std::string> names;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(names));
  return names;
}

std::string summary_of(ListFault fault, std::size_t count) {
  const auto* s = count == 1 ? "" : "s";
  switch (fault) {
    case ListFault::kNoPartitions:
      return fmt::format("{} partitioned topic{} without any partition: nobody used them yet, or they are lost", count,
                         s);
    case ListFault::kMissingPartition:
      return fmt::format("{} partition{} missing, while others of the same topic are there", count, s);
    case ListFault::kNoPartitionedTopic:
      return fmt::format("{} partition{} of no partitioned topic: clients do not find them", count, s);
    case ListFault::kNoMetadata:
      return fmt::format("{} topic{} listed whose stored metadata is unknown", count, s);
    case ListFault::kNotListed:
      break;
  }
  return fmt::format("{} topic{} loaded by a broker that no list has: the next load will not find them", count, s);
}

std::string first_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text;
}

}  // namespace

void stale_topic_metadata(const ClusterCase& c, Findings& out) {
  for (const auto& [ns, view] : c.snapshot.namespaces) {
    if (view.deleted || !view.lists || !view.lists_before) continue;
    const auto& now = *view.lists;
    const auto& before = *view.lists_before;
    if (now.at_ms - before.at_ms < kApart.count()) continue;
    for (std::size_t i = 0; i < now.names.size(); ++i) {
      const auto names = in_both(now.names.at(i), before.names.at(i));
      if (names.empty()) continue;
      auto finding = namespace_finding(model::Rule::kStaleTopicMetadata, ns);
      finding.since_ms = before.at_ms;
      finding.summary = summary_of(static_cast<ListFault>(i), names.size());
      finding.evidence = {{"cause", model::kListFaults.at(i)},
                          {"topics", static_cast<std::int64_t>(names.size())},
                          {"names", first_of(names)},
                          {"compared_ms", now.at_ms},
                          {"compared_before_ms", before.at_ms}};
      out.push_back(std::move(finding));
    }
  }
}

}  // namespace tidemark::detect::rules
