#pragma once
// How fast one broker is asked: at most `rate` calls a second, slower as soon as it shows trouble or takes longer than
// it used to, and back to the rate in steps. Time is the caller's steady clock, in milliseconds.

#include <cstdint>
#include <random>

#include "base/time.h"

namespace tidemark::collect {

class BrokerPace {
 public:
  explicit BrokerPace(double calls_per_second, std::uint64_t seed);

  // Takes the next slot: when, at or after `now`, the next call may start.
  std::int64_t next_slot(std::int64_t now);

  // Status of an answer, 0 for none: 429, 412 and 5xx slow down, others recover.
  void answered(int status, Duration took);

  double slowdown() const { return slowdown_; }

  // So many calls in a row had no answer at all that one more is in vain.
  bool is_dead() const;

 private:
  double spacing_ms_;
  double slowdown_ = 1;
  int unanswered_ = 0;   // in a row
  double usual_ms_ = 0;  // moving average of good answers
  double next_ms_ = 0;
  std::minstd_rand random_;
};

}  // namespace tidemark::collect
