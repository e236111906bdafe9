#include "history/exported_answer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "formats/shape.h"

namespace tidemark::history {
namespace {

struct Row {
  std::map<std::string, std::string> labels;
  std::vector<std::string> value;  // [time, "value"]; the time is a number and left out
};

struct Answer {
  std::string status;
  std::string error;
  std::string type;
  std::vector<Row> rows;
};

const formats::Shape<Answer>& answer_shape() {
  static const auto row = [] {
    formats::Shape<Row> made;
    made.texts<&Row::labels>("metric").strings<&Row::value>("value");
    return made;
  }();
  static const auto data = [] {
    formats::Shape<Answer> made;
    made.value<&Answer::type>("resultType").list<&Answer::rows>("result", row);
    return made;
  }();
  static const auto answer = [] {
    formats::Shape<Answer> made;
    made.value<&Answer::status>("status").value<&Answer::error>("error").flat("data", data);
    return made;
  }();
  return answer;
}

std::string in_promql(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::optional<double> number(const Row& row) {
  if (row.value.size() != 1) return std::nullopt;
  const auto& text = row.value.front();
  double value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = bad == std::errc{} && end == text.data() + text.size();
  constexpr double kMost = 9e15;  // a double counts to there
  return whole && std::abs(value) < kMost ? std::optional(value) : std::nullopt;
}

TimeMs time_of(double seconds) { return std::llround(seconds * 1000); }

// What is left tells exporters and cursors apart, in all answers alike.
std::string key_of(std::map<std::string, std::string> labels) {
  labels.erase("__name__");
  labels.erase("bound");
  std::string key;
  for (const auto& [name, value] : labels) {
    for (const auto& text : {name, value}) key += std::to_string(text.size()) + ':' + text;
  }
  return key;
}

}  // namespace

std::array<std::string, 4> export_queries(std::string_view cluster, Duration lookback) {
  const auto of = "{pulsar_cluster=" + in_promql(cluster);
  const auto window = std::to_string(std::max<std::int64_t>(1, lookback.count() / 1000)) + "s";
  const auto last = [&](const std::string& name) { return "last_over_time(" + name + of + "}[" + window + "])"; };
  const std::string activity = "tidemark_cursor_last_activity_timestamp_seconds";
  // A function of an instant sees 5 minutes back, so that no sample is missed in steps of 5; finer where it matters.
  const auto times = "timestamp(" + activity + of + ",bound=\"latest\"})";
  const auto newest = [&](const std::string& range) { return "max_over_time(" + times + range + ")"; };
  const auto when = newest("[1h:15s]") + " or " + newest("[" + window + ":5m]");
  return {last(activity), when, last("tidemark_cursor_mark_delete_ledger_id"),
          last("tidemark_cursor_mark_delete_entry_id")};
}

Result<void> ExportedAnswers::take(ExportQuery query, std::string_view document, std::string_view json) {
  Answer answer;
  if (auto read = formats::read_shape(document, json, answer_shape(), answer); !read) return read;
  if (answer.status != "success" || answer.type != "vector") {
    return Error{Errc::kMalformed,
                 std::string(document) + ": " +
                     (answer.error.empty() ? "not an answer of Prometheus' query API" : answer.error)};
  }
  for (auto& row : answer.rows) {
    const auto value = number(row);
    const auto topic = row.labels.find("topic");
    const auto cursor = row.labels.find("subscription");
    if (!value || topic == row.labels.end() || cursor == row.labels.end()) continue;
    auto& part = parts_[key_of(row.labels)];
    part.topic = topic->second;
    part.cursor = cursor->second;
    const auto bound = row.labels.find("bound");
    if (bound != row.labels.end() && bound->second == "earliest") {
      part.earliest = value;
    } else {
      part.values[query] = *value;
    }
  }
  return {};
}

ExportedCursors ExportedAnswers::cursors(TimeMs now) const {
  ExportedCursors found;
  found.asked_ms = now;
  for (const auto& [key, part] : parts_) {
    if (part.values.size() != 4) continue;
    const auto value = [&](ExportQuery query) { return part.values.at(query); };
    Exported exported;
    exported.at = std::min(now, time_of(value(ExportQuery::kActivityTime)));
    exported.latest = std::min(exported.at, time_of(value(ExportQuery::kActivity)));
    if (part.earliest) exported.earliest = std::min(exported.latest, time_of(*part.earliest));
    exported.mark_delete = {std::llround(value(ExportQuery::kLedger)), std::llround(value(ExportQuery::kEntry))};
    found.topics[part.topic][part.cursor].push_back(exported);
  }
  const auto newer = [](const Exported& a, const Exported& b) { return a.at > b.at; };
  for (auto& [topic, cursors] : found.topics) {
    for (auto& [cursor, exporters] : cursors) std::stable_sort(exporters.begin(), exporters.end(), newer);
  }
  return found;
}

}  // namespace tidemark::history
