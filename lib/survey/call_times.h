#pragma once
// How long one broker took for our calls for single documents, over the last minutes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "base/time.h"

namespace tidemark::survey {

class CallTimes {
 public:
  void begin_poll(TimeMs now) {
    timeouts_ = 0;
    while (!calls_.empty() && now - calls_.front().at >= kWindow.count()) calls_.pop_front();
  }

  // `at`: start of the poll.
  void add(TimeMs at, Duration took) {
    if (calls_.size() == kMost) calls_.pop_front();
    calls_.push_back({at, took.count()});
  }
  void add_timeout() { ++timeouts_; }

  // What nine in ten took at most, in milliseconds; empty for a few.
  std::optional<std::int64_t> p90() const {
    if (calls_.size() < kLeast) return std::nullopt;
    std::vector<std::int64_t> took;
    took.reserve(calls_.size());
    for (const auto& call : calls_) took.push_back(call.took_ms);
    const auto at = took.begin() + static_cast<std::ptrdiff_t>((took.size() * 9 + 9) / 10 - 1);
    std::nth_element(took.begin(), at, took.end());
    return *at;
  }
  std::int64_t timeouts() const { return timeouts_; }  // in this poll

 private:
  static constexpr Duration kWindow{5LL * 60000};
  static constexpr std::size_t kLeast = 5;
  static constexpr std::size_t kMost = 4096;

  struct Call {
    TimeMs at;
    std::int64_t took_ms;
  };

  std::int64_t timeouts_ = 0;
  std::deque<Call> calls_;
};

}  // namespace tidemark::survey
