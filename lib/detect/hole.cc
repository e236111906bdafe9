#include "detect/hole.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tidemark::detect {
namespace {

// Entries of all listed ledgers numbered in one row. The last ledger may not tell its size: nothing comes behind it.
class EntryRow {
 public:
  explicit EntryRow(const model::Ledgers& ledgers) {
    std::int64_t start = 0;
    for (const auto& ledger : ledgers.list()) {
      starts_.emplace_back(start, ledger.id);
      start += ledger.entries.value_or(0);
    }
  }

  // Of the entry at `position`; of one in a ledger that is gone, the last number before the next ledger.
  std::int64_t number_of(const model::Position& position) const {
    for (const auto& [start, id] : starts_) {
      if (id == position.ledger_id) return start + position.entry_id;
      if (id > position.ledger_id) return start - 1;
    }
    return starts_.empty() ? -1 : starts_.back().first - 1;
  }

  model::Position position_of(std::int64_t number) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), number,
                                       [](std::int64_t n, const auto& start) { return n < start.first; });
    if (next == starts_.begin()) return {};
    const auto& [start, id] = *std::prev(next);
    return {id, number - start};
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> starts_;  // first number, ledger
};

struct Run {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// Acknowledged runs behind `mark`, in order, those that touch joined.
std::vector<Run> runs_behind(const EntryRow& row, std::int64_t mark, const std::vector<model::AckRange>& acked) {
  std::vector<Run> runs;
  for (const auto& range : acked) {
    const Run run{std::max(row.number_of(range.after), mark) + 1, row.number_of(range.through)};
    if (run.last >= run.first) runs.push_back(run);
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  std::vector<Run> joined;
  for (const auto& run : runs) {
    if (!joined.empty() && run.first <= joined.back().last + 1) {
      joined.back().last = std::max(joined.back().last, run.last);
    } else {
      joined.push_back(run);
    }
  }
  return joined;
}

}  // namespace

std::optional<model::Hole> find_hole(const model::Ledgers& ledgers, const model::Position& mark_delete,
                                     const std::vector<model::AckRange>& acked) {
  if (acked.empty()) return std::nullopt;
  const EntryRow row(ledgers);
  const auto mark = row.number_of(mark_delete);
  model::Hole hole;
  auto reached = mark;
  for (const auto& run : runs_behind(row, mark, acked)) {
    const auto gap = run.first - reached - 1;
    if (gap > 0 && hole.holes++ == 0) {
      hole.first = row.position_of(reached + 1);
      hole.last = row.position_of(run.first - 1);
    }
    hole.entries += std::max<std::int64_t>(0, gap);
    hole.acked_entries_behind += run.last - run.first + 1;
    reached = run.last;
  }
  if (hole.holes == 0) return std::nullopt;
  return hole;
}

}  // namespace tidemark::detect
