#pragma once
// The two clocks a simulation runs by: one that a test sets, and one that runs faster than the wall, for `demo`, where
// a year passes in minutes. Any thread may read them.

#include <atomic>
#include <chrono>

#include "base/time.h"

namespace tidemark::sim {

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(TimeMs start) : now_(start) {}

  TimeMs now() const override { return now_.load(); }
  void set(TimeMs now) { now_.store(now); }
  void advance(Duration length) { now_.fetch_add(length.count()); }

 private:
  std::atomic<TimeMs> now_;
};

// `factor` virtual seconds pass in a second of the wall, from `start` on, which is when the clock was made, as far as
// the machine keeps up: what the simulation takes to catch up does not count, else it would fall behind for ever.
class ScaledClock final : public Clock {
 public:
  ScaledClock(TimeMs start, double factor);

  TimeMs now() const override;
  double factor() const { return factor_; }

  // Stood still for as long as that.
  void stood_still(std::chrono::steady_clock::duration length) { born_ += length.count(); }

  // How long the wall takes for a virtual length, and what to sleep for it.
  Duration on_the_wall(Duration virtual_length) const;

 private:
  TimeMs start_;
  double factor_;
  std::atomic<std::chrono::steady_clock::rep> born_;  // on the steady clock, less what it stood still
};

}  // namespace tidemark::sim
