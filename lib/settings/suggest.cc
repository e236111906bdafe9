// The distance is optimal string alignment (a swap of neighbours is one step): it is what typing errors look like, and
// words here are short enough for the full table.
#include "settings/suggest.h"

#include <algorithm>
#include <cstddef>

namespace tidemark::settings {
namespace {

constexpr std::size_t kLongestWord = 64;
constexpr std::size_t kShortestStart = 3;
constexpr std::size_t kLongestQuote = 60;

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view text, const std::vector<std::string>& words) {
  if (text.size() > kLongestWord) return std::nullopt;
  const std::string* best = nullptr;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const auto& word : words) {
    const auto steps = distance(text, word);
    if (steps < least && steps < word.size()) {
      least = steps;
      best = &word;
    }
  }
  for (const auto& word : words) {
    const bool is_start = text.size() >= kShortestStart && word.compare(0, text.size(), text) == 0;
    if (best == nullptr && is_start) best = &word;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, kLongestQuote)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  if (text.size() > kLongestQuote) out += "...";
  return out + "'";
}

}  // namespace tidemark::settings
