// Reading and writing one value. Numbers are whole tokens: '5x' or '5 ' is refused, not read as 5.
#include "settings/kinds.h"

#include <array>
#include <charconv>

#include "base/units.h"
#include "settings/suggest.h"

namespace tidemark::settings {
namespace {

struct Unit {
  const char* name;
  std::int64_t factor;
};

constexpr std::array<Unit, 5> kLengths{{{"d", 86400000}, {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}}};
constexpr std::array<Unit, 4> kSizes{{{"TiB", 1LL << 40}, {"GiB", 1LL << 30}, {"MiB", 1LL << 20}, {"KiB", 1LL << 10}}};

// The parsers of base repeat the text as it is, so what cannot stand on one line does not reach them.
bool is_short_and_plain(std::string_view text) { return in_quotes(text) == fmt::format("'{}'", text); }

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto got = std::from_chars(text.data(), text.data() + text.size(), value);
  return got.ec == std::errc{} && got.ptr == text.data() + text.size();
}

Error is_not(std::string_view text, const char* what) {
  return {Errc::kConfig, fmt::format("{} is not a {}", in_quotes(text), what)};
}

}  // namespace

Result<std::string> Text::parse(std::string_view text) const {
  std::string value(text);
  if (auto good = check(value); !good) return good.error();
  return value;
}

Result<void> Text::check(const std::string& value) const {
  if (!value.empty()) return test(value);
  if (required) return Error{Errc::kConfig, "missing"};
  return {};
}

Result<bool> Flag::parse(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return Error{Errc::kConfig, fmt::format("{} is neither true nor false", in_quotes(text))};
}

Result<Duration> LengthTraits::parse(std::string_view text) {
  if (!is_short_and_plain(text)) return is_not(text, kWord);
  return parse_duration(text);
}

std::string LengthTraits::print(Duration value) {
  if (value.count() == 0) return "0s";
  std::string text;
  auto rest = value.count();
  for (const auto& unit : kLengths) {
    if (rest / unit.factor != 0) text += fmt::format("{}{}", rest / unit.factor, unit.name);
    rest %= unit.factor;
  }
  return text;
}

Result<std::int64_t> SizeTraits::parse(std::string_view text) {
  if (!is_short_and_plain(text)) return is_not(text, kWord);
  return parse_size(text);
}

std::string SizeTraits::print(std::int64_t value) {
  for (const auto& unit : kSizes) {
    if (value != 0 && value % unit.factor == 0) return fmt::format("{}{}", value / unit.factor, unit.name);
  }
  return fmt::format("{}", value);
}

Result<int> WholeTraits::parse(std::string_view text) {
  int value = 0;
  if (!read_number(text, value)) return is_not(text, kWord);
  return value;
}

std::string WholeTraits::print(int value) { return fmt::format("{}", value); }

Result<double> RealTraits::parse(std::string_view text) {
  double value = 0;
  if (!read_number(text, value)) return is_not(text, kWord);
  return value;
}

std::string RealTraits::print(double value) { return fmt::format("{}", value); }

Error not_one_of(std::string_view text, const std::vector<std::string>& words) {
  auto line = fmt::format("{} is not one of: {}", in_quotes(text), fmt::join(words, ", "));
  if (text.empty()) line = fmt::format("missing; one of: {}", fmt::join(words, ", "));
  if (const auto near = nearest(text, words)) line += fmt::format("; did you mean '{}'?", *near);
  return {Errc::kConfig, line};
}

Choice<std::string> one_of(const std::vector<std::string>& words) {
  Choice<std::string> choice;
  for (const auto& word : words) choice.options.emplace_back(word, word);
  choice.required = true;
  return choice;
}

}  // namespace tidemark::settings
