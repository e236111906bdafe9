// A bookie that reads a batch ahead for every read, and has lost it again when the next read comes: the disk does many
// times what is asked of it, and consumers that catch up wait for it.
#include <fmt/format.h>

#include "detect/rules/rules.h"

namespace tidemark::detect::rules {
namespace {

constexpr Duration kLasts{10LL * 60000};
constexpr double kPercent = 100;

double per(std::int64_t count, std::int64_t of) {
  return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

}  // namespace

void read_cache_thrash(const ClusterCase& c, Findings& out) {
  for (const auto& use : c.verdicts.thrashing) {
    if (c.snapshot.at_ms - use.since_ms < kLasts.count()) continue;
    const auto misses_per_second = static_cast<double>(use.misses) / use.seconds;
    const auto batch = per(use.entries, use.fills);
    const auto used = per(use.hits, use.fills);
    auto finding = finding_of(model::Rule::kReadCacheThrash, use.bookie);
    finding.since_ms = use.since_ms;
    finding.summary = fmt::format(
        "{:.0f} reads a second miss its cache; each brings {:.0f} entries, of which {:.1f} are read before they are "
        "gone",
        misses_per_second, batch, used);
    finding.evidence = {{"hit_percent", kPercent * per(use.hits, use.hits + use.misses)},
                        {"misses_per_second", misses_per_second},
                        {"entries_per_fill", batch},
                        {"reads_per_fill", used},
                        {"used_percent", kPercent * per(use.hits, use.entries)}};
    out.push_back(std::move(finding));
  }
}

}  // namespace tidemark::detect::rules
