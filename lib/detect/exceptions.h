#pragma once
// Silence by contract. What an operator or a subscription's owner wants kept stays in every figure with its true state,
// but its finding is only `info`, fails no run, and counts among no leftovers. It says why and until when.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "detect/cursor_pattern.h"
#include "detect/limits.h"
#include "detect/owner.h"
#include "model/finding.h"

namespace tidemark::detect {

class Exceptions {
 public:
  // An Error names the pattern that is no regular expression.
  static Result<Exceptions> compile(const std::vector<ExceptionPattern>& patterns);

  // Why the subscription is to be kept, by its property `tidemark.keep` (any value but "false"); empty = it is not.
  static std::string kept_by(const Properties& subscription);

  // By its property, as kept_by() has it, else the first pattern that matches `subject` and has not ended at `now`. Ask
  // for what is not `ok` only.
  std::optional<model::Exception> find(std::string kept_by, const Subject& subject, TimeMs now) const;
  std::optional<model::Exception> find(const Subject& subject, TimeMs now) const;

  // One line for each that ended before `now`.
  std::vector<std::string> ended(TimeMs now) const;

 private:
  std::vector<std::pair<CursorPattern, model::Exception>> patterns_;
};

// Turns the finding down and says so in it.
void silence(model::Finding& finding, const model::Exception& exception);

}  // namespace tidemark::detect
