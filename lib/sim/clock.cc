// The scaled clock counts on the steady clock, so that a step of the machine's own clock is no leap of virtual days.
#include "sim/clock.h"

namespace tidemark::sim {

ScaledClock::ScaledClock(TimeMs start, double factor)
    : start_(start), factor_(factor > 0 ? factor : 1), born_(std::chrono::steady_clock::now()) {}

TimeMs ScaledClock::now() const {
  const std::lock_guard lock(mutex_);
  const auto until = stopped_ ? *stopped_ : std::chrono::steady_clock::now();
  const std::chrono::duration<double, std::milli> passed = until - born_;
  return start_ + static_cast<TimeMs>(passed.count() * factor_);
}

void ScaledClock::stop() {
  const std::lock_guard lock(mutex_);
  if (!stopped_) stopped_ = std::chrono::steady_clock::now();
}

void ScaledClock::go_on() {
  const std::lock_guard lock(mutex_);
  if (stopped_) born_ += std::chrono::steady_clock::now() - *stopped_;
  stopped_.reset();
}

Duration ScaledClock::on_the_wall(Duration virtual_length) const {
  return Duration{static_cast<Duration::rep>(static_cast<double>(virtual_length.count()) / factor_)};
}

}  // namespace tidemark::sim
