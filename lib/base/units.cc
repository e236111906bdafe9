#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace tidemark {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

constexpr std::array<Unit, 6> kTimeUnits{
    {{"w", 604800000}, {"d", 86400000}, {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}}};

constexpr std::array<Unit, 14> kSizeUnits{{{"", 1},
                                           {"B", 1},
                                           {"K", 1LL << 10},
                                           {"KB", 1LL << 10},
                                           {"KiB", 1LL << 10},
                                           {"M", 1LL << 20},
                                           {"MB", 1LL << 20},
                                           {"MiB", 1LL << 20},
                                           {"G", 1LL << 30},
                                           {"GB", 1LL << 30},
                                           {"GiB", 1LL << 30},
                                           {"T", 1LL << 40},
                                           {"TB", 1LL << 40},
                                           {"TiB", 1LL << 40}}};

// A whole number and the letters behind it, taken off the front of `text`.
bool take_quantity(std::string_view& text, std::int64_t& number, std::string_view& unit) {
  const auto got = std::from_chars(text.data(), text.data() + text.size(), number);
  if (got.ec != std::errc{} || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(got.ptr - text.data()));
  std::size_t length = 0;
  while (length < text.size() && ((text[length] | 0x20) >= 'a' && (text[length] | 0x20) <= 'z')) ++length;
  unit = text.substr(0, length);
  text.remove_prefix(length);
  return true;
}

template <std::size_t N>
const Unit* find_unit(const std::array<Unit, N>& units, std::string_view name) {
  for (const auto& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

bool overflows(std::int64_t number, std::int64_t factor) {
  return number > std::numeric_limits<std::int64_t>::max() / 4 / factor;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  const auto refuse = [&] {
    return Error{Errc::kConfig, fmt::format("'{}' is not a length of time; write e.g. 90s, 30m, 6h, 8d", text)};
  };
  auto rest = text;
  std::int64_t total = 0;
  if (rest.empty()) return refuse();
  while (!rest.empty()) {
    std::int64_t number = 0;
    std::string_view name;
    if (!take_quantity(rest, number, name)) return refuse();
    const auto* unit = find_unit(kTimeUnits, name);
    if (unit == nullptr || overflows(number, unit->factor)) return refuse();
    total += number * unit->factor;
  }
  return Duration{total};
}

Result<std::int64_t> parse_size(std::string_view text) {
  auto rest = text;
  std::int64_t number = 0;
  std::string_view name;
  const Unit* unit = nullptr;
  if (take_quantity(rest, number, name) && rest.empty()) unit = find_unit(kSizeUnits, name);
  if (unit == nullptr || overflows(number, unit->factor)) {
    return Error{Errc::kConfig, fmt::format("'{}' is not a size; write e.g. 512KiB, 16MiB, 1GiB", text)};
  }
  return number * unit->factor;
}

std::string format_duration(Duration length) {
  auto rest = length.count();
  if (rest < 0) return "-" + format_duration(-length);
  if (rest < 1000) return fmt::format("{}ms", rest);
  std::string text;
  int parts = 0;
  for (const auto& unit : kTimeUnits) {
    if (unit.name == "w" || unit.name == "ms") continue;
    const auto count = rest / unit.factor;
    if (count == 0) {
      if (parts > 0) break;
      continue;
    }
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", count, unit.name);
    rest -= count * unit.factor;
    if (++parts == 2) break;
  }
  return text;
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 6> kNames{"B", "kB", "MB", "GB", "TB", "PB"};
  if (bytes < 0) return "-" + format_bytes(-bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t step = 0;
  while (value >= 999.95 && step + 1 < kNames.size()) {
    value /= 1000;
    ++step;
  }
  return fmt::format("{:.1f} {}", value, kNames[step]);
}

}  // namespace tidemark
