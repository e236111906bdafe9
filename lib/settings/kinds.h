#pragma once
// The kinds of value a key can have. Each one reads what a person wrote, refuses what is out of its range, and writes a
// value back as a person would; keys.cc picks one a row. A kind has: parse, check, print and, for the manual, describe.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace tidemark::settings {

// A text that must pass `test`, unless it is empty and not `required`.
struct Text {
  using Test = Result<void> (*)(std::string_view);
  Test test;
  bool required = false;

  Result<std::string> parse(std::string_view text) const;
  Result<void> check(const std::string& value) const;
  static std::string print(const std::string& value) { return value; }
  static std::string describe() { return "text"; }
};

// true or false, and no other spelling.
struct Flag {
  static Result<bool> parse(std::string_view text);
  static Result<void> check(bool) { return {}; }
  static std::string print(bool value) { return value ? "true" : "false"; }
  static std::string describe() { return "true or false"; }
};

// The four kinds with an order, by their traits: how to parse one, how to print one. Both bounds are allowed values.
template <class Traits>
struct Ranged {
  using Value = typename Traits::Value;
  Value low;
  Value high;

  Result<Value> parse(std::string_view text) const {
    auto value = Traits::parse(text);
    if (!value) return value.error();
    if (auto good = check(*value); !good) return good.error();
    return value;
  }
  Result<void> check(Value value) const {
    if (value >= low && value <= high) return {};
    return Error{Errc::kConfig, fmt::format("{} is out of range ({} to {})", print(value), print(low), print(high))};
  }
  static std::string print(Value value) { return Traits::print(value); }
  std::string describe() const { return fmt::format("{} from {} to {}", Traits::kWord, print(low), print(high)); }
};

struct LengthTraits {
  using Value = Duration;
  static constexpr const char* kWord = "length of time";
  static Result<Duration> parse(std::string_view text);
  static std::string print(Duration value);  // exact, as parse_duration reads it: "1m30s"
};

struct SizeTraits {
  using Value = std::int64_t;
  static constexpr const char* kWord = "size";
  static Result<std::int64_t> parse(std::string_view text);
  static std::string print(std::int64_t value);  // exact, as parse_size reads it: "8MiB"
};

struct WholeTraits {
  using Value = int;
  static constexpr const char* kWord = "whole number";
  static Result<int> parse(std::string_view text);
  static std::string print(int value);
};

struct RealTraits {
  using Value = double;
  static constexpr const char* kWord = "number";
  static Result<double> parse(std::string_view text);
  static std::string print(double value);
};

using Length = Ranged<LengthTraits>;
using Size = Ranged<SizeTraits>;
using Whole = Ranged<WholeTraits>;
using Real = Ranged<RealTraits>;

// "'clustr' is not one of: cluster, sidecar", with the nearest word when there is one.
Error not_one_of(std::string_view text, const std::vector<std::string>& words);

// One of a few words, each for a value: an enum, or the word itself.
template <class T>
struct Choice {
  std::vector<std::pair<std::string, T>> options;
  bool required = false;

  std::vector<std::string> words() const {
    std::vector<std::string> all;
    all.reserve(options.size());
    for (const auto& [word, value] : options) all.push_back(word);
    return all;
  }
  Result<T> parse(std::string_view text) const {
    for (const auto& [word, value] : options) {
      if (word == text) return value;
    }
    return not_one_of(text, words());
  }
  Result<void> check(const T& wanted) const {
    for (const auto& [word, value] : options) {
      if (value == wanted) return {};
    }
    return not_one_of(print(wanted), words());
  }
  std::string print(const T& wanted) const {
    for (const auto& [word, value] : options) {
      if (value == wanted) return word;
    }
    return {};
  }
  std::string describe() const { return fmt::format("one of {}", fmt::join(words(), ", ")); }
};

// A choice of words kept as words.
Choice<std::string> one_of(const std::vector<std::string>& words);

}  // namespace tidemark::settings
