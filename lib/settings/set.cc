// --set dotted.key=value. The dotted name becomes a path of the table (numbers become "[]"), then the row does the
// rest.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "settings/keys.h"
#include "settings/load.h"
#include "settings/suggest.h"

namespace tidemark::settings {
namespace {

constexpr std::size_t kMostEntries = 10000;

struct Target {
  std::string path;  // as in the table
  Index index{};
};

Error refuse(const std::string& text) { return {Errc::kConfig, "--set: " + text}; }

std::optional<std::size_t> as_number(std::string_view text) {
  std::size_t number = 0;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), number);
  if (got.ec != std::errc{} || got.ptr != text.data() + text.size() || number >= kMostEntries) return std::nullopt;
  return number;
}

// One step down from `target`; `depth` counts the lists.
Result<void> descend(Target& target, std::size_t& depth, std::string_view part) {
  const auto known = children(target.path);
  if (!known.empty() && known.front() == "[]") {
    const auto number = as_number(part);
    const auto list = spelled(target.path, target.index);
    if (!number) return refuse(fmt::format("{} is a list; write e.g. {}.0 for its first entry", list, list));
    target.index.at(depth++) = *number;
    target.path += "[]";
    return {};
  }
  if (std::find(known.begin(), known.end(), part) == known.end()) {
    if (!known.empty()) return refuse(unknown_key(target.path, target.index, part).text());
    return refuse(fmt::format("{} is a single value, nothing is below it", spelled(target.path, target.index)));
  }
  target.path += (target.path.empty() ? "" : ".") + std::string(part);
  return {};
}

Result<Target> find_target(std::string_view name) {
  Target target;
  std::size_t depth = 0;
  while (true) {
    const auto dot = name.find('.');
    if (auto good = descend(target, depth, name.substr(0, dot)); !good) return good.error();
    if (dot == std::string_view::npos) return target;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

Result<void> apply_set(Settings& settings, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    const auto name = assignment.substr(0, assignment.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_."));
    return refuse(fmt::format("{} has no '='; write KEY=VALUE, e.g. poll.interval=30s", in_quotes(name)));
  }
  const auto target = find_target(assignment.substr(0, equals));
  if (!target) return target.error();
  const auto name = spelled(target->path, target->index);
  const auto* key = find_key(target->path);
  if (key == nullptr) {
    const auto below = children(target->path).front();
    return refuse(fmt::format("{} is not a single value; set one of its keys, e.g. {}.{}=...", name, name,
                              below == "[]" ? "0" : below));
  }
  auto changed = settings;
  if (auto good = key->set(changed, target->index, assignment.substr(equals + 1)); !good) {
    return refuse(good.error().at(name).text());
  }
  settings = std::move(changed);
  return {};
}

}  // namespace tidemark::settings
