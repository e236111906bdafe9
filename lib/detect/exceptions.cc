#include "detect/exceptions.h"

#include <fmt/format.h>

namespace tidemark::detect {
namespace {

constexpr const char* kKeep = "tidemark.keep";
constexpr std::size_t kLongestReason = 200;  // of a property, which may hold anything

// The last day that counts, as it was configured.
std::string day_text(TimeMs end) { return format_iso8601(end - 1).substr(0, 10); }

}  // namespace

Result<Exceptions> Exceptions::compile(const std::vector<ExceptionPattern>& patterns) {
  Exceptions exceptions;
  for (const auto& [text, exception] : patterns) {
    auto pattern = CursorPattern::compile(text);
    if (!pattern) return pattern.error().at("exceptions");
    exceptions.patterns_.emplace_back(std::move(*pattern), exception);
  }
  return exceptions;
}

std::string Exceptions::kept_by(const Properties& subscription) {
  const auto keep = subscription.find(kKeep);
  if (keep == subscription.end() || keep->second == "false") return {};
  const bool says_why = !keep->second.empty() && keep->second != "true";
  return says_why ? keep->second.substr(0, kLongestReason) : fmt::format("property {}", kKeep);
}

std::optional<model::Exception> Exceptions::find(std::string kept_by, const Subject& subject, TimeMs now) const {
  if (!kept_by.empty()) return model::Exception{std::move(kept_by), std::nullopt};
  return find(subject, now);
}

std::optional<model::Exception> Exceptions::find(const Subject& subject, TimeMs now) const {
  for (const auto& [pattern, exception] : patterns_) {
    const bool ended = exception.until_ms && *exception.until_ms <= now;
    if (!ended && pattern.matches(subject)) return exception;
  }
  return std::nullopt;
}

std::vector<std::string> Exceptions::ended(TimeMs now) const {
  std::vector<std::string> lines;
  for (const auto& [pattern, exception] : patterns_) {
    if (!exception.until_ms || *exception.until_ms > now) continue;
    lines.push_back(fmt::format("the exception '{}' ended with {}: what it silenced speaks again (it was: {})",
                                pattern.text(), day_text(*exception.until_ms), exception.reason));
  }
  return lines;
}

void silence(model::Finding& finding, const model::Exception& exception) {
  finding.severity = model::Severity::kInfo;
  finding.summary += "; silenced";
  if (exception.until_ms) finding.summary += " until " + day_text(*exception.until_ms);
  finding.summary += ": " + exception.reason;
  finding.evidence.emplace_back("exception", exception.reason);
  if (exception.until_ms) finding.evidence.emplace_back("exception_until_ms", *exception.until_ms);
}

}  // namespace tidemark::detect
