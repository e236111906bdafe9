#pragma once
// What a person probably meant, and text from outside made fit for one line of an error.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark::settings {

// The word nearest to `text`, when it is near enough to be a slip of the hand (letters missing, added, changed or
// swapped), else one that begins with it.
std::optional<std::string> nearest(std::string_view text, const std::vector<std::string>& words);

// In quotes, on one line, shortened when long.
std::string in_quotes(std::string_view text);

}  // namespace tidemark::settings
