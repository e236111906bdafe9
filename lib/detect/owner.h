#pragma once
// Whom to ask about a cursor or a topic: what the subscription says of itself, else its namespace, else a pattern of
// the configuration.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "detect/cursor_pattern.h"
#include "detect/limits.h"

namespace tidemark::detect {

using Properties = std::map<std::string, std::string>;

class Owners {
 public:
  // An Error names the pattern that is no regular expression.
  static Result<Owners> compile(const std::vector<OwnerPattern>& patterns);

  // The property `owner` of the first that has one. Either may be null; an empty value is none.
  static std::optional<std::string> by_property(const Properties* subscription, const Properties* ns);

  // The first pattern that matches. Ask for what is not `ok` only.
  std::optional<std::string> by_pattern(const Subject& subject) const;

 private:
  std::vector<std::pair<CursorPattern, std::string>> patterns_;
};

}  // namespace tidemark::detect
