#pragma once
// An operator's pattern for cursors by topic and name: a regular expression that is searched for in the text by which
// findings name them, "persistent://tenant/namespace/topic [subscription]". On a partition it may match that text or
// the same without "-partition-N", which is the topic that people know.

#include <string>
#include <string_view>
#include <utility>

#include "base/pattern.h"
#include "base/result.h"

namespace tidemark::detect {

// What patterns see. Without a cursor it is the topic alone.
struct Subject {
  explicit Subject(std::string_view topic, std::string_view cursor = {});

  std::string text;
  std::string logical;  // without "-partition-N"; empty if there is none
};

class CursorPattern {
 public:
  // An Error repeats the text.
  static Result<CursorPattern> compile(const std::string& text);

  bool matches(const Subject& subject) const;
  const std::string& text() const { return text_; }

 private:
  CursorPattern(std::string text, Pattern pattern) : text_(std::move(text)), pattern_(std::move(pattern)) {}

  std::string text_;
  Pattern pattern_;
};

}  // namespace tidemark::detect
