#pragma once
// Gzip of whole texts: /metrics is compressed once per poll and served many times.

#include <string>
#include <string_view>

#include "base/result.h"

namespace tidemark::formats {

// Level 6. Never fails for inputs below 4 GiB.
std::string gzip(std::string_view text);

// For tests and recordings; refuses results over `max_bytes`.
Result<std::string> gunzip(std::string_view bytes, std::size_t max_bytes);

}  // namespace tidemark::formats
