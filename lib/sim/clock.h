#pragma once
// The two clocks a simulation runs by: one that a test sets, and one that runs faster than the wall, for `demo`, where
// a year passes in minutes. Any thread may read them.

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

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

// `factor` virtual seconds pass in a second of the wall, from `start` on, which is when the clock was made.
class ScaledClock final : public Clock {
 public:
  ScaledClock(TimeMs start, double factor);

  TimeMs now() const override;
  double factor() const { return factor_; }

  // Between the two it stands still. Who follows this clock stops it while catching up: on a machine that is too slow
  // for the factor the days get longer, instead of a lag that grows with each step.
  void stop();
  void go_on();

  // How long the wall takes for a virtual length, and what to sleep for it.
  Duration on_the_wall(Duration virtual_length) const;

 private:
  TimeMs start_;
  double factor_;
  mutable std::mutex mutex_;
  std::chrono::steady_clock::time_point born_;  // later by the time that it stood
  std::optional<std::chrono::steady_clock::time_point> stopped_;
};

}  // namespace tidemark::sim
