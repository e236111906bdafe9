#pragma once
// Lengths of time and sizes as people write and read them: "8d", "90s", "1GiB". Used by the configuration, the command
// line and every table.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace tidemark {

// "500ms", "5s", "30m", "6h", "8d", "2w", and sums such as "1d12h". A bare number is refused: its unit would be a
// guess.
Result<Duration> parse_duration(std::string_view text);

// "1024", "64KiB", "16MiB", "1GiB", "2TiB" (powers of 1024; KB/MB/GB mean the same, as in Pulsar's own tools).
Result<std::int64_t> parse_size(std::string_view text);

// The two largest units: "8d 1h", "3m 20s", "450ms".
std::string format_duration(Duration length);

// "3.4 MB" with powers of 1000 for people; exact figures belong to JSON and metrics.
std::string format_bytes(std::int64_t bytes);

}  // namespace tidemark
