#pragma once
// What a TTL does to one cursor: how old what waits was when the broker told it, whether anything expires, and delayed
// messages that expired before anybody got them. Only for cursors that a TTL applies to.

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "model/snapshot.h"

namespace tidemark::history {

class Expiry {
 public:
  // Takes newer statistics of `cursor`; older or repeated ones change nothing.
  void observe(const model::TopicView& topic, const model::CursorView& cursor);

  // Publish time of the oldest message that waits, as the statistics of `at` told it.
  struct Oldest {
    TimeMs publish_ms = 0;
    TimeMs at = 0;

    bool operator==(const Oldest&) const = default;
    template <class Archive>
    void fields(Archive& archive) {
      archive.next_time(at);
      archive.next_time(publish_ms);
    }
  };
  std::optional<Oldest> oldest() const { return oldest_; }

  // Messages expired since the load, and since when that counter stands; both as of `at_ms()`, 0 = never.
  std::int64_t expired() const { return expired_; }
  TimeMs stands_since_ms() const { return stands_since_ms_; }
  TimeMs at_ms() const { return at_ms_; }

  // Delayed messages that expired undelivered. Losses less than a day apart are one.
  struct Loss {
    std::int64_t messages = 0;
    TimeMs at = 0;  // newest

    bool operator==(const Loss&) const = default;
    template <class Archive>
    void fields(Archive& archive) {
      archive.next_time(at);
      archive.next_to(messages, 0);
    }
  };
  std::optional<Loss> loss() const { return loss_; }

  bool operator==(const Expiry&) const = default;

  // Every member, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.time(at_ms_);
    archive.time(stands_since_ms_);
    archive.count(epoch_);
    archive.number(expired_);
    archive.part(oldest_);
    archive.part(waiting_);
    archive.part(loss_);
  }

 private:
  // What waits for its time, what else waits, what was sent: of one document.
  struct Waiting {
    std::int64_t delayed = 0;
    std::int64_t due = 0;
    std::int64_t sent = 0;

    bool operator==(const Waiting&) const = default;
    template <class Archive>
    void fields(Archive& archive) {
      archive.next_to(delayed, 0);
      archive.next_to(due, 0);
      archive.next_to(sent, 0);
    }
  };

  static std::optional<Waiting> waiting_of(const model::CursorView& cursor);
  static std::int64_t undelivered(const Waiting& before, const Waiting& now, std::int64_t expired);

  TimeMs at_ms_ = 0;
  std::uint64_t epoch_ = 0;
  std::optional<Oldest> oldest_;
  std::int64_t expired_ = 0;
  TimeMs stands_since_ms_ = 0;
  std::optional<Waiting> waiting_;
  std::optional<Loss> loss_;
};

}  // namespace tidemark::history
