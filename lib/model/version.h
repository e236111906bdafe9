#pragma once
// A broker's version as far as its habits depend on it: "2.10.5", "4.1.0-SNAPSHOT".

#include <compare>
#include <optional>
#include <string_view>

namespace tidemark::model {

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  auto operator<=>(const Version&) const = default;
};

// Missing parts count as 0. Empty when the text does not begin with a number.
std::optional<Version> parse_version(std::string_view text);

}  // namespace tidemark::model
