#pragma once
// A figure over a window of time, thinned out. The window is cut into slots of equal length, and of each slot the mean
// over time is kept, so that it weighs the same however often it was polled. Slots of one value are one run: a figure
// that does not change costs the same however long it stands.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "history/packing.h"

namespace tidemark::history {

struct Point {
  TimeMs at = 0;
  std::int64_t value = 0;

  bool operator==(const Point&) const = default;
};

class Series {
 public:
  static constexpr std::int64_t kSlots = 192;  // of one window

  // `value` from `at` until the next look, but no longer than a slot: what nobody looked at stays empty. Looks come in
  // the order of their times, others change nothing. Forgets what is older than `window`.
  void add(TimeMs at, std::int64_t value, Duration window);

  // One a slot that was seen, in their order; of the last one as far as it went.
  std::vector<Point> points() const;

  TimeMs last_ms() const { return last_.at; }  // of the newest look; 0 = none
  std::int64_t last_value() const { return last_.value; }
  // Nothing but one value was seen.
  bool is_flat() const;
  std::size_t bytes() const { return runs_.capacity() * sizeof(Run); }

  bool operator==(const Series&) const = default;

  // As a record of its own, for what is kept on disk. False: damaged, and the series is empty.
  void pack(std::string& out) const;
  bool unpack(std::string_view bytes);

 private:
  // Consecutive slots of one mean, by the middle of what was seen of the first and the last.
  struct Run {
    TimeMs first = 0;
    TimeMs last = 0;
    std::int64_t value = 0;

    bool operator==(const Run&) const = default;
  };

  template <class Archive>
  void fields(Archive& archive);

  void spread(TimeMs from, TimeMs to);
  void close();
  void forget(TimeMs before);
  Point open_point() const;

  std::int64_t slot_ms_ = 0;
  std::vector<Run> runs_;
  Point last_;

  // The slot that is not over: until when, what was seen of it, the mean of that and the middle.
  TimeMs slot_end_ = 0;
  std::int64_t seen_ms_ = 0;
  double mean_ = 0;
  double middle_ms_ = 0;  // before slot_end_
};

}  // namespace tidemark::history
