#pragma once
// A few looks at a figure, thinned out so that one of them always lies a whole window back. With it "does not shrink
// across the window" and "more than at its start" are answered without keeping every poll.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/time.h"

namespace tidemark::history {

struct Look {
  TimeMs at = 0;
  std::int64_t value = 0;
  std::int64_t counter = 0;  // of the topic at the same time, where a rate is wanted

  bool operator==(const Look&) const = default;
};

class Trail {
 public:
  // Looks must come in the order of their times; those closer together than half of `window` are left out.
  void add(const Look& look, Duration window);
  void clear() { count_ = 0; }

  // The newest look at `at` or before.
  std::optional<Look> before(TimeMs at) const;
  std::optional<Look> newest() const;
  std::optional<Look> oldest() const;

  bool operator==(const Trail& other) const {
    return count_ == other.count_ && std::equal(looks_.begin(), looks_.begin() + count_, other.looks_.begin());
  }

  template <class Archive>
  void fields(Archive& archive) {
    archive.list(looks_, count_, [](Archive& each, Look& look, const Look& before) {
      each.next_time(look.at);
      each.next_to(look.value, before.value);
      each.next_to(look.counter, before.counter);
    });
  }

 private:
  static constexpr std::size_t kLooks = 3;  // one in each half of the window and one behind it
  std::array<Look, kLooks> looks_{};
  std::size_t count_ = 0;  // filled places, oldest first
};

}  // namespace tidemark::history
