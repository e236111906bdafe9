#include "model/version.h"

#include <charconv>

namespace tidemark::model {

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const auto* at = text.data();
  const auto* const end = text.data() + text.size();
  for (auto* part : {&version.major, &version.minor, &version.patch}) {
    const auto got = std::from_chars(at, end, *part);
    if (got.ec != std::errc{} || *part < 0) {
      if (part == &version.major) return std::nullopt;
      *part = 0;
      return version;
    }
    at = got.ptr;
    if (at == end || *at != '.') return version;
    ++at;
  }
  return version;
}

}  // namespace tidemark::model
