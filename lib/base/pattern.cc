#include "base/pattern.h"

#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <string>
#include <utility>

namespace tidemark {
namespace {

constexpr const char* kNoLookaround = "RE2, which reads it, has no lookaround ('(?=', '(?!', '(?<=', '(?<!')";

constexpr const char* kNoClass = "a class of characters such as '[:word:]' is none that there is";

// In our words: the library's are short.
const char* fault_of(const RE2& regex) {
  const auto& at = regex.error_arg();
  switch (regex.error_code()) {
    case RE2::ErrorMissingParen:
    case RE2::ErrorUnexpectedParen:
      return at.rfind("(?", 0) == 0 ? kNoLookaround : "a '(' or ')' is without the other";
    case RE2::ErrorBadPerlOp:
    case RE2::ErrorBadNamedCapture:
      return kNoLookaround;
    case RE2::ErrorMissingBracket:
      return "a '[' is without its ']'";
    case RE2::ErrorRepeatArgument:
      return "nothing stands before a '*', '+', '?' or '{'";
    case RE2::ErrorRepeatOp:
      return "two of '*', '+' and '{' stand one behind the other";
    case RE2::ErrorRepeatSize:
      return "a '{' repeats more than 1000 times, or has its ends swapped";
    case RE2::ErrorBadCharRange:
      if (at.rfind("[:", 0) == 0 || at.rfind('\\', 0) == 0) return kNoClass;
      return "a range such as 'z-a' has its ends swapped";
    case RE2::ErrorBadCharClass:
      return kNoClass;
    case RE2::ErrorTrailingBackslash:
      return "a '\\' stands at its end";
    case RE2::ErrorBadEscape:
      if (at.size() > 1 && at[1] >= '1' && at[1] <= '9') return "RE2, which reads it, has no backreferences ('\\1')";
      return "a '\\' stands before a character that it gives no meaning";
    case RE2::ErrorBadUTF8:
      return "it is not UTF-8";
    case RE2::ErrorPatternTooLarge:
      return "it is too large";
    default:
      return "it is too complex";
  }
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  auto regex = std::make_shared<const RE2>(std::string(text), options);
  if (!regex->ok()) return Error{Errc::kConfig, std::string("not a regular expression: ") + fault_of(*regex)};
  return Pattern(std::move(regex));
}

// Newer versions take a view of a library of their own, of which StringPiece is another name.
bool Pattern::found_in(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
}

}  // namespace tidemark
