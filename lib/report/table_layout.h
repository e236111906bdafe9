#pragma once
// Rows of names and figures fitted into a terminal. Wide enough, a row is one line; narrower, the names get a line of
// their own and the figures stand beneath. No line is wider than the terminal, and every cell is escaped here.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/vocabulary.h"

namespace tidemark::report {

struct TableRow {
  std::string head;  // state or rule
  model::Severity severity = model::Severity::kInfo;
  std::vector<std::string> names;    // may be shortened
  std::vector<std::string> figures;  // never
  std::string note;                  // below, wrapped
};

struct TableShape {
  std::string head;
  std::vector<std::string> names;
  std::vector<std::string> figures;
};

// `width` 0 = no limit.
std::string lay_out(const TableShape& shape, std::vector<TableRow> rows, std::size_t width, bool color);

// Lines of at most `width` columns, broken at spaces where that is possible; each with `indent` spaces in front.
std::string wrap(std::string_view visible_text, std::size_t width, std::size_t indent = 0);

}  // namespace tidemark::report
