#pragma once
// Storage of one topic that grows by more than was published to it.

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "model/snapshot.h"

namespace tidemark::history {

class Growth {
 public:
  // Older or repeated documents change nothing. Whatever ends within `window` is none.
  void observe(const model::TopicView& topic, Duration window);

  // Since `since_ms` the storage grew by the one, and the other was published.
  struct Unexplained {
    TimeMs since_ms = 0;
    std::int64_t grown_bytes = 0;
    std::int64_t published_bytes = 0;
  };
  // Empty unless it went on for `window` and still does.
  std::optional<Unexplained> unexplained(Duration window) const;

  bool operator==(const Growth&) const = default;

  // Every member, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.count(epoch_);
    if (!archive.take(newest_.at != 0)) return;
    archive.next_time(newest_.at);
    archive.next_time(first_.at);
    archive.next_time(risen_ms_);
    archive.next_to(newest_.total, 0);
    archive.next_to(first_.total, newest_.total);
    archive.next_to(newest_.published, 0);
    archive.next_to(first_.published, newest_.published);
  }

 private:
  struct Look {
    TimeMs at = 0;  // 0 = none
    std::int64_t total = 0;
    std::int64_t published = 0;

    bool operator==(const Look&) const = default;
  };

  bool exceeds() const;

  std::uint64_t epoch_ = 0;
  Look first_;  // that the growth is counted from
  Look newest_;
  TimeMs risen_ms_ = 0;
};

}  // namespace tidemark::history
