#pragma once
// How a row of the table becomes a Key: it follows member pointers from Settings to the value, and at a list takes the
// entry that the index names. For keys.cc only.

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "settings/keys.h"

namespace tidemark::settings {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

// The value behind the first member, null when the list before it is too short. Adds the entry one past the end.
template <class Object, class Member, class... Rest>
auto* follow(Object& object, const std::size_t* index, Member member, Rest... rest) {
  auto& next = object.*member;
  if constexpr (kIsList<std::remove_reference_t<decltype(next)>>) {
    if (*index == next.size()) next.emplace_back();
    const bool there = *index < next.size();
    if constexpr (sizeof...(rest) == 0) {
      return there ? &next[*index] : nullptr;
    } else {
      using Found = decltype(follow(next[0], index, rest...));
      return there ? follow(next[*index], index + 1, rest...) : Found{nullptr};
    }
  } else if constexpr (sizeof...(rest) == 0) {
    return &next;
  } else {
    return follow(next, index, rest...);
  }
}

// Calls `visitor(value, index)` for the value in each entry.
template <class Object, class Visitor>
void visit(const Object& object, Index& index, std::size_t, const Visitor& visitor) {
  visitor(object, std::as_const(index));
}
template <class Object, class Visitor, class Member, class... Rest>
void visit(const Object& object, Index& index, std::size_t depth, const Visitor& visitor, Member member, Rest... rest) {
  const auto& next = object.*member;
  if constexpr (kIsList<std::decay_t<decltype(next)>>) {
    for (std::size_t i = 0; i < next.size(); ++i) {
      index[depth] = i;
      visit(next[i], index, depth + 1, visitor, rest...);
    }
  } else {
    visit(next, index, depth, visitor, rest...);
  }
}

template <class... Members>
std::tuple<Members...> at(Members... members) {
  return {members...};
}

template <class Kind>
bool is_required(const Kind& kind) {
  if constexpr (requires { kind.required; }) return kind.required;
  return false;
}

template <class... Members, class Kind>
Key row(std::string path, std::tuple<Members...> members, Kind kind, std::string help) {
  const auto get = [=](Settings settings, const Index& index) {
    return std::apply([&](auto... m) { return kind.print(*follow(settings, index.data(), m...)); }, members);
  };
  const auto set = [=](Settings& settings, const Index& index, std::string_view text) -> Result<void> {
    auto* place = std::apply([&](auto... m) { return follow(settings, index.data(), m...); }, members);
    if (place == nullptr) return Error{Errc::kConfig, "entries of a list are numbered from 0 without gaps"};
    auto value = kind.parse(text);
    if (!value) return value.error();
    *place = std::move(*value);
    return {};
  };
  const auto check = [=](const Settings& settings, std::vector<Error>& mistakes) {
    const auto visitor = [&](const auto& value, const Index& index) {
      if (auto good = kind.check(value); !good) mistakes.push_back(good.error().at(spelled(path, index)));
    };
    Index index{};
    std::apply([&](auto... m) { visit(settings, index, 0, visitor, m...); }, members);
  };
  auto fallback = get(Settings{}, Index{});
  const bool required = fallback.empty() && is_required(kind);
  return {path, kind.describe(), std::move(fallback), required, std::move(help), set, get, check};
}

}  // namespace tidemark::settings
