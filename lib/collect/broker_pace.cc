#include "collect/broker_pace.h"

#include <algorithm>

namespace tidemark::collect {
namespace {

constexpr double kMostSlowdown = 64;
constexpr double kRecovery = 0.7;      // each good answer takes this share of the slowdown
constexpr double kMuchSlower = 4;      // times the usual latency
constexpr double kNoticeableMs = 250;  // below it latency is nobody's trouble
constexpr double kJitter = 0.2;
constexpr int kMostUnanswered = 5;

bool is_trouble(int status) { return status == 0 || status == 429 || status == 412 || status >= 500; }

}  // namespace

BrokerPace::BrokerPace(double calls_per_second, std::uint64_t seed)
    : spacing_ms_(calls_per_second > 0 ? 1000 / calls_per_second : 0), random_(static_cast<std::uint32_t>(seed)) {}

std::int64_t BrokerPace::next_slot(std::int64_t now) {
  const auto at = std::max(next_ms_, static_cast<double>(now));
  std::uniform_real_distribution<double> jitter(1 - kJitter, 1 + kJitter);
  // Without a rate there is still a pause once the broker is in trouble.
  const auto pause = slowdown_ > 1 ? std::max(spacing_ms_, 10.0) * slowdown_ : spacing_ms_;
  next_ms_ = at + pause * jitter(random_);
  return static_cast<std::int64_t>(at);
}

bool BrokerPace::is_dead() const { return unanswered_ >= kMostUnanswered; }

void BrokerPace::answered(int status, Duration took) {
  unanswered_ = status == 0 ? unanswered_ + 1 : 0;
  const auto ms = static_cast<double>(took.count());
  const bool slow = usual_ms_ > 0 && ms > kNoticeableMs && ms > kMuchSlower * usual_ms_;
  if (is_trouble(status) || slow) {
    slowdown_ = std::min(kMostSlowdown, slowdown_ * 2);
    return;
  }
  usual_ms_ = usual_ms_ == 0 ? ms : 0.9 * usual_ms_ + 0.1 * ms;
  slowdown_ = std::max(1.0, slowdown_ * kRecovery);
}

}  // namespace tidemark::collect
