#pragma once
// Reads a JSON text as a run of events, without a tree and without recursion. Decoders usually want formats/shape.h,
// which turns the events into members of a struct by a table; this is for the rest. RapidJSON stays behind it.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tidemark::formats {

// Objects and arrays in one another. Brokers need 8.
inline constexpr int kMaxJsonDepth = 64;

// Every event may return false to stop the reading with kMalformed. Views die with the call.
class SaxHandler {
 public:
  virtual ~SaxHandler() = default;
  virtual bool start_object() { return true; }
  virtual bool end_object() { return true; }
  virtual bool start_array() { return true; }
  virtual bool end_array() { return true; }
  virtual bool key(std::string_view) { return true; }
  virtual bool integer(std::int64_t) { return true; }
  virtual bool real(double) { return true; }  // also integers beyond 64 bits, NaN and infinities
  virtual bool text(std::string_view) { return true; }
  virtual bool boolean(bool) { return true; }
  virtual bool null() { return true; }
  // Why an event returned false, for the error's text.
  virtual std::string_view complaint() const { return "not what was expected here"; }
};

// Errors read "<document>: byte <offset>: <what>"; a text that just ends early is kTruncated.
Result<void> read_json(std::string_view document, std::string_view json, SaxHandler& handler);

// What stands between the quotes of a raw JSON string ("caf\u00e9" without them). kMalformed on a broken escape.
Result<std::string> unescape_json(std::string_view raw);

}  // namespace tidemark::formats
