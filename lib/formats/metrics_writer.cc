#include "formats/metrics_writer.h"

#include <cmath>

#include "formats/number_text.h"
#include "formats/utf8.h"

namespace tidemark::formats {
namespace {

// In a label value backslash, quote and newline are escaped; in a help text the quote stands for itself.
void append_escaped(std::string& out, std::string_view text, bool quote) {
  const std::string mended = is_utf8(text) ? std::string{} : valid_utf8(text);
  if (!mended.empty()) text = mended;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quote) {
      out += "\\\"";
    } else {
      out += c;
    }
  }
}

}  // namespace

LabelSet::LabelSet(std::initializer_list<Label> labels) {
  for (const auto& label : labels) add(label.name, label.value);
}

LabelSet LabelSet::with(std::string_view name, std::string_view value) const {
  LabelSet more = *this;
  more.add(name, value);
  return more;
}

void LabelSet::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_ += ',';
  text_ += name;
  text_ += "=\"";
  append_escaped(text_, value, true);
  text_ += '"';
}

void MetricsWriter::family(std::string_view name, MetricKind kind, std::string_view help) {
  name_ = name;
  help_ = help;
  kind_ = kind;
  announced_ = false;
}

void MetricsWriter::begin_sample(const LabelSet& labels) {
  if (!announced_) {
    announced_ = true;
    out_ += "# HELP ";
    out_ += name_;
    out_ += ' ';
    append_escaped(out_, help_, false);
    out_ += "\n# TYPE ";
    out_ += name_;
    out_ += kind_ == MetricKind::kCounter ? " counter\n" : " gauge\n";
  }
  out_ += name_;
  if (!labels.text().empty()) {
    out_ += '{';
    out_ += labels.text();
    out_ += '}';
  }
  out_ += ' ';
}

void MetricsWriter::sample(const LabelSet& labels, std::int64_t value) {
  begin_sample(labels);
  append_number(out_, value);
  out_ += '\n';
}

void MetricsWriter::sample(const LabelSet& labels, double value) {
  begin_sample(labels);
  if (std::isnan(value)) {
    out_ += "NaN";
  } else if (std::isinf(value)) {
    out_ += value > 0 ? "+Inf" : "-Inf";
  } else {
    append_number(out_, value);
  }
  out_ += '\n';
}

}  // namespace tidemark::formats
