#include "report/visible_text.h"

#include "support/catch.h"

using namespace tidemark::report;

namespace {
const std::string kTide = "\xE6\xBD\xAE";  // one character, two columns
}

TEST_CASE("nothing reaches the terminal but text") {
  struct Row {
    std::string name;
    std::string shown;
  };
  const std::vector<Row> rows{
      {"plain-name_1.x", "plain-name_1.x"},
      {"a\nb\rc\td", "a\\nb\\rc\\td"},
      {"\x1b[2J\x07", "\\x1b[2J\\x07"},
      {std::string("nul\0", 4), "nul\\x00"},
      {"del\x7f", "del\\x7f"},
      {"c1 \xC2\x9B"
       "31m",
       "c1 \\u009b31m"},
      {"\xE2\x80\xAE"
       "gpj.exe",
       "\\u202egpj.exe"},  // right-to-left override
      {"a\xE2\x80\x8B"
       "b",
       "a\\u200bb"},                       // zero width space
      {"\xEF\xBB\xBFx", "\\ufeffx"},       // byte order mark
      {"\xF3\xA0\x81\x81x", "\\ue0041x"},  // tag character
      {"caf\xC3\xA9 " + kTide, "caf\xC3\xA9 " + kTide},
      {"\xFF", "\xEF\xBF\xBD"},
      {"back\\slash", "back\\slash"},
  };
  for (const auto& row : rows) CHECK(visible(row.name) == row.shown);
}

TEST_CASE("HTML") {
  CHECK(html("<script>alert('x' & \"y\")</script>") ==
        "&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;");
  CHECK(html("a\nb") == "a\\nb");
}

TEST_CASE("columns") {
  CHECK(columns("") == 0);
  CHECK(columns("abc") == 3);
  CHECK(columns("caf\xC3\xA9") == 4);
  CHECK(columns("cafe\xCC\x81") == 4);  // combining accent
  CHECK(columns(kTide + kTide) == 4);
  CHECK(columns("\xF0\x9F\x8C\x8A") == 2);
}

TEST_CASE("names are shortened in the middle") {
  CHECK(shorten("abcdefghijklmnop", 0) == "abcdefghijklmnop");
  CHECK(shorten("abcdefghijklmnop", 16) == "abcdefghijklmnop");
  CHECK(shorten("abcdefghijklmnop", 10) == "abcd..mnop");
  CHECK(shorten("abcdefghijklmnop", 4) == "abop");
  CHECK(shorten("abcdefghijklmnop", 1) == "a");
  std::string wide;
  for (int i = 0; i < 12; ++i) wide += kTide + "e\xCC\x81";
  for (std::size_t width = 1; width < 40; ++width) {
    INFO(width);
    CHECK(columns(shorten(wide, width)) <= width);
  }
}

TEST_CASE("padding counts columns, not bytes") {
  CHECK(pad_right(kTide, 4) == kTide + "  ");
  CHECK(pad_left(kTide, 4) == "  " + kTide);
  CHECK(pad_right("long", 2) == "long");
}
