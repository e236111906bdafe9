#include "detect/garbage.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "detect/kept_figure.h"

namespace tidemark::detect {
namespace {

constexpr double kMillion = 1e6;  // usage is kept in millionths

// Over all of its ledger directories; empty while none is known.
std::optional<std::int64_t> usage_of_all(const model::BookieView& bookie) {
  if (bookie.dir_usage_ratio.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& [dir, ratio] : bookie.dir_usage_ratio) sum += ratio;
  return std::llround(sum / static_cast<double>(bookie.dir_usage_ratio.size()) * kMillion);
}

class Look {
 public:
  Look(const model::BookieView& bookie, TimeMs now, Duration window, history::Figures& figures)
      : bookie_(bookie),
        now_(now),
        stored_(figures, "logs stored", bookie.name, now, window),
        reclaimed_(figures, "logs reclaimed", bookie.name, now, window),
        usage_(figures, "logs usage", bookie.name, now, window),
        since_(figures, "garbage since", bookie.name, now, window),
        reclaimed_then_(figures, "garbage reclaimed", bookie.name, now, window),
        runs_(figures, "garbage runs", bookie.name, now, window) {}

  std::optional<model::Garbage> take() {
    const auto& logs = bookie_.logs;
    if (!logs.reclaimed_bytes) return std::nullopt;
    const auto gone = reclaimed_.rise_to(*logs.reclaimed_bytes);
    const auto stored = stored_bytes(gone);
    stored_.put(stored);
    reclaimed_.put(*logs.reclaimed_bytes);
    if (const auto usage = usage_of_all(bookie_)) usage_.put(*usage);
    const bool much = bookie_.live_bytes && is_much(stored - *bookie_.live_bytes, stored);
    begin_anew(much, stored - bookie_.live_bytes.value_or(0));
    if (!much) return std::nullopt;
    return garbage(stored);
  }

 private:
  std::int64_t stored_bytes(std::int64_t gone) const {
    const auto live = bookie_.live_bytes.value_or(0);
    if (bookie_.logs.total_bytes) return std::max(live, *bookie_.logs.total_bytes);
    const auto before = stored_.before().value_or(0);
    auto stored = before - gone;
    const auto usage = usage_of_all(bookie_);
    // Some releases do not count all that they delete; the disk does.
    if (usage && usage_.before() && *usage < *usage_.before()) {
      const auto share = static_cast<double>(*usage) / static_cast<double>(*usage_.before());
      stored = std::min<std::int64_t>(stored, std::llround(static_cast<double>(before) * share));
    }
    return std::max({live, stored, std::int64_t{0}});
  }

  bool is_much(std::int64_t dead, std::int64_t stored) const {
    constexpr std::int64_t kLeast = 1LL << 30;
    const auto least = bookie_.capacity_bytes ? *bookie_.capacity_bytes / 20 : kLeast;
    return 2 * dead >= stored && dead >= least;
  }

  // The clock runs while much is dead and next to nothing of it goes: where others write, some log dies as a whole all
  // the time. A restart of the bookie sets it back.
  void begin_anew(bool much, std::int64_t dead) {
    constexpr std::int64_t kLittle = 10;  // one in so many
    const auto runs = bookie_.logs.collections.value_or(-1);
    const auto before = since_.before().value_or(0);
    const bool restarted = runs < runs_.before().value_or(-1);
    const bool moved = kLittle * reclaimed_then_.rise_to(*bookie_.logs.reclaimed_bytes) >= dead;
    since_ms_ = !much ? 0 : before == 0 || moved || restarted ? now_ : before;
    const bool goes_on = since_ms_ != 0 && since_ms_ == before;
    runs_at_ = goes_on ? runs_.before().value_or(runs) : runs;
    since_.put(since_ms_);
    runs_.put(runs_at_);
    reclaimed_then_.put(goes_on ? reclaimed_then_.before().value_or(*bookie_.logs.reclaimed_bytes)
                                : *bookie_.logs.reclaimed_bytes);
  }

  model::Garbage garbage(std::int64_t stored) const {
    model::Garbage made{bookie_.name, *bookie_.live_bytes, stored, since_ms_, {}};
    if (bookie_.logs.collections && runs_at_ >= 0) made.collections = *bookie_.logs.collections - runs_at_;
    return made;
  }

  const model::BookieView& bookie_;
  TimeMs now_;
  KeptFigure stored_;
  KeptFigure reclaimed_;
  KeptFigure usage_;
  KeptFigure since_;
  KeptFigure reclaimed_then_;
  KeptFigure runs_;
  TimeMs since_ms_ = 0;
  std::int64_t runs_at_ = -1;
};

}  // namespace

std::vector<model::Garbage> observe_garbage(const model::Snapshot& snapshot, const Limits& limits,
                                            history::Figures& figures) {
  std::vector<model::Garbage> found;
  for (const auto& bookie : snapshot.bookies) {
    if (auto garbage = Look(bookie, snapshot.at_ms, limits.disk_window, figures).take())
      found.push_back(std::move(*garbage));
  }
  return found;
}

}  // namespace tidemark::detect
