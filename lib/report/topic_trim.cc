#include "report/topic_trim.h"

#include <map>

#include "model/lookup.h"
#include "trim/view.h"

namespace tidemark::report {

std::vector<std::optional<std::int64_t>> freed_in_order(const model::Snapshot& snapshot, std::string_view topic,
                                                        const std::vector<std::string_view>& subscriptions) {
  std::vector<std::optional<std::int64_t>> unknown(subscriptions.size());
  const auto* view = model::find_topic(snapshot, topic);
  if (view == nullptr) return unknown;
  trim::Topic trimmed;
  trimmed.habits = trim::habits_of(snapshot.version);
  std::vector<std::size_t> cursor_of;
  if (!trim::see_topic(snapshot, *view, trimmed, cursor_of)) return unknown;
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < cursor_of.size(); ++i) index[view->cursors[cursor_of[i]].name] = i;
  std::vector<std::size_t> order;
  for (const auto name : subscriptions) {
    const auto at = index.find(name);
    if (at == index.end()) return unknown;
    order.push_back(at->second);
  }
  return trim::freed_in_order(trimmed, order);
}

}  // namespace tidemark::report
