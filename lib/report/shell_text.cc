#include "report/shell_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/utf8.h"

namespace tidemark::report {
namespace {

bool is_printable(char c) { return c >= 0x20 && c < 0x7F; }

bool is_blank(char c) { return static_cast<unsigned char>(c) <= 0x20; }

// '...', with each quote as '\''
std::string plain_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

// $'...'
std::string escaped_word(std::string_view text) {
  std::string word = "$'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') {
      word += '\\';
      word += c;
    } else if (c == '\n') {
      word += "\\n";
    } else if (is_printable(c)) {
      word += c;
    } else {
      word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return word + "'";
}

}  // namespace

std::string shell_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_printable) ? plain_word(text) : escaped_word(text);
}

bool can_be_word(std::string_view text) {
  return !text.empty() && text.find('\0') == std::string_view::npos && formats::is_utf8(text);
}

bool pulsar_admin_takes(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  if (name.front() == '-' || name.front() == '@') return false;
  if (is_blank(name.front()) || is_blank(name.back())) return false;
  return name.size() < 2 || name.front() != '"' || name.back() != '"';
}

}  // namespace tidemark::report
