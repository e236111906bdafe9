#include "report/table_layout.h"

#include <algorithm>
#include <array>
#include <utility>

#include "report/visible_text.h"

namespace tidemark::report {
namespace {

constexpr std::string_view kGap = "  ";
constexpr std::size_t kInlineNames = 24;  // columns a name should have for one line to be worth it

std::string_view color_of(model::Severity severity) {
  constexpr std::array<std::string_view, 3> kColors{"\x1b[36m", "\x1b[33m", "\x1b[1;31m"};
  return kColors[static_cast<std::size_t>(severity)];
}

// What all rows need, in columns.
struct Widths {
  std::size_t head = 0;
  std::vector<std::size_t> names;
  std::vector<std::size_t> figures;
};

void widen(std::vector<std::size_t>& widths, const std::vector<std::string>& cells) {
  widths.resize(std::max(widths.size(), cells.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], columns(cells[i]));
}

Widths measure(const std::vector<TableRow>& rows) {
  Widths widths;
  for (const auto& row : rows) {
    widths.head = std::max(widths.head, columns(row.head));
    widen(widths.names, row.names);
    widen(widths.figures, row.figures);
  }
  return widths;
}

std::size_t sum_of(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const auto each : widths) sum += kGap.size() + each;
  return sum;
}

// Takes from the widest until all fit into `room`, gaps included.
void shrink(std::vector<std::size_t>& widths, std::size_t room) {
  while (!widths.empty() && sum_of(widths) > room) {
    auto& widest = *std::ranges::max_element(widths);
    if (widest <= 1) return;
    --widest;
  }
}

std::string names_line(const TableRow& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.names.size(); ++i) {
    line += kGap;
    line += pad_right(shorten(row.names[i], widths[i]), widths[i]);
  }
  return line;
}

std::string figures_line(const TableRow& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.figures.size(); ++i) {
    line += kGap;
    line += pad_left(row.figures[i], widths[i]);
  }
  return line;
}

// Cut to `width`, without spaces at the end, ended.
std::string finish(std::string line, std::size_t width) {
  line.erase(line.find_last_not_of(' ') + 1);
  return shorten(line, width) + "\n";
}

void escape(TableRow& row) {
  for (auto* cells : {&row.names, &row.figures}) {
    for (auto& cell : *cells) cell = visible(cell);
  }
  row.head = visible(row.head);
  row.note = visible(row.note);
}

std::string colored(std::string line, std::size_t head_bytes, model::Severity severity) {
  const auto end = std::min(line.size() - 1, head_bytes);
  line.insert(end, "\x1b[0m");
  return line.insert(0, color_of(severity));
}

}  // namespace

std::string lay_out(const TableShape& shape, std::vector<TableRow> rows, std::size_t width, bool color) {
  rows.insert(rows.begin(), TableRow{shape.head, model::Severity::kInfo, shape.names, shape.figures, {}});
  for (auto& row : rows) escape(row);
  auto widths = measure(rows);
  const auto fixed = widths.head + sum_of(widths.figures);
  const bool in_one_line =
      width == 0 || fixed + sum_of(widths.names) <= width || fixed + shape.names.size() * kInlineNames <= width;
  const auto taken = in_one_line ? fixed : widths.head;
  if (width > 0) shrink(widths.names, width > taken ? width - taken : 0);

  std::string text;
  const std::string indent(std::min(widths.head, std::size_t{4}), ' ');
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    auto line = pad_right(row.head, widths.head) + names_line(row, widths.names);
    const auto figures = figures_line(row, widths.figures);
    if (in_one_line) line += figures;
    line = finish(std::move(line), width);
    text += color && i > 0 ? colored(line, row.head.size(), row.severity) : line;
    if (!in_one_line && !row.figures.empty()) text += finish(indent + figures, width);
    if (!row.note.empty()) text += wrap(row.note, width, indent.size() + kGap.size());
  }
  return text;
}

std::string wrap(std::string_view visible_text, std::size_t width, std::size_t indent) {
  const std::string margin(indent, ' ');
  if (width == 0) return margin + std::string(visible_text) + "\n";
  const auto room = width > indent ? width - indent : 1;
  std::string text;
  std::string line;
  const auto end_line = [&] {
    text += finish(margin + line, width);
    line.clear();
  };
  while (!visible_text.empty()) {
    const auto length = visible_text.find(' ');
    const auto word = shorten(visible_text.substr(0, length), room);
    visible_text.remove_prefix(length == std::string_view::npos ? visible_text.size() : length + 1);
    if (!line.empty() && columns(line) + 1 + columns(word) > room) end_line();
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) end_line();
  return text;
}

}  // namespace tidemark::report
