#pragma once
// GET /metrics of a bookie: whether it takes writes, how full its ledger directories are, what its garbage collection
// and its read cache do. BookKeeper 4.14 to 4.18 agree on these names; the ones that look alike and never move
// (bookie_dir_*, bookie_writable_dirs) are left alone.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/snapshot.h"

namespace tidemark::bookie {

// Ledger directories of one bookie that are watched, the first it tells; more than any real one has disks.
inline constexpr std::size_t kMostDirs = 256;

struct Metrics {
  model::BookieView view;  // reachable; `name` is the caller's to fill
  std::int64_t bad_lines = 0;
  std::int64_t more_dirs = 0;           // than kMostDirs: left out
  std::vector<std::string> blank_dirs;  // ledger directories whose usage it prints as 0

  // Every usage is: started a moment ago, it has not looked at its disks yet.
  bool unchecked() const { return !blank_dirs.empty() && view.dir_usage_ratio.empty(); }
};

// kMalformed when nothing in the text is a bookie's metric: an error page, another process's port. The Error says what
// to do.
Result<Metrics> decode_metrics(std::string_view text);

}  // namespace tidemark::bookie
