#include "report/csv.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "formats/utf8.h"
#include "report/summaries.h"

namespace tidemark::report {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

constexpr std::array<std::string_view, 36> kColumns{"at_ms",
                                                    "topic",
                                                    "cursor",
                                                    "kind",
                                                    "state",
                                                    "last_state",
                                                    "state_since_ms",
                                                    "severity",
                                                    "drain",
                                                    "origin",
                                                    "group",
                                                    "owner",
                                                    "since_ms",
                                                    "created_ms",
                                                    "age_low_seconds",
                                                    "age_high_seconds",
                                                    "evidence",
                                                    "mark_delete_ledger_id",
                                                    "mark_delete_entry_id",
                                                    "last_confirmed_ledger_id",
                                                    "last_confirmed_entry_id",
                                                    "consumers",
                                                    "backlog_entries",
                                                    "pinned_entries",
                                                    "pinned_bytes",
                                                    "reclaimable_bytes",
                                                    "topic_reclaimable_bytes",
                                                    "reclaimable_shared_with_count",
                                                    "hole_first_ledger_id",
                                                    "hole_first_entry_id",
                                                    "hole_entries",
                                                    "hole_holder",
                                                    "stale",
                                                    "summary",
                                                    "exception",
                                                    "exception_until_ms"};

// One line; the commas come between.
class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}

  Row& word(std::string_view ours) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += ours;
    return *this;
  }
  Row& text(std::string_view theirs) { return word(csv_text(theirs)); }
  Row& maybe_text(const std::optional<std::string>& theirs) { return text(theirs ? std::string_view{*theirs} : ""); }
  template <class Number>
  Row& number(const std::optional<Number>& figure) {
    return word(figure ? fmt::format("{}", *figure) : "");
  }
  Row& seconds(const std::optional<std::int64_t>& ms) {
    return word(ms ? fmt::format("{}", static_cast<double>(*ms) / 1000) : "");
  }
  Row& position(const std::optional<model::Position>& at) {
    return number(at ? std::optional(at->ledger_id) : std::nullopt)
        .number(at ? std::optional(at->entry_id) : std::nullopt);
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void write_row(std::string& out, TimeMs at, const model::CursorVerdict& cursor, std::string_view summary) {
  const auto& hole = cursor.hole;
  Row row(out);
  row.number(std::optional(at)).text(cursor.topic).text(cursor.cursor).word(model::name_of(cursor.kind));
  row.word(model::name_of(cursor.state)).word(cursor.last_state ? model::name_of(*cursor.last_state) : "");
  row.number(cursor.state_since_ms.get()).word(model::name_of(cursor.severity)).word(model::name_of(cursor.drain));
  row.word(model::name_of(cursor.origin))
      .text(cursor.group.empty() ? cursor.cursor.view() : cursor.group)
      .maybe_text(cursor.owner.get());
  row.number(cursor.since_ms.get())
      .number(cursor.created_ms.get())
      .seconds(cursor.age_low_ms)
      .seconds(cursor.age_high_ms);
  row.word(model::name_of(cursor.evidence_kind)).position(cursor.mark_delete).position(cursor.last_confirmed);
  row.number(cursor.consumers).number(cursor.backlog_entries.get()).number(cursor.pinned_entries.get());
  row.number(cursor.pinned_bytes.get())
      .number(cursor.reclaimable_bytes.get())
      .number(cursor.topic_reclaimable_bytes.get());
  row.number(std::optional(cursor.tie ? cursor.tie->count - 1 : 0));
  row.position(hole ? std::optional(hole->first) : std::nullopt);
  row.number(hole ? std::optional(hole->entries) : std::nullopt).maybe_text(hole ? hole->holder : std::nullopt);
  row.word(cursor.stale ? "true" : "false").text(summary);
  row.text(cursor.exception ? cursor.exception->reason : std::string_view{});
  row.number(cursor.exception ? cursor.exception->until_ms : std::nullopt);
  out += kLineEnd;
}

bool could_be_formula(char first) {
  return first == '=' || first == '+' || first == '-' || first == '@' || first == '\'' ||
         static_cast<unsigned char>(first) < 0x20;
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string field;
  for (const char c : formats::valid_utf8(text)) {
    if (c == '\0') {
      field += "\xEF\xBF\xBD";
    } else {
      field.append(c == '"' ? 2 : 1, c);
    }
  }
  if (!field.empty() && could_be_formula(text.front())) field.insert(0, 1, '\'');
  const bool quoted = field.find_first_of(",\"\r\n") != std::string::npos ||
                      (!field.empty() && (field.front() == ' ' || field.back() == ' '));
  return quoted ? '"' + field + '"' : field;
}

std::string csv_header() {
  std::string line;
  Row row(line);
  for (const auto column : kColumns) row.word(column);
  return line.append(kLineEnd);
}

std::string csv_rows(const model::Verdicts& verdicts) {
  const auto summaries = state_summaries(verdicts);
  std::string out;
  for (const auto& cursor : verdicts.cursors) {
    const auto summary = summaries.find({cursor.topic, cursor.cursor});
    write_row(out, verdicts.at_ms, cursor, summary == summaries.end() ? std::string_view{} : summary->second);
  }
  return out;
}

}  // namespace tidemark::report
