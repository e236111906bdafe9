#include "history/figures.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tidemark::history {

bool Figures::add(std::string_view name, TimeMs at, std::int64_t value, Duration window, Places places) {
  auto known = all_.find(name);
  if (known == all_.end()) {
    if (all_.size() >= (places == Places::kAll ? most_ : most_ - most_ / 10)) {
      ++refused_;
      return false;
    }
    known = all_.emplace(name, Series{}).first;
  }
  known->second.add(at, value, window);
  return true;
}

const Series* Figures::find(std::string_view name) const {
  const auto known = all_.find(name);
  return known != all_.end() ? &known->second : nullptr;
}

void Figures::forget_unseen(TimeMs now, Duration keep) {
  std::erase_if(all_, [&](const auto& item) { return now - item.second.last_ms() > keep.count(); });
  if (refused_ > 0) make_room(now);
}

// A poll without a look says nothing: outages feed none. The longest unseen first, as many as found no place.
void Figures::make_room(TimeMs now) {
  constexpr Duration kUnseen{24LL * 3600000};
  std::vector<decltype(all_)::iterator> unseen;
  for (auto item = all_.begin(); item != all_.end(); ++item) {
    if (now - item->second.last_ms() > kUnseen.count()) unseen.push_back(item);
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(refused_, unseen.size()));
  std::partial_sort(unseen.begin(), unseen.begin() + count, unseen.end(),
                    [](const auto& a, const auto& b) { return a->second.last_ms() < b->second.last_ms(); });
  for (std::ptrdiff_t i = 0; i < count; ++i) all_.erase(unseen[static_cast<std::size_t>(i)]);
}

std::size_t Figures::bytes() const {
  constexpr std::size_t kNode = 64;  // of the map, and the heads of two blocks
  std::size_t sum = 0;
  for (const auto& [name, series] : all_) sum += kNode + name.size() + sizeof(Series) + series.bytes();
  return sum;
}

void Figures::each(const std::function<void(std::string_view, const Series&)>& visit) const {
  for (const auto& [name, series] : all_) visit(name, series);
}

void Figures::put(std::string_view name, Series series) {
  if (all_.size() < most_) all_.insert_or_assign(std::string(name), std::move(series));
}

}  // namespace tidemark::history
