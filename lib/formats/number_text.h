#pragma once
// A number as the shortest text that reads back equal, which to_chars almost gives: it writes 700000.0 as "7e+05", and
// people read these pages too, so whole numbers are written out as far as a double is exact.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace tidemark::formats {

template <class Number>
void append_chars(std::string& out, Number number) {
  std::array<char, 32> buffer{};
  out.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr);
}

// `number` must be finite.
inline void append_number(std::string& out, double number) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (std::trunc(number) == number && std::fabs(number) <= kExact) {
    append_chars(out, static_cast<std::int64_t>(number));
  } else {
    append_chars(out, number);
  }
}

inline void append_number(std::string& out, std::int64_t number) { append_chars(out, number); }

}  // namespace tidemark::formats
