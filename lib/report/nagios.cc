#include "report/nagios.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/overview.h"
#include "report/overview_text.h"
#include "report/visible_text.h"

namespace tidemark::report {
namespace {

// What agents pass on differs; 4 KB is what the oldest of them do.
constexpr std::size_t kLineColumns = 200;
constexpr std::size_t kDetailLines = 20;
constexpr std::size_t kMaxBytes = 4096;

std::string_view word_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::kOk:
      return "OK";
    case CheckStatus::kWarning:
      return "WARNING";
    case CheckStatus::kCritical:
      return "CRITICAL";
    case CheckStatus::kUnknown:
      break;
  }
  return "UNKNOWN";
}

// On one line, without the bar.
std::string safe(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '|') {
      out += "\\x7c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string figure(std::optional<std::int64_t> value, std::string_view unit) {
  return value ? fmt::format("{}{}", *value, unit) : "U";
}

std::int64_t count_of(const model::Verdicts& verdicts, model::Severity severity) {
  return std::ranges::count(verdicts.findings, severity, &model::Finding::severity);
}

// Every label is always there: a series that comes and goes cannot be graphed.
std::string performance_data(const model::Verdicts& verdicts, const Overview& overview) {
  std::map<model::State, std::size_t> counts(overview.counts.begin(), overview.counts.end());
  std::string text;
  const auto add = [&text](std::string_view label, const std::string& value) {
    text += fmt::format("{}'{}'={};;;0", text.empty() ? "" : " ", label, value);
  };
  for (const auto& word : model::kStates) add(word.name, std::to_string(counts[word.state]));
  add("pinned_bytes", figure(overview.pinned_bytes, "B"));
  add("reclaimable_bytes", figure(overview.reclaimable_bytes, "B"));
  add("findings_critical", std::to_string(count_of(verdicts, model::Severity::kCritical)));
  add("findings_warning", std::to_string(count_of(verdicts, model::Severity::kWarning)));
  add("findings_info", std::to_string(count_of(verdicts, model::Severity::kInfo)));
  add("topics_unknown", std::to_string(verdicts.coverage.unknown));
  return text;
}

// What counts against the status, in the order of the verdicts: worst first.
std::vector<const model::Finding*> raised(const model::Verdicts& verdicts, const CheckOptions& options) {
  std::vector<const model::Finding*> findings;
  for (const auto& finding : verdicts.findings) {
    if (options.least && finding.severity >= *options.least) findings.push_back(&finding);
  }
  return findings;
}

std::vector<std::string> detail_lines(const model::Verdicts& verdicts, const CheckOptions& options) {
  std::vector<std::string> lines;
  for (const auto& problem : options.problems) lines.push_back("not whole: " + problem);
  for (const auto* finding : raised(verdicts, options)) {
    lines.push_back(fmt::format("{} {} {}: {}", model::name_of(finding->severity), finding->rule, finding->subject,
                                finding->summary));
  }
  return lines;
}

}  // namespace

CheckStatus check_status(const model::Verdicts& verdicts, const CheckOptions& options) {
  const auto findings = raised(verdicts, options);
  const bool critical = std::ranges::any_of(
      findings, [](const auto* finding) { return finding->severity == model::Severity::kCritical; });
  if (critical) return CheckStatus::kCritical;
  if (!findings.empty()) return CheckStatus::kWarning;
  const bool blind = verdicts.coverage.listed > 0 && verdicts.coverage.evaluated == 0;
  return blind || options.partial_is_unknown ? CheckStatus::kUnknown : CheckStatus::kOk;
}

std::string check_text(const model::Verdicts& verdicts, const CheckOptions& options) {
  const auto overview = overview_of(verdicts);
  auto text = fmt::format("TIDEMARK {} - {} | {}\n", word_of(check_status(verdicts, options)),
                          safe(summary_text(overview)), performance_data(verdicts, overview));
  const auto lines = detail_lines(verdicts, options);
  std::size_t shown = 0;
  for (; shown < std::min(lines.size(), kDetailLines); ++shown) {
    const auto line = shorten(safe(lines[shown]), kLineColumns) + "\n";
    constexpr std::size_t kRoomForTheRest = 64;
    if (text.size() + line.size() + kRoomForTheRest > kMaxBytes) break;
    text += line;
  }
  if (shown < lines.size()) text += fmt::format("... and {} more\n", lines.size() - shown);
  return text;
}

std::string check_unknown(std::string_view why) {
  return fmt::format("TIDEMARK {} - {}\n", word_of(CheckStatus::kUnknown), safe(why));
}

}  // namespace tidemark::report
