#pragma once
// An operator's pattern for cursors by topic and name: a regular expression that is searched for in the text by which
// findings name them, "persistent://tenant/namespace/topic [subscription]". On a partition it may match that text or
// the same without "-partition-N", which is the topic that people know.

#include <regex>
#include <string>
#include <string_view>

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
  // ECMAScript. An Error repeats the text.
  static Result<CursorPattern> compile(const std::string& text);

  // Costs some microseconds. Sees the first 1024 bytes.
  bool matches(const Subject& subject) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::regex regex_;
};

}  // namespace tidemark::detect
