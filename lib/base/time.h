#pragma once
// Points in time are epoch milliseconds, as in Pulsar's documents and our recordings; lengths are chrono milliseconds.
// Code that judges takes `now` as a value: only the daemon, collect and the simulator hold a Clock.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidemark {

using TimeMs = std::int64_t;  // epoch milliseconds, UTC
using Duration = std::chrono::milliseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimeMs now() const = 0;
};

class SystemClock final : public Clock {
 public:
  TimeMs now() const override;
};

// Broker timestamps: "2025-01-09T22:00:00Z", offsets "+02:00", fractions of one to nine digits, seconds optional.
// Empty when the text is not one.
std::optional<TimeMs> parse_iso8601(std::string_view text);

// "2025-01-09T22:00:00Z"; with milliseconds when there are any.
std::string format_iso8601(TimeMs at);

}  // namespace tidemark
