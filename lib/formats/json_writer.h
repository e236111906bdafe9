#pragma once
// Writes compact JSON in the order it is called. What is asked of it always comes out valid: text that is no UTF-8 is
// mended, a number that JSON cannot say (NaN, infinity) is null. Integers are exact, doubles the shortest text that
// reads back equal, without ".0" when whole.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tidemark::formats {

class JsonWriter {
 public:
  JsonWriter();
  ~JsonWriter();
  JsonWriter(JsonWriter&&) noexcept;
  JsonWriter& operator=(JsonWriter&&) noexcept;

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);

  void null();
  void value(std::string_view text);
  void value(const std::string& text) { value(std::string_view{text}); }
  void value(const char* text) { value(std::string_view{text}); }
  void value(bool flag);
  void value(int number) { value(std::int64_t{number}); }
  void value(std::int64_t number);
  void value(double number);
  void value(std::nullptr_t) { null(); }

  // Empty = null.
  template <class T>
  void value(const std::optional<T>& maybe) {
    if (maybe) {
      value(*maybe);
    } else {
      null();
    }
  }

  template <class T>
  void member(std::string_view name, const T& its_value) {
    key(name);
    value(its_value);
  }

  // The text so far; the writer starts anew.
  std::string take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tidemark::formats
