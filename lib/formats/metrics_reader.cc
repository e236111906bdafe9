#include "formats/metrics_reader.h"

#include <charconv>

namespace tidemark::formats {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trim(std::string_view text) {
  const auto from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

bool is_name(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != ':') return false;
  }
  return true;
}

std::optional<double> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || got.ec != std::errc{} || got.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// "name{labels} value [timestamp]", trimmed. Label values may hold braces and quotes, what follows the block may not.
std::optional<MetricSample> sample(std::string_view line) {
  MetricSample made;
  auto end = line.find_first_of("{ \t");
  if (end == std::string_view::npos) return std::nullopt;
  made.name = line.substr(0, end);
  if (line[end] == '{') {
    const auto close = line.rfind('}');
    if (close == std::string_view::npos || close < end) return std::nullopt;
    made.labels = trim(line.substr(end + 1, close - end - 1));
    end = close + 1;
  }
  const auto values = trim(line.substr(end));
  const auto blank = values.find_first_of(kBlank);
  const auto value = number(values.substr(0, blank));
  const bool stamped = blank != std::string_view::npos;
  if (!is_name(made.name) || !value || (stamped && !number(trim(values.substr(blank))))) return std::nullopt;
  made.value = *value;
  return made;
}

}  // namespace

std::optional<MetricSample> MetricsReader::next() {
  while (!rest_.empty()) {
    const auto end = rest_.find('\n');
    const auto line = trim(rest_.substr(0, end));
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (auto made = sample(line)) return made;
    ++bad_lines_;
  }
  return std::nullopt;
}

std::optional<std::string_view> label_of(std::string_view labels, std::string_view name) {
  while (!labels.empty()) {
    const auto equals = labels.find("=\"");
    if (equals == std::string_view::npos) return std::nullopt;
    const auto from = equals + 2;
    std::size_t to = from;
    while (to < labels.size() && labels[to] != '"') to += labels[to] == '\\' ? 2U : 1U;
    if (to >= labels.size()) return std::nullopt;
    auto key = labels.substr(0, equals);
    const auto start = key.find_first_not_of(" \t,\"");
    if (start != std::string_view::npos && trim(key.substr(start)) == name) return labels.substr(from, to - from);
    labels.remove_prefix(to + 1);
  }
  return std::nullopt;
}

}  // namespace tidemark::formats
