#include "report/nagios.h"

#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using model::Severity;

namespace {

model::Verdicts with(std::vector<Severity> severities) {
  model::Verdicts verdicts;
  for (const auto severity : severities) {
    model::Finding finding;
    finding.rule = "abandoned";
    finding.severity = severity;
    finding.subject = "persistent://t/n/x [s|1]";
    finding.summary = "why\nso";
    verdicts.findings.push_back(finding);
  }
  return verdicts;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

TEST_CASE("the status of a check") {
  struct Row {
    std::vector<Severity> findings;
    std::optional<Severity> least;
    bool partial_is_unknown;
    CheckStatus status;
  };
  const std::vector<Row> rows{
      {{}, Severity::kWarning, false, CheckStatus::kOk},
      {{}, Severity::kWarning, true, CheckStatus::kUnknown},
      {{Severity::kInfo}, Severity::kWarning, false, CheckStatus::kOk},
      {{Severity::kInfo}, Severity::kInfo, false, CheckStatus::kWarning},
      {{Severity::kWarning}, Severity::kWarning, false, CheckStatus::kWarning},
      {{Severity::kWarning}, Severity::kWarning, true, CheckStatus::kWarning},
      {{Severity::kWarning}, Severity::kCritical, false, CheckStatus::kOk},
      {{Severity::kCritical, Severity::kWarning}, Severity::kCritical, true, CheckStatus::kCritical},
      {{Severity::kCritical}, std::nullopt, false, CheckStatus::kOk},
  };
  for (const auto& row : rows) {
    CheckOptions options;
    options.least = row.least;
    options.partial_is_unknown = row.partial_is_unknown;
    CHECK(check_status(with(row.findings), options) == row.status);
  }
}

TEST_CASE("who saw nothing does not say that all is well") {
  model::Verdicts verdicts;
  CHECK(check_status(verdicts, {}) == CheckStatus::kOk);
  verdicts.coverage = {7, 0, 7};
  CHECK(check_status(verdicts, {}) == CheckStatus::kUnknown);
  verdicts.coverage = {7, 1, 6};
  CHECK(check_status(verdicts, {}) == CheckStatus::kOk);
}

TEST_CASE("one line, its performance data in base units") {
  const auto line = first_line(check_text(report_samples::verdicts(), {}));
  CHECK(line ==
        "TIDEMARK WARNING - 6 abandoned, 1 idle, 1 unused, 1 unknown of 9 subscriptions; of the brokers' own cursors 1 "
        "rewound; at least 10.8 kB pinned, 5.6 kB "
        "reclaimable; not known for 1 topic with leftovers. | 'unknown'=1;;;0 'rewound'=0;;;0 'delayed'=0;;;0 "
        "'abandoned'=6;;;0 'idle'=1;;;0 'unused'=1;;;0 "
        "'unacked_blocked'=0;;;0 'ack_hole'=0;;;0 'stalled'=0;;;0 'lagging'=0;;;0 'ok'=0;;;0 'pinned_bytes'=10810B;;;0 "
        "'reclaimable_bytes'=5600B;;;0 "
        "'findings_critical'=0;;;0 'findings_warning'=5;;;0 'findings_info'=5;;;0 'topics_unknown'=2;;;0");
  CHECK(first_line(check_text({}, {})).find("'pinned_bytes'=U;;;0") != std::string::npos);
}

TEST_CASE("details: bounded, escaped, worst first") {
  CheckOptions options;
  options.problems = {"broker-1:8080: timed | out"};
  const auto text = check_text(with({Severity::kCritical, Severity::kWarning, Severity::kInfo}), options);
  CHECK(text.substr(text.find('\n')) ==
        "\nnot whole: broker-1:8080: timed \\x7c out\n"
        "critical abandoned persistent://t/n/x [s\\x7c1]: why\\nso\n"
        "warning abandoned persistent://t/n/x [s\\x7c1]: why\\nso\n");
  CHECK(std::ranges::count(text, '|') == 1);
  auto many = with(std::vector<Severity>(1000, Severity::kWarning));
  for (auto& finding : many.findings) finding.subject = std::string(5000, 'x') + report_samples::hostile_name();
  const auto bounded = check_text(many, {});
  CHECK(bounded.size() <= 4096);
  CHECK(bounded.find("... and 9") != std::string::npos);
}

TEST_CASE("no verdicts") {
  CHECK(check_unknown("http://b:8080: refused\n| bad") == "TIDEMARK UNKNOWN - http://b:8080: refused\\n\\x7c bad\n");
}
