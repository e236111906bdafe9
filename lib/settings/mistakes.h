#pragma once
// Mistakes of a configuration are told all at once: one Error of a line each.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/result.h"

namespace tidemark::settings {

// Of one mistake or more. Of very many, as of a file that is something else, the first ones.
inline Error all_of(const std::vector<Error>& mistakes) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(mistakes.size(), kMost); ++i) {
    text += fmt::format("{}{}", i > 0 ? "\n" : "", mistakes[i].text());
  }
  if (mistakes.size() > kMost) text += fmt::format("\nand {} more", mistakes.size() - kMost);
  return {Errc::kConfig, text};
}

}  // namespace tidemark::settings
