#include "detect/cursor_pattern.h"

namespace tidemark::detect {

std::string subject_of(std::string_view topic, std::string_view cursor) {
  std::string text(topic);
  if (cursor.empty()) return text;
  text.append(" [").append(cursor).append("]");
  return text;
}

Result<CursorPattern> CursorPattern::compile(const std::string& text) {
  CursorPattern pattern;
  pattern.text_ = text;
  try {
    pattern.regex_.assign(text, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error&) {
    return Error{Errc::kConfig, "'" + text + "' is not a regular expression"};
  }
  return pattern;
}

bool CursorPattern::matches(std::string_view subject) const {
  // std::regex recurses per character: a hostile name of kilobytes must not reach it.
  constexpr std::size_t kLongest = 1024;
  subject = subject.substr(0, kLongest);
  return std::regex_search(subject.begin(), subject.end(), regex_);
}

}  // namespace tidemark::detect
