#pragma once
// Private to this folder: RapidJSON's reader behind a statically bound sink, so that formats/shape.cc pays no virtual
// call an event. Included by .cc files only, it is slow to compile.
//
// Iterative parsing because the default recurses; MemoryStream and no SIMD flag because the fast paths read past the
// text.

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <limits>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/sax_reader.h"

namespace tidemark::formats {

// Gives RapidJSON's events to `Sink` (the events of SaxHandler) and caps the nesting.
template <class Sink>
class SaxBridge {
 public:
  explicit SaxBridge(Sink& sink) : sink_(sink) {}

  bool too_deep() const { return depth_ > kMaxJsonDepth; }

  // NOLINTBEGIN(readability-identifier-naming): RapidJSON's names
  bool Null() { return sink_.null(); }
  bool Bool(bool value) { return sink_.boolean(value); }
  bool Int(int value) { return sink_.integer(value); }
  bool Uint(unsigned value) { return sink_.integer(value); }
  bool Int64(std::int64_t value) { return sink_.integer(value); }
  bool Uint64(std::uint64_t value) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return value > kMost ? sink_.real(static_cast<double>(value)) : sink_.integer(static_cast<std::int64_t>(value));
  }
  bool Double(double value) { return sink_.real(value); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return false; }
  bool String(const char* text, rapidjson::SizeType size, bool) { return sink_.text({text, size}); }
  bool Key(const char* text, rapidjson::SizeType size, bool) { return sink_.key({text, size}); }
  bool StartObject() { return ++depth_ <= kMaxJsonDepth && sink_.start_object(); }
  bool EndObject(rapidjson::SizeType) { return --depth_, sink_.end_object(); }
  bool StartArray() { return ++depth_ <= kMaxJsonDepth && sink_.start_array(); }
  bool EndArray(rapidjson::SizeType) { return --depth_, sink_.end_array(); }
  // NOLINTEND(readability-identifier-naming)

 private:
  Sink& sink_;
  int depth_ = 0;
};

template <class Sink>
Result<void> parse_json(std::string_view document, std::string_view json, Sink& sink) {
  rapidjson::MemoryStream stream(json.data(), json.size());
  rapidjson::Reader reader;
  SaxBridge<Sink> bridge(sink);
  const auto done = reader.Parse < rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag > (stream, bridge);
  if (!done.IsError()) return {};
  const bool stopped = done.Code() == rapidjson::kParseErrorTermination;
  const bool ended = !stopped && stream.Tell() >= json.size();
  std::string what = rapidjson::GetParseError_En(done.Code());
  if (stopped) what = bridge.too_deep() ? "nested too deeply" : std::string(sink.complaint());
  if (ended) what = json.empty() ? "empty" : "the text ends early";
  return Error{ended ? Errc::kTruncated : Errc::kMalformed,
               std::string(document) + ": byte " + std::to_string(done.Offset()) + ": " + what};
}

}  // namespace tidemark::formats
