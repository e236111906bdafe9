#pragma once
// One figure of one place over time, where its last value and its present one are all that counts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "history/figures.h"

namespace tidemark::detect {

class KeptFigure {
 public:
  // `what` tells it from the other figures of `place`.
  KeptFigure(history::Figures& figures, std::string_view what, std::string_view place, TimeMs now, Duration window)
      : figures_(figures), name_(std::string(what) + " " + std::string(place)), now_(now), window_(window) {
    const auto* series = figures_.find(name_);
    if (series == nullptr) return;
    before_ = series->last_value();
    before_ms_ = series->last_ms();
  }

  // Of the look before this one; empty at the first.
  std::optional<std::int64_t> before() const { return before_; }
  TimeMs before_ms() const { return before_ms_; }

  void put(std::int64_t value) { figures_.add(name_, now_, value, window_); }

  // Of a counter since the look before; one that fell began anew.
  std::int64_t rise_to(std::int64_t value) const {
    if (!before_) return 0;
    return value >= *before_ ? value - *before_ : value;
  }

 private:
  history::Figures& figures_;
  std::string name_;
  TimeMs now_;
  Duration window_;
  std::optional<std::int64_t> before_;
  TimeMs before_ms_ = 0;
};

}  // namespace tidemark::detect
