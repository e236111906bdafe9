#pragma once
// A regular expression that an operator wrote. Searching takes time that is linear in the text, whatever the expression
// is: a poll waits for it, and the names that it is searched for in were written by others. Hence RE2.

#include <memory>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace tidemark {

class Pattern {
 public:
  // An Error says what is wrong with the expression and does not repeat it.
  static Result<Pattern> compile(std::string_view text);

  // Anywhere in `text`; any thread.
  bool found_in(std::string_view text) const;

 private:
  explicit Pattern(std::shared_ptr<const re2::RE2> regex) : regex_(std::move(regex)) {}

  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace tidemark
