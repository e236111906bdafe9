#include "base/time.h"

#include <fmt/format.h>

#include <charconv>

namespace tidemark {
namespace {

// Reads exactly `digits` decimal digits at the front of `text` and drops them.
bool take_number(std::string_view& text, std::size_t digits, int& out) {
  if (text.size() < digits) return false;
  const auto end = text.data() + digits;
  const auto got = std::from_chars(text.data(), end, out);
  if (got.ec != std::errc{} || got.ptr != end || text[0] == '-') return false;
  text.remove_prefix(digits);
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

int take_fraction_ms(std::string_view& text) {
  int ms = 0;
  int scale = 100;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    ms += (text.front() - '0') * scale;
    scale /= 10;
    text.remove_prefix(1);
  }
  return ms;
}

// Offset from UTC in minutes; empty when the tail is not an offset.
std::optional<int> take_offset(std::string_view& text) {
  if (text.empty() || take(text, 'Z')) return 0;
  const int sign = take(text, '+') ? 1 : (take(text, '-') ? -1 : 0);
  int hours = 0;
  int minutes = 0;
  if (sign == 0 || !take_number(text, 2, hours)) return std::nullopt;
  take(text, ':');
  if (!text.empty() && text.front() >= '0' && text.front() <= '9' && !take_number(text, 2, minutes)) {
    return std::nullopt;
  }
  return sign * (hours * 60 + minutes);
}

}  // namespace

TimeMs SystemClock::now() const {
  return std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<TimeMs> parse_iso8601(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int ms = 0;
  if (!take_number(text, 4, year) || !take(text, '-') || !take_number(text, 2, month) || !take(text, '-') ||
      !take_number(text, 2, day) || !take(text, 'T') || !take_number(text, 2, hour) || !take(text, ':') ||
      !take_number(text, 2, minute)) {
    return std::nullopt;
  }
  if (take(text, ':') && !take_number(text, 2, second)) return std::nullopt;
  if (take(text, '.')) ms = take_fraction_ms(text);
  const auto offset = take_offset(text);
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!offset || !text.empty() || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days{date}.time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(days).count() + hour * 3600LL + minute * 60LL +
                       second - *offset * 60LL;
  return seconds * 1000 + ms;
}

std::string format_iso8601(TimeMs at) {
  const auto whole = std::chrono::floor<std::chrono::days>(Duration{at});
  const std::chrono::year_month_day date{std::chrono::sys_days{whole}};
  const auto rest = at - std::chrono::duration_cast<Duration>(whole).count();
  const auto text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), rest / 3600000,
                                rest / 60000 % 60, rest / 1000 % 60);
  return rest % 1000 == 0 ? text + "Z" : fmt::format("{}.{:03}Z", text, rest % 1000);
}

}  // namespace tidemark
