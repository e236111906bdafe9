#include "detect/cursor_pattern.h"

#include "model/names.h"

namespace tidemark::detect {
namespace {

std::string text_of(std::string_view topic, std::string_view cursor) {
  std::string text(topic);
  if (cursor.empty()) return text;
  text.append(" [").append(cursor).append("]");
  return text;
}

bool search(std::string_view text, const std::regex& regex) {
  // std::regex recurses per character: a hostile name of kilobytes must not reach it.
  constexpr std::size_t kLongest = 1024;
  text = text.substr(0, kLongest);
  return std::regex_search(text.begin(), text.end(), regex);
}

}  // namespace

Subject::Subject(std::string_view topic, std::string_view cursor) : text(text_of(topic, cursor)) {
  const auto name = model::parse_topic(topic);
  if (name && name->partition) logical = text_of(name->parent, cursor);
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

bool CursorPattern::matches(const Subject& subject) const {
  return search(subject.text, regex_) || (!subject.logical.empty() && search(subject.logical, regex_));
}

}  // namespace tidemark::detect
