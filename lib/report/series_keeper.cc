#include "report/series_keeper.h"

#include <algorithm>
#include <chrono>
#include <tuple>

#include "report/logical.h"

namespace tidemark::report {
namespace {

constexpr TimeMs kStayMs = Duration{std::chrono::hours{24}}.count();

using Verdict = model::CursorVerdict;

std::string key_of(const Verdict& verdict) { return verdict.topic.str() + '\0' + verdict.cursor.str(); }

// A verdict against it: `unknown` alone says nothing that a series could tell.
bool is_candidate(const Verdict& verdict) {
  return verdict.kind != model::CursorKind::kReader && model::word_of(counted_state(verdict)).is_finding;
}

// Sorts `cursors` so that the `count` largest by `weight` come first, and cuts the rest off. Equal ones by address,
// which is the order of the verdicts, so that the choice is the same at each poll.
template <class Weight>
void keep_largest(std::vector<const Verdict*>& cursors, std::size_t count, Weight weight) {
  if (cursors.size() <= count) return;
  const auto before = [&weight](const Verdict* a, const Verdict* b) {
    const auto wa = weight(*a);
    const auto wb = weight(*b);
    return wa == wb ? a < b : wa > wb;
  };
  std::nth_element(cursors.begin(), cursors.begin() + static_cast<std::ptrdiff_t>(count), cursors.end(), before);
  cursors.resize(count);
}

}  // namespace

SeriesKeeper::Selection SeriesKeeper::select(const model::Verdicts& verdicts, std::size_t max, TimeMs now) {
  std::vector<const Verdict*> worst;
  for (const auto& verdict : verdicts.cursors) {
    if (is_candidate(verdict)) worst.push_back(&verdict);
  }
  Selection selection;
  selection.suppressed = worst.size();
  keep_largest(worst, max, [](const Verdict& verdict) {
    return std::tuple{verdict.topic_reclaimable_bytes.value_or(-1), verdict.pinned_bytes.value_or(-1)};
  });
  for (const auto* verdict : worst) last_chosen_[key_of(*verdict)] = now;

  // Beside the worst: who was one of them lately, the latest first.
  std::vector<const Verdict*> kept;
  std::unordered_map<std::string, TimeMs> remembered;
  for (const auto& verdict : verdicts.cursors) {
    const auto found = last_chosen_.find(key_of(verdict));
    if (found == last_chosen_.end() || now - found->second >= kStayMs) continue;
    remembered.insert(*found);
    if (found->second != now) kept.push_back(&verdict);
  }
  last_chosen_ = std::move(remembered);
  keep_largest(kept, max, [this](const Verdict& verdict) { return last_chosen_.at(key_of(verdict)); });

  selection.cursors = std::move(worst);
  selection.cursors.insert(selection.cursors.end(), kept.begin(), kept.end());
  std::ranges::sort(selection.cursors);
  for (const auto* verdict : selection.cursors) {
    if (is_candidate(*verdict)) --selection.suppressed;
  }
  return selection;
}

}  // namespace tidemark::report
