#pragma once
// Verdicts for spreadsheets and scripts: RFC 4180, UTF-8, one row a cursor under a header whose columns never change
// their names or order (new ones come at the end). Positions are two columns of plain numbers, since "101:19" is a time
// of day to a spreadsheet. What nobody knows is an empty field.

#include <string>
#include <string_view>

#include "model/finding.h"

namespace tidemark::report {

// Both end in CRLF, as each row does.
std::string csv_header();
std::string csv_rows(const model::Verdicts& verdicts);

// A field of other people's text. Quoted where it must be. One that begins with = + - @ ' or a control character gets a
// ' in front, so that no spreadsheet runs it as a formula; whoever wants the exact text takes one leading ' off. NUL,
// which CSV readers choke on, and what is no UTF-8 become U+FFFD.
std::string csv_text(std::string_view text);

}  // namespace tidemark::report
