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
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.h"
#include "formats/sax_reader.h"

namespace tidemark::formats {

// RapidJSON builds each text in memory before it hands it over. This stream can leave one out, which then reads as an
// empty one.
class LeapingStream : public rapidjson::MemoryStream {
 public:
  using MemoryStream::MemoryStream;

  Ch Take() {  // NOLINT(readability-identifier-naming): RapidJSON's name
    const Ch taken = MemoryStream::Take();
    if (src_ == from_) src_ = to_;
    return taken;
  }

  // Right behind a key: leaves out its text and returns it. Empty, and nothing is left out, when the value is no text
  // or has escapes in it.
  std::optional<std::string_view> leap() {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::string_view rest(src_, static_cast<std::size_t>(end_ - src_));
    const auto colon = rest.find_first_not_of(kBlank);
    if (colon == std::string_view::npos || rest[colon] != ':') return std::nullopt;
    const auto open = rest.find_first_not_of(kBlank, colon + 1);
    if (open == std::string_view::npos || rest[open] != '"') return std::nullopt;
    const auto text = rest.substr(open + 1, rest.find('"', open + 1) - (open + 1));
    if (open + 1 + text.size() == rest.size() || text.find('\\') != std::string_view::npos) return std::nullopt;
    from_ = text.data();
    to_ = text.data() + text.size();
    return text;
  }

 private:
  const Ch* from_ = nullptr;
  const Ch* to_ = nullptr;
};

// Gives RapidJSON's events to `Sink` (the events of SaxHandler) and caps the nesting.
template <class Stream, class Sink>
class SaxBridge {
 public:
  SaxBridge(Stream& stream, Sink& sink) : stream_(stream), sink_(sink) {}

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
  bool String(const char* text, rapidjson::SizeType size, bool) {
    if constexpr (kLeaps) {
      if (std::exchange(told_, false)) return true;
    }
    return sink_.text({text, size});
  }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    if (!sink_.key({text, size})) return false;
    if constexpr (kLeaps) {
      const auto in_place = sink_.wants_text_in_place() ? stream_.leap() : std::nullopt;
      told_ = in_place.has_value();
      return !told_ || sink_.text(*in_place);
    }
    return true;
  }
  bool StartObject() { return ++depth_ <= kMaxJsonDepth && sink_.start_object(); }
  bool EndObject(rapidjson::SizeType) { return --depth_, sink_.end_object(); }
  bool StartArray() { return ++depth_ <= kMaxJsonDepth && sink_.start_array(); }
  bool EndArray(rapidjson::SizeType) { return --depth_, sink_.end_array(); }
  // NOLINTEND(readability-identifier-naming)

 private:
  static constexpr bool kLeaps = std::is_same_v<Stream, LeapingStream>;

  Stream& stream_;
  Sink& sink_;
  int depth_ = 0;
  bool told_ = false;  // the sink has the coming text already
};

template <class Stream = rapidjson::MemoryStream, class Sink>
Result<void> parse_json(std::string_view document, std::string_view json, Sink& sink) {
  Stream stream(json.data(), json.size());
  rapidjson::Reader reader;
  SaxBridge<Stream, Sink> bridge(stream, sink);
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
