#pragma once
// A document's list of subscriptions or cursors, kept by name: a topic may have many thousands, and each document is
// compared with the one before and with those of other kinds.

#include <algorithm>
#include <string_view>

namespace tidemark::survey {

template <class List>
void sort_by_name(List& list) {
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

// Of a sorted list; null where there is none.
template <class List>
const typename List::value_type* find_named(const List& list, std::string_view name) {
  const auto at = std::lower_bound(list.begin(), list.end(), name,
                                   [](const auto& item, std::string_view wanted) { return item.name < wanted; });
  return at != list.end() && at->name == name ? &*at : nullptr;
}

}  // namespace tidemark::survey
