#include "formats/utf8.h"

#include "support/catch.h"

using namespace tidemark::formats;

TEST_CASE("garbage is replaced and valid text kept") {
  struct Row {
    std::string text;
    std::string mended;
  };
  const std::string mark = "\xEF\xBF\xBD";
  const std::vector<Row> rows{
      {"", ""},
      {"plain", "plain"},
      {std::string("a\0b", 3), std::string("a\0b", 3)},
      {"caf\xC3\xA9", "caf\xC3\xA9"},
      {"\xE6\xBD\xAE", "\xE6\xBD\xAE"},                 // three bytes
      {"\xF0\x9F\x8C\x8A", "\xF0\x9F\x8C\x8A"},         // four bytes
      {"a\xFFz", "a" + mark + "z"},                     // no sequence starts so
      {"\xC3", mark},                                   // cut short
      {"\xC3(", mark + "("},                            // not continued
      {"\xC0\xAF", mark + mark},                        // overlong
      {"\xE0\x80\x80", mark + mark + mark},             // overlong
      {"\xED\xA0\x80", mark + mark + mark},             // surrogate
      {"\xF4\x90\x80\x80", mark + mark + mark + mark},  // above U+10FFFF
      {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},         // U+10FFFF
      {"\x80tail \xC2\xB5", mark + "tail \xC2\xB5"},    // a lone continuation
  };
  for (const auto& row : rows) {
    INFO(row.mended);
    CHECK(valid_utf8(row.text) == row.mended);
    CHECK(is_utf8(row.text) == (row.text == row.mended));
    CHECK(is_utf8(valid_utf8(row.text)));
  }
}

TEST_CASE("every code point survives writing and reading") {
  for (char32_t value = 0; value <= 0x10FFFF; value += value < 0x3000 ? 1 : 97) {
    if (value >= 0xD800 && value <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, value);
    const auto point = first_code_point(text);
    if (point.value != value || !point.valid || point.bytes != text.size()) {
      FAIL("U+" << static_cast<unsigned>(value));
    }
  }
  CHECK(first_code_point("").bytes == 0);
}
