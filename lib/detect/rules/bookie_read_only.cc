// A bookie that takes no writes, as it says itself, until it says otherwise: one that answers nothing has not
// recovered.
#include <fmt/format.h>

#include "detect/disks.h"
#include "detect/rules/facts.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr int kReadOnly = 0;
constexpr double kPercent = 100;

// Its disks are no reason any more.
bool is_stuck(const model::BookieView& bookie) {
  const auto usage = usage_of(bookie);
  return usage && *usage < usage_limit_of(bookie) && bookie.writable_dirs.value_or(0) > 0;
}

std::string summary_of(const model::BookieView& bookie) {
  const auto usage = usage_of(bookie);
  if (!usage) return "takes no writes; how full its disks are is not known";
  const auto percent = *usage * kPercent;
  if (!is_stuck(bookie)) return fmt::format("takes no writes, its fullest ledger disk is used to {:.1f} %", percent);
  return fmt::format("takes no writes although a ledger disk is writable and {:.1f} % is below its limit of {:.0f} %",
                     percent, usage_limit_of(bookie) * kPercent);
}

}  // namespace

void bookie_read_only(const ClusterCase& c, Findings& out) {
  for (const auto& bookie : c.snapshot.bookies) {
    if (bookie.status != kReadOnly) continue;
    auto finding = bookie_finding(model::Rule::kBookieReadOnly, bookie);
    finding.summary = summary_of(bookie);
    auto percent = usage_of(bookie);
    if (percent) *percent *= kPercent;
    std::optional<std::int64_t> writable;
    if (bookie.writable_dirs) writable = *bookie.writable_dirs;
    finding.evidence = {{"stuck", is_stuck(bookie)},
                        {"usage_percent", fact_of(percent)},
                        {"writable_dirs", fact_of(writable)},
                        {"threshold_percent", usage_limit_of(bookie) * kPercent},
                        {"answers", bookie.reachable}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
