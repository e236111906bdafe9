#include "history/figures.h"

#include <utility>

namespace tidemark::history {

bool Figures::add(std::string_view name, TimeMs at, std::int64_t value, Duration window) {
  auto known = all_.find(name);
  if (known == all_.end()) {
    if (all_.size() >= kMost) {
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
  if (all_.size() < kMost) all_.insert_or_assign(std::string(name), std::move(series));
}

}  // namespace tidemark::history
