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

}  // namespace

Subject::Subject(std::string_view topic, std::string_view cursor) : text(text_of(topic, cursor)) {
  const auto name = model::parse_topic(topic);
  if (name && name->partition) logical = text_of(name->parent, cursor);
}

Result<CursorPattern> CursorPattern::compile(const std::string& text) {
  auto pattern = Pattern::compile(text);
  if (!pattern) return Error{Errc::kConfig, "'" + text + "' is " + pattern.error().text()};
  return CursorPattern(text, std::move(*pattern));
}

bool CursorPattern::matches(const Subject& subject) const {
  return pattern_.found_in(subject.text) || (!subject.logical.empty() && pattern_.found_in(subject.logical));
}

}  // namespace tidemark::detect
