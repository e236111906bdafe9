#include "report/sums.h"

#include <algorithm>
#include <span>
#include <string>

namespace tidemark::report {
namespace {

using Cursors = std::span<const model::CursorVerdict>;  // of one topic
using Members = std::vector<const model::CursorVerdict*>;

std::optional<std::int64_t> larger(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a < b ? b : a;  // an empty optional is below any value
}

TopicSum sum_of_topic(Cursors cursors) {
  TopicSum sum;
  sum.topic = cursors.front().topic;
  sum.place = place_of(sum.topic);
  for (const auto& cursor : cursors) {
    if (cursor.kind == model::CursorKind::kReader) continue;
    if (cursor.stale) sum.stale = true;
    if (cursor.kind == model::CursorKind::kSubscription) ++sum.subscriptions;
    if (is_leftover(counted_state(cursor)) && !cursor.exception) sum.has_leftovers = true;
    if (!cursor.pinned_bytes && cursor.state != model::State::kOk) sum.pinned_whole = false;
    sum.pinned_bytes = larger(sum.pinned_bytes, cursor.pinned_bytes);
    sum.reclaimable_bytes = larger(sum.reclaimable_bytes, cursor.topic_reclaimable_bytes);
  }
  return sum;
}

// What removing `members` alone frees on their topic, at least: nothing where one that is tied with them is left.
std::optional<std::int64_t> freed_by(const Members& members) {
  const auto tied = static_cast<std::size_t>(
      std::ranges::count_if(members, [](const auto* member) { return member->tie != nullptr; }));
  std::optional<std::int64_t> freed;
  for (const auto* member : members) {
    const bool alone = !member->tie || member->tie->count == tied;
    const std::optional<std::int64_t> bytes = member->reclaimable_bytes;
    freed = larger(freed, bytes && !alone ? std::optional<std::int64_t>{0} : bytes);
  }
  return freed;
}

void add_groups(Sums& sums, Cursors cursors, const TopicSum& topic) {
  std::map<std::string_view, Members> groups;
  std::map<std::string_view, Members> leftovers;
  std::size_t all_leftovers = 0;
  for (const auto& cursor : cursors) {
    const auto state = counted_state(cursor);
    if (cursor.kind != model::CursorKind::kSubscription || !is_consumerless(state)) continue;
    if (!cursor.group.empty()) groups[cursor.group].push_back(&cursor);
    if (!is_leftover(state) || cursor.exception) continue;
    ++all_leftovers;
    if (!cursor.group.empty()) leftovers[cursor.group].push_back(&cursor);
  }
  for (const auto& [group, members] : groups) {
    auto& sum = sums.groups[{topic.place.ns, group}];
    sum.tenant = topic.place.tenant;
    std::optional<std::int64_t> pinned;
    for (const auto* member : members) pinned = larger(pinned, member->pinned_bytes);
    sum.pinned_bytes = plus(sum.pinned_bytes, pinned);
    const auto& mine = leftovers[group];
    if (mine.empty()) continue;
    const auto freed = mine.size() == all_leftovers ? topic.reclaimable_bytes : freed_by(mine);
    sum.reclaimable_bytes = plus(sum.reclaimable_bytes, freed);
  }
}

void add_oldest(NamespaceSum& sum, Cursors cursors) {
  for (const auto& cursor : cursors) {
    if (counted_state(cursor) != model::State::kAbandoned || !cursor.since_ms || cursor.exception) continue;
    sum.oldest_abandoned_ms = std::min(sum.oldest_abandoned_ms.value_or(*cursor.since_ms), *cursor.since_ms);
  }
}

void add_topic(Sums& sums, Cursors cursors) {
  const auto topic = sum_of_topic(cursors);
  auto& ns = sums.namespaces[topic.place.ns];
  ns.tenant = topic.place.tenant;
  ns.pinned_bytes = plus(ns.pinned_bytes, topic.pinned_bytes);
  ns.reclaimable_bytes = plus(ns.reclaimable_bytes, topic.reclaimable_bytes);
  add_oldest(ns, cursors);
  add_groups(sums, cursors, topic);
  sums.pinned_bytes = plus(sums.pinned_bytes, topic.pinned_bytes);
  sums.reclaimable_bytes = plus(sums.reclaimable_bytes, topic.reclaimable_bytes);
  sums.pinned_whole = sums.pinned_whole && topic.pinned_whole;
  sums.untold_topics += topic.has_leftovers && !topic.reclaimable_bytes ? 1U : 0U;
  sums.topics.push_back(topic);
}

}  // namespace

Sums sum_up(const model::Verdicts& verdicts) {
  Sums sums;
  const Cursors all{verdicts.cursors};
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].topic == all[begin].topic) ++end;
    add_topic(sums, all.subspan(begin, end - begin));
    begin = end;
  }
  return sums;
}

}  // namespace tidemark::report
