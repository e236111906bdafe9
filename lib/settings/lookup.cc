// Finding one's way in the table: the groups and lists are not rows of it, they follow from the paths.
#include <fmt/format.h>

#include <algorithm>

#include "settings/keys.h"
#include "settings/suggest.h"

namespace tidemark::settings {
namespace {

constexpr std::size_t kLongestName = 32;

// "clusters[].url" -> "clusters", "[]", "url".
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    const auto length = path.front() == '[' ? 2 : std::min(path.find_first_of(".["), path.size());
    parts.push_back(path.substr(0, length));
    path.remove_prefix(length);
  }
  return parts;
}

// Names of this sort hold a secret in other programs' files, so someone will try them here.
std::string secret_advice(std::string_view name) {
  for (const auto* word : {"token", "jwt", "secret", "api_key", "auth_params", "authParams", "bearer"}) {
    if (name == word) return "auth.token_file";
  }
  if (name == "password" || name == "passphrase") return "auth.basic.password_file";
  return {};
}

bool is_plain(std::string_view name) {
  return name.size() <= kLongestName && std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

// A key of another group with this very name: the indentation is wrong, or the group is missing.
std::string elsewhere(std::string_view name) {
  for (const auto& key : keys()) {
    const auto parts = parts_of(key.path);
    const auto found = std::find(parts.begin(), parts.end(), name);
    if (found == parts.end()) continue;
    return key.path.substr(0, static_cast<std::size_t>(found->data() - key.path.data()) + name.size());
  }
  return {};
}

}  // namespace

const Key* find_key(std::string_view path) {
  const auto found = std::find_if(keys().begin(), keys().end(), [&](const Key& key) { return key.path == path; });
  return found == keys().end() ? nullptr : &*found;
}

std::vector<std::string> children(std::string_view group) {
  const auto above = parts_of(group);
  std::vector<std::string> names;
  for (const auto& key : keys()) {
    const auto parts = parts_of(key.path);
    if (parts.size() <= above.size() || !std::equal(above.begin(), above.end(), parts.begin())) continue;
    const std::string name(parts[above.size()]);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string spelled(std::string_view path, const Index& index) {
  std::string text;
  std::size_t depth = 0;
  for (const auto part : parts_of(path)) {
    if (!text.empty()) text += '.';
    text += part == "[]" ? fmt::format("{}", index.at(depth++)) : std::string(part);
  }
  return text;
}

Error unknown_key(std::string_view group, const Index& index, std::string_view name) {
  const auto known = children(group);
  const auto place = spelled(group, index);
  const auto list = fmt::format("known here: {}", fmt::join(known, ", "));
  const bool near_secrets = group.find("auth") != std::string_view::npos;
  if (near_secrets && !is_plain(name)) {
    return {Errc::kConfig, fmt::format("unknown key in '{}' (not repeated, it may be a secret); {}", place, list)};
  }
  auto line = "unknown key " + in_quotes(place.empty() ? std::string(name) : fmt::format("{}.{}", place, name));
  if (const auto file = secret_advice(name); !file.empty()) {
    line += fmt::format("; a secret must not stand here: put it into a file and name that in '{}'", file);
  } else if (const auto near = nearest(name, known)) {
    line += fmt::format("; did you mean '{}'?", *near);
  } else if (const auto other = elsewhere(name); !other.empty()) {
    line += fmt::format("; did you mean '{}'?", other);
  } else {
    line += "; " + list;
  }
  return {Errc::kConfig, line};
}

}  // namespace tidemark::settings
