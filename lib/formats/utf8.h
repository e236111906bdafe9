#pragma once
// Names come from other people's clients and may hold any byte, but JSON, the Prometheus text and HTML must be valid
// UTF-8: one bad label would cost a whole scrape. Every writer passes names through here.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tidemark::formats {

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // length in the text; 0 at its end
  bool valid = false;     // false: `bytes` of garbage, value is U+FFFD
};

// The code point at the front of `text`. Overlong forms, surrogates and values above U+10FFFF are garbage.
CodePoint first_code_point(std::string_view text);

bool is_utf8(std::string_view text);

// `text` with each piece of garbage replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

void append_utf8(std::string& out, char32_t value);

}  // namespace tidemark::formats
