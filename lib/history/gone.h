#pragma once
// Which of those that are gone stay remembered where they are too many. A stream of names that come and go, of which
// each had a finding, must not cost memory without end, nor the receipts of a clean-up.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "history/cursor_history.h"

namespace tidemark::history {

// For so long somebody who had a finding is told as removed.
inline constexpr Duration kShowRemoved{24LL * 3600000};

class Gone {
 public:
  // Who is less is forgotten first: of whom nothing is told any more, then who had a finding, then leftovers with a
  // receipt; each the longest gone first.
  struct Rank {
    enum class Worth : std::uint8_t { kNothing, kFinding, kReceipt };
    Worth worth = Worth::kNothing;
    TimeMs removed_ms = 0;

    auto operator<=>(const Rank&) const = default;
  };
  static Rank rank_of(const CursorHistory& removed, TimeMs now);
  // How much one of this name counts: long names are not for free.
  static std::size_t weight_of(std::string_view name) { return 1 + name.size() / 256; }

  // Once a poll for each that is gone. False: it is to be forgotten.
  bool stays(Rank rank, std::size_t weight);
  // From the next poll on there are `most` at most, and who went since. `crowded`: somebody who is there has no place;
  // then all but receipts give way, half of them a poll.
  void end_poll(std::size_t most, bool crowded);

  // How many were forgotten since the last call.
  std::size_t take_forgotten() { return std::exchange(forgotten_, 0); }

 private:
  // The last that goes, and how much of its equals.
  struct Cut {
    Rank rank;
    std::size_t weight = 0;
  };

  using Weighed = std::pair<Rank, std::size_t>;
  std::vector<Weighed> stayed_;  // in this poll
  std::size_t weight_ = 0;       // of them
  std::optional<Cut> cut_;
  std::size_t forgotten_ = 0;
};

}  // namespace tidemark::history
