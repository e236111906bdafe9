#pragma once
// The table of every key there is, made once from the rows in keys.cc. Loading, --set, validation, "did you mean" and
// the manual are all driven by it, so a new key is a member in settings.h and one row. A path writes list entries as
// "[]", e.g. "clusters[].bookies.urls[]"; a person writes numbers: "clusters.0.bookies.urls.1".

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "settings/settings.h"

namespace tidemark::settings {

// Which entry, for each "[]" of a path from left to right.
using Index = std::array<std::size_t, 2>;

struct Key {
  std::string path;
  std::string kind;       // for the manual: "length of time from 1s to 1d"
  std::string fallback;   // the default as a person would write it; empty: none
  bool required = false;  // has no default and cannot be left out
  std::string help;

  // Reads `text` into its place; an entry one past the end of a list is added, also where `text` is wrong. Errors do
  // not name the key.
  std::function<Result<void>(Settings&, const Index&, std::string_view text)> set;
  // The value as a person would write it. The entry must exist, or be one past the end: then its default.
  std::function<std::string(Settings, const Index&)> get;
  // Adds each value in `settings` that is out of range, or missing; the error begins with the key as a person writes
  // it.
  std::function<void(const Settings&, std::vector<Error>&)> check;
};

const std::vector<Key>& keys();

// Null when there is none.
const Key* find_key(std::string_view path);

// What may follow `group` ("" is the top): names, or the single "[]" of a list. Empty when `group` is not a group.
std::vector<std::string> children(std::string_view group);

// `path` with the numbers of `index` in place of "[]".
std::string spelled(std::string_view path, const Index& index);

// "unknown key 'detect.stuck_aftr'; did you mean 'stuck_after'?", or where secrets and keys of other groups belong.
Error unknown_key(std::string_view group, const Index& index, std::string_view name);

}  // namespace tidemark::settings
