// Built by hand, since it imitates writing by hand: commas, quotes, and how Java prints numbers.
#include "sim/java_json.h"

#include <fmt/format.h>

#include <cmath>

namespace tidemark::sim {
namespace {

// The code point at text[at], which is moved past it. Names in the simulator are valid UTF-8.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0x80U;
  };
  const std::uint32_t first = byte(at);
  const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  std::uint32_t point = length == 1 ? first : first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) point = (point << 6U) | (byte(at + i) & 0x3fU);
  at += length;
  return point;
}

}  // namespace

void JavaJson::separate() {
  if (!fresh_) text_ += ',';
  fresh_ = false;
}

void JavaJson::begin_object() {
  separate();
  text_ += '{';
  fresh_ = true;
}

void JavaJson::end_object() {
  text_ += '}';
  fresh_ = false;
}

void JavaJson::begin_array() {
  separate();
  text_ += '[';
  fresh_ = true;
}

void JavaJson::end_array() {
  text_ += ']';
  fresh_ = false;
}

void JavaJson::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  fresh_ = true;
}

void JavaJson::empty_object(std::string_view name) {
  key(name);
  begin_object();
  end_object();
}

void JavaJson::empty_array(std::string_view name) {
  key(name);
  begin_array();
  end_array();
}

void JavaJson::value(std::string_view text) {
  separate();
  quote(text);
}

void JavaJson::value(bool flag) {
  separate();
  text_ += flag ? "true" : "false";
}

void JavaJson::value(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
}

void JavaJson::value(double number) {
  separate();
  if (style_ == JavaStyle::kBulk) number = std::trunc(number * 1000) / 1000;
  text_ += fmt::format("{}", number);
  // fmt leaves whole numbers as "2"; Java never does.
  if (number == std::trunc(number) && std::abs(number) < 1e16) text_ += ".0";
}

void JavaJson::quote(std::string_view text) {
  text_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
      ++at;
    } else if (byte < 0x20) {
      text_ += fmt::format("\\u{:04x}", byte);
      ++at;
    } else if (byte < 0x80 || style_ == JavaStyle::kJackson) {
      text_ += c;
      ++at;
    } else {
      const std::uint32_t point = next_code_point(text, at);
      if (point >= 0x10000) {
        text_ += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + ((point - 0x10000) >> 10U),
                             0xdc00 + ((point - 0x10000) & 0x3ffU));
      } else {
        text_ += fmt::format("\\u{:04x}", point);
      }
    }
  }
  text_ += '"';
}

}  // namespace tidemark::sim
