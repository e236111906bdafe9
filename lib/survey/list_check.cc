#include "survey/list_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "model/names.h"

namespace tidemark::survey {
namespace {

using model::ListFault;
using model::ListPass;

constexpr Duration kCountAge{24LL * 3600000};

void add(ListPass& pass, ListFault fault, std::string name) {
  auto& names = pass.of(fault);
  if (names.size() < ListPass::kMost) names.push_back(std::move(name));
}

bool is_system(const std::string& topic) {
  const auto name = model::parse_topic(topic);
  return !name || model::is_system_topic(*name);
}

// `count`: as the cluster says, 0 = not known; then up to the last one that is listed.
void add_missing(ListPass& pass, const std::string& topic, const std::set<int>& listed, int count) {
  if (listed.empty()) return add(pass, ListFault::kNoPartitions, topic);
  const auto last = std::max(count - 1, *listed.rbegin());
  for (int i = 0; i <= last && pass.of(ListFault::kMissingPartition).size() < ListPass::kMost; ++i) {
    if (!listed.contains(i)) add(pass, ListFault::kMissingPartition, fmt::format("{}-partition-{}", topic, i));
  }
}

}  // namespace

void ListCheck::take_partitioned(const std::string& ns, const std::vector<std::string>& topics, TimeMs at) {
  auto& known = namespaces_[ns];
  known.partitioned.clear();
  std::remove_copy_if(topics.begin(), topics.end(), std::inserter(known.partitioned, known.partitioned.end()),
                      is_system);
  std::erase_if(known.counts, [&](const auto& count) {
    return count.second.asked_ms < at && !known.partitioned.contains(count.first);
  });
  known.partitioned_ms = at;
}

std::vector<std::string> ListCheck::uncounted(TimeMs now) const {
  std::vector<std::string> topics;
  for (const auto& [ns, known] : namespaces_) {
    for (const auto& topic : known.partitioned) {
      const auto count = known.counts.find(topic);
      if (count == known.counts.end() || now - count->second.asked_ms >= kCountAge.count()) topics.push_back(topic);
    }
  }
  return topics;
}

void ListCheck::take_count(const std::string& ns, const std::string& topic, std::optional<int> partitions, TimeMs at) {
  auto& count = namespaces_[ns].counts[topic];
  count.asked_ms = at;
  if (partitions) count.partitions = *partitions;
}

std::vector<std::string> ListCheck::due() const {
  std::vector<std::string> names;
  for (const auto& [ns, known] : namespaces_) {
    const auto compared_ms = known.now ? known.now->at_ms : 0;
    if (std::min(known.topics_ms, known.partitioned_ms) > compared_ms) names.push_back(ns);
  }
  return names;
}

TimeMs ListCheck::listed_ms(const std::string& ns) const {
  const auto known = namespaces_.find(ns);
  return known == namespaces_.end() ? 0 : known->second.topics_ms;
}

void ListCheck::compare(const std::string& ns, const std::vector<ComparedTopic>& topics, TimeMs at) {
  auto& known = namespaces_[ns];
  auto pass = std::make_shared<ListPass>();
  pass->at_ms = at;
  std::map<std::string_view, std::set<int>> listed;
  for (const auto& topic : topics) {
    if (!topic.listed) {
      if (topic.loaded) add(*pass, ListFault::kNotListed, std::string(topic.name));
      continue;
    }
    if (topic.unknown) add(*pass, ListFault::kNoMetadata, std::string(topic.name));
    const auto name = model::parse_topic(topic.name);
    if (!name || !name->partition) continue;
    if (known.partitioned.contains(name->parent)) {
      listed[name->parent].insert(*name->partition);
    } else {
      add(*pass, ListFault::kNoPartitionedTopic, std::string(topic.name));
    }
  }
  for (const auto& topic : known.partitioned) {
    const auto count = known.counts.find(topic);
    add_missing(*pass, topic, listed[topic], count == known.counts.end() ? 0 : count->second.partitions);
  }
  for (auto& names : pass->names) std::sort(names.begin(), names.end());
  known.before = std::exchange(known.now, std::move(pass));
}

void ListCheck::keep_only(const std::function<bool(const std::string& ns)>& there) {
  std::erase_if(namespaces_, [&](const auto& item) { return !there(item.first); });
}

void ListCheck::tell(std::map<std::string, model::NamespaceView>& namespaces) const {
  for (const auto& [ns, known] : namespaces_) {
    const auto view = namespaces.find(ns);
    if (view == namespaces.end()) continue;
    view->second.lists = known.now;
    view->second.lists_before = known.before;
  }
}

}  // namespace tidemark::survey
