#pragma once
// JSON as Pulsar's brokers spell it, which the general writer does not: a double keeps its ".0", and the bulk
// statistics (written by hand in the broker) cut doubles to three decimals and escape everything outside ASCII, while
// all other documents come from Jackson.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark::sim {

enum class JavaStyle { kJackson, kBulk };

class JavaJson {
 public:
  explicit JavaJson(JavaStyle style = JavaStyle::kJackson) : style_(style) {}

  void begin_object();
  void end_object();
  void begin_array();
  void end_array();
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const std::string& text) { value(std::string_view{text}); }
  void value(const char* text) { value(std::string_view{text}); }
  void value(bool flag);
  void value(int number) { value(std::int64_t{number}); }
  void value(std::int64_t number);
  void value(double number);

  template <class T>
  void member(std::string_view name, const T& its_value) {
    key(name);
    value(its_value);
  }
  void empty_object(std::string_view name);
  void empty_array(std::string_view name);

  std::string take() { return std::move(text_); }

 private:
  void separate();
  void quote(std::string_view text);

  JavaStyle style_;
  std::string text_;
  bool fresh_ = true;  // nothing before the next value in this object or array
};

}  // namespace tidemark::sim
