#include "report/shell_text.h"

#include "support/catch.h"

using namespace tidemark::report;

// That bash makes of these words what they stand for is shown by tests/daemon/plan_test.py, which runs whole scripts.

TEST_CASE("a name is one word of bash") {
  struct Row {
    std::string_view text;
    std::string_view word;
  };
  const std::vector<Row> rows{
      {"plain-name_1", "'plain-name_1'"},
      {"", "''"},
      {"two words", "'two words'"},
      {"it's", "'it'\\''s'"},
      {"$(touch x)`id`;&|<>", "'$(touch x)`id`;&|<>'"},
      {"back\\slash", "'back\\slash'"},
      {"two\nlines", "$'two\\nlines'"},
      {"\x1b[2J it's \\n", "$'\\x1b[2J it\\'s \\\\n'"},
      {"\xC3\xA9"
       "a",
       "$'\\xc3\\xa9a'"},
      {"\xE2\x80\xAE", "$'\\xe2\\x80\\xae'"},
      {"\x7F", "$'\\x7f'"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK(shell_word(row.text) == row.word);
  }
}

TEST_CASE("what can be no argument of a program") {
  CHECK(can_be_word("two\nlines"));
  CHECK(can_be_word("\xC3\xA9"));
  CHECK_FALSE(can_be_word(""));
  CHECK_FALSE(can_be_word(std::string_view("a\0b", 3)));
  CHECK_FALSE(can_be_word("bad\xFF"));
}

TEST_CASE("what pulsar-admin takes for a subscription's name") {
  // Seen on 4.0: `-s -f` is an option, `-s @/etc/hostname` what the file says, and `-s ..` deletes the topic. Tools
  // before 3.3 trim blanks and quotes.
  for (const auto* name :
       {"-f", "-dash", "@/etc/hostname", ".", "..", "", " blank", "blank ", "\nline", "\"quoted\""}) {
    INFO(name);
    CHECK_FALSE(pulsar_admin_takes(name));
  }
  for (const auto* name :
       {"a", "a-b", "a@b", "...", ".a", "two words", "\"a", "\"", "50%off", "a+b", "team/a", "\xC3\xA9"}) {
    INFO(name);
    CHECK(pulsar_admin_takes(name));
  }
}
