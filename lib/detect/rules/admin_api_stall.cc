// A broker that answers late or not at all. Its topics keep their verdicts; this says why they grow old, and that
// something is wrong with the broker itself, which clients may not notice yet.
#include <fmt/format.h>

#include <string>

#include "base/units.h"
#include "detect/rules/facts.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr std::int64_t kPolls = 3;  // in a row: one may be a pause of the broker's garbage collection, or of ours

std::string summary_of(const model::SlowCalls& calls) {
  if (calls.timeouts > 0)
    return fmt::format("{} call{} got no answer in time in this poll", calls.timeouts, calls.timeouts == 1 ? "" : "s");
  if (!calls.p90_ms || !calls.usual_ms) return "its calls were slow when they were made last";
  return fmt::format("nine in ten calls take up to {}, usually {}", format_duration(Duration{*calls.p90_ms}),
                     format_duration(Duration{*calls.usual_ms}));
}

}  // namespace

void admin_api_stall(const ClusterCase& c, Findings& out) {
  for (const auto& calls : c.verdicts.slow_calls) {
    if (calls.polls < kPolls) continue;
    auto finding = finding_of(model::Rule::kAdminApiStall, calls.broker);
    finding.since_ms = calls.since_ms;
    finding.summary = summary_of(calls);
    finding.evidence = {{"p90_ms", fact_of(calls.p90_ms)},
                        {"usual_p90_ms", fact_of(calls.usual_ms)},
                        {"timed_out", calls.timeouts},
                        {"polls", calls.polls}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
