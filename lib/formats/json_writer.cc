#include "formats/json_writer.h"

#include <rapidjson/writer.h>

#include <cmath>
#include <utility>

#include "formats/number_text.h"
#include "formats/utf8.h"

namespace tidemark::formats {
namespace {

// RapidJSON's output stream over a std::string.
struct StringSink {
  using Ch = char;
  std::string text;
  void Put(char c) { text.push_back(c); }
  void Flush() {}
};

}  // namespace

struct JsonWriter::Impl {
  StringSink sink;
  rapidjson::Writer<StringSink> writer{sink};

  // Calls `put` with `text`, or with its mended copy.
  template <class Put>
  static void with_valid(std::string_view text, Put put) {
    if (is_utf8(text)) {
      put(text);
    } else {
      put(std::string_view{valid_utf8(text)});
    }
  }
};

JsonWriter::JsonWriter() : impl_(std::make_unique<Impl>()) {}
JsonWriter::~JsonWriter() = default;
JsonWriter::JsonWriter(JsonWriter&&) noexcept = default;
JsonWriter& JsonWriter::operator=(JsonWriter&&) noexcept = default;

void JsonWriter::begin_object() { impl_->writer.StartObject(); }
void JsonWriter::end_object() { impl_->writer.EndObject(); }
void JsonWriter::begin_array() { impl_->writer.StartArray(); }
void JsonWriter::end_array() { impl_->writer.EndArray(); }

void JsonWriter::key(std::string_view name) {
  Impl::with_valid(name, [this](std::string_view text) {
    impl_->writer.Key(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  });
}

void JsonWriter::null() { impl_->writer.Null(); }

void JsonWriter::value(std::string_view text) {
  // RapidJSON refuses a null pointer, which an empty view may hold.
  if (text.empty()) text = "";
  Impl::with_valid(text, [this](std::string_view valid) {
    impl_->writer.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
  });
}

void JsonWriter::value(bool flag) { impl_->writer.Bool(flag); }
void JsonWriter::value(std::int64_t number) { impl_->writer.Int64(number); }

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) {
    null();
    return;
  }
  std::string text;
  append_number(text, number);
  impl_->writer.RawValue(text.data(), text.size(), rapidjson::kNumberType);
}

std::string JsonWriter::take() {
  auto text = std::exchange(impl_->sink.text, {});
  impl_->writer.Reset(impl_->sink);
  return text;
}

}  // namespace tidemark::formats
