#include "report/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "formats/utf8.h"

namespace tidemark::report {
namespace {

using formats::first_code_point;

struct Range {
  char32_t first;
  char32_t last;
};

// Seen by nobody, or changing how the rest of the line is seen.
constexpr std::array<Range, 14> kHidden{{{0x00, 0x1F},
                                         {0x7F, 0x9F},
                                         {0xAD, 0xAD},
                                         {0x61C, 0x61C},
                                         {0x115F, 0x1160},
                                         {0x180E, 0x180E},
                                         {0x200B, 0x200F},
                                         {0x2028, 0x202E},
                                         {0x2060, 0x206F},
                                         {0x3164, 0x3164},
                                         {0xFEFF, 0xFEFF},
                                         {0xFFF9, 0xFFFB},
                                         {0xE0000, 0xE0FFF},
                                         {0xF0000, 0x10FFFF}}};

constexpr std::array<Range, 9> kCombining{{{0x300, 0x36F},
                                           {0x483, 0x489},
                                           {0x591, 0x5BD},
                                           {0x610, 0x61A},
                                           {0x64B, 0x65F},
                                           {0x1AB0, 0x1AFF},
                                           {0x1DC0, 0x1DFF},
                                           {0x20D0, 0x20FF},
                                           {0xFE00, 0xFE2F}}};

constexpr std::array<Range, 12> kWide{{{0x1100, 0x115F},
                                       {0x231A, 0x231B},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0xA4CF},
                                       {0xA960, 0xA97F},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0xFFE0, 0xFFE6},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t value) {
  return std::ranges::any_of(ranges,
                             [value](const Range& range) { return range.first <= value && value <= range.last; });
}

void append_named(std::string& out, char32_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  if (value == '\n') {
    out += "\\n";
  } else if (value == '\r') {
    out += "\\r";
  } else if (value == '\t') {
    out += "\\t";
  } else if (value < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", number);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  }
}

std::size_t columns_of(char32_t value) {
  if (value < 0x300) return 1;
  if (is_in(kCombining, value)) return 0;
  return is_in(kWide, value) ? 2 : 1;
}

// The longest start of `text` that fits into `width`; a combining character stays with its base.
std::size_t bytes_of_start(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const auto point = first_code_point(text.substr(bytes));
    const auto needs = columns_of(point.value);
    if (needs > width) break;
    width -= needs;
    bytes += point.bytes;
  }
  return bytes;
}

// Where the longest end of `text` that fits into `width` begins; never with a combining character.
std::size_t begin_of_end(std::string_view text, std::size_t width) {
  std::vector<std::pair<std::size_t, std::size_t>> at;  // offset, columns
  for (std::size_t offset = 0; offset < text.size();) {
    const auto point = first_code_point(text.substr(offset));
    at.emplace_back(offset, columns_of(point.value));
    offset += point.bytes;
  }
  std::size_t begin = text.size();
  for (auto entry = at.rbegin(); entry != at.rend() && entry->second <= width; ++entry) {
    width -= entry->second;
    if (entry->second > 0) begin = entry->first;
  }
  return begin;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto point = first_code_point(text);
    if (is_in(kHidden, point.value)) {
      append_named(out, point.value);
    } else {
      formats::append_utf8(out, point.value);
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

std::string html(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::size_t columns(std::string_view visible_text) {
  std::size_t sum = 0;
  while (!visible_text.empty()) {
    const auto point = first_code_point(visible_text);
    sum += columns_of(point.value);
    visible_text.remove_prefix(point.bytes);
  }
  return sum;
}

std::string shorten(std::string_view visible_text, std::size_t width) {
  if (width == 0 || columns(visible_text) <= width) return std::string(visible_text);
  const std::string_view gap = width > 8 ? ".." : "";
  const auto room = width - gap.size();
  const auto head = (room + 1) / 2;
  std::string out(visible_text.substr(0, bytes_of_start(visible_text, head)));
  out += gap;
  out += visible_text.substr(begin_of_end(visible_text, room - head));
  return out;
}

std::string pad_right(std::string_view visible_text, std::size_t width) {
  std::string out(visible_text);
  const auto used = columns(visible_text);
  if (used < width) out.append(width - used, ' ');
  return out;
}

std::string pad_left(std::string_view visible_text, std::size_t width) {
  const auto used = columns(visible_text);
  return std::string(used < width ? width - used : 0, ' ').append(visible_text);
}

}  // namespace tidemark::report
