// A bookie that is in no list of bookies, as it says itself or, where it answers nothing, another one.
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr int kUnregistered = -1;

}  // namespace

void bookie_unregistered(const ClusterCase& c, Findings& out) {
  for (const auto& bookie : c.snapshot.bookies) {
    if (bookie.status != kUnregistered) continue;
    auto finding = bookie_finding(model::Rule::kBookieUnregistered, bookie);
    finding.summary = bookie.reachable ? "runs, and is not registered: clients do not know it"
                                       : "answers nothing, and is not registered any more: it is gone, or cut off";
    finding.evidence = {{"answers", bookie.reachable}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
