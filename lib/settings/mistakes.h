#pragma once
// Mistakes of a configuration are told all at once, whoever finds them: the reader of the file, --set, or the look at
// the whole. So each of these goes on behind a mistake, and says nothing that only follows from an earlier one.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tidemark::settings {

class Mistakes {
 public:
  // `key`, as a person writes it ("clusters.0.url"): it, and what is in it, has no value to rely on because of this
  // one.
  void add(Error mistake, std::string key = {}) {
    list_.push_back(std::move(mistake));
    if (!key.empty()) keys_.push_back(std::move(key));
  }

  // Whether there was one about `key`, about what it is in, or about what is in it.
  bool concern(std::string_view key) const {
    return std::any_of(keys_.begin(), keys_.end(),
                       [key](const std::string& one) { return key == one || is_in(one, key) || is_in(key, one); });
  }

  bool empty() const { return list_.empty(); }

  // Of one mistake or more: a line each. Of very many, as of a file that is something else, the first ones.
  Error all() const {
    constexpr std::size_t kMost = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(list_.size(), kMost); ++i) {
      text += fmt::format("{}{}", i > 0 ? "\n" : "", list_[i].text());
    }
    if (list_.size() > kMost) text += fmt::format("\nand {} more", list_.size() - kMost);
    return {Errc::kConfig, text};
  }

 private:
  static bool is_in(std::string_view group, std::string_view key) {
    return key.size() > group.size() && key.starts_with(group) && key[group.size()] == '.';
  }

  std::vector<Error> list_;
  std::vector<std::string> keys_;
};

}  // namespace tidemark::settings
