#pragma once
// Other people's names made safe to look at. A subscription may be called "\x1b[2J", hold a right-to-left override or a
// script tag: on a terminal and on a page it must show as text and take the room that was counted for it.

#include <cstddef>
#include <string>
#include <string_view>

namespace tidemark::report {

// Control, bidirectional and invisible characters as \n, \t, \x1b, \u202e; backslash stays as it is. Valid UTF-8.
std::string visible(std::string_view text);

// visible() and then HTML-escaped, for text and quoted attributes.
std::string html(std::string_view text);

// Columns on a terminal: 2 for wide (East Asian, emoji), 0 for combining characters.
std::size_t columns(std::string_view visible_text);

// At most `width` columns: the middle goes, since names differ at their ends. `width` 0 = no limit.
std::string shorten(std::string_view visible_text, std::size_t width);

// Padded with spaces to `width`; never cut.
std::string pad_right(std::string_view visible_text, std::size_t width);
std::string pad_left(std::string_view visible_text, std::size_t width);

}  // namespace tidemark::report
