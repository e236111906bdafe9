// A disk that is full of what nobody needs: it suspends compaction, and run after run of the garbage collection nothing
// comes back.
#include <fmt/format.h>

#include <string_view>

#include "detect/rules/dead_space.h"
#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr std::string_view kRemedy =
    R"(PUT /api/v1/bookie/gc with {"forceMajor":true,"forceMinor":true}; an empty body compacts nothing)";

}  // namespace

void reclaim_stuck(const ClusterCase& c, Findings& out) {
  for (const auto& garbage : c.verdicts.garbage) {
    const auto* bookie = bookie_named(c.snapshot, garbage.bookie);
    if (bookie == nullptr || !is_reclaim_stuck(*bookie, garbage, c.snapshot.at_ms)) continue;
    auto finding = garbage_finding(model::Rule::kReclaimStuck, *bookie, garbage);
    const auto suspended = is_suspended(*bookie);
    finding.summary =
        fmt::format("{} and nothing comes back: {}", dead_of(garbage),
                    suspended ? "its compaction is suspended"
                              : "a disk as full suspends compaction, and it does not tell whether it did");
    finding.evidence.emplace_back("remedy", kRemedy);
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
