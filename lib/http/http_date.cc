// By hand, since strftime and get_time follow the locale and the time zone of the process.

#include "http/http_date.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>

namespace tidemark::http {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// -1 unless all of text[from, from + length) are digits.
int number_at(std::string_view text, std::size_t from, std::size_t length) {
  int value = 0;
  const auto* end = text.data() + from + length;
  const auto got = std::from_chars(text.data() + from, end, value);
  return got.ec == std::errc{} && got.ptr == end && value >= 0 ? value : -1;
}

// 1 to 12, 0 when it is none.
unsigned month_at(std::string_view text, std::size_t from) {
  for (unsigned i = 0; i < kMonths.size(); ++i) {
    if (text.substr(from, 3) == kMonths[i]) return i + 1;
  }
  return 0;
}

}  // namespace

std::optional<TimeMs> parse_http_date(std::string_view text) {
  // "Fri, 10 Jan 2025 00:00:00 GMT": every field has its column.
  if (text.size() != 29 || text.substr(25) != " GMT" || text[19] != ':' || text[22] != ':') return std::nullopt;
  const int day = number_at(text, 5, 2);
  const int year = number_at(text, 12, 4);
  const int hour = number_at(text, 17, 2);
  const int minute = number_at(text, 20, 2);
  const int second = number_at(text, 23, 2);
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month_at(text, 8)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (day < 0 || year < 0 || !date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    return std::nullopt;
  }
  const auto days = std::chrono::sys_days{date}.time_since_epoch();
  const auto time = std::chrono::hours{hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
  return std::chrono::duration_cast<Duration>(days + time).count();
}

std::string format_http_date(TimeMs at) {
  const auto midnight = std::chrono::floor<std::chrono::days>(Duration{at});
  const std::chrono::sys_days day{midnight};
  const std::chrono::year_month_day date{day};
  const auto seconds = (at - std::chrono::duration_cast<Duration>(midnight).count()) / 1000;
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday{day}.c_encoding()],
                     static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<int>(date.year()), seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace tidemark::http
