// The scaled clock counts on the steady clock, so that a step of the machine's own clock is no leap of virtual days.
#include "sim/clock.h"

namespace tidemark::sim {

ScaledClock::ScaledClock(TimeMs start, double factor)
    : start_(start),
      factor_(factor > 0 ? factor : 1),
      born_(std::chrono::steady_clock::now().time_since_epoch().count()) {}

TimeMs ScaledClock::now() const {
  using Steady = std::chrono::steady_clock;
  const std::chrono::duration<double, std::milli> passed =
      Steady::now().time_since_epoch() - Steady::duration(born_.load());
  return start_ + static_cast<TimeMs>(passed.count() * factor_);
}

Duration ScaledClock::on_the_wall(Duration virtual_length) const {
  return Duration{static_cast<Duration::rep>(static_cast<double>(virtual_length.count()) / factor_)};
}

}  // namespace tidemark::sim
