#pragma once
// What the removal of a topic's leftovers was to free and what went free, as far as the leftovers alone kept it. Only
// counters, so that what fell due and went since any moment is a difference.

#include <cstdint>
#include <optional>

#include "base/time.h"
#include "model/snapshot.h"

namespace tidemark::history {

class Receipt {
 public:
  // From now on what goes below ledger `bound` counts: the first that somebody else needs. `all_bytes`: what the
  // removal of all leftovers together frees; empty where it cannot be told.
  void follow(const model::TopicView& topic, std::int64_t bound, std::optional<std::int64_t> all_bytes);

  // What the topic's newest document does not list any more; each document counts once.
  void observe(const model::TopicView& topic);
  // Some leftovers went, and that is to free so much; empty where it cannot be told.
  void owe(std::optional<std::int64_t> bytes);
  // The topic went as a whole.
  void all_gone();

  std::optional<std::int64_t> all_bytes() const { return all_bytes_; }
  // What removals were to free. Empty if one of them cannot be told.
  std::optional<std::int64_t> due_bytes() const { return untold_ ? std::nullopt : std::optional(due_bytes_); }
  std::int64_t freed_bytes() const { return freed_bytes_; }
  // Of freed_bytes(): the open ledger, which no removal of cursors frees, but that of the topic does.
  std::int64_t freed_open_bytes() const { return freed_open_bytes_; }
  // Where freed_bytes() will be once all removals that were gave what they were to free.
  std::int64_t settled_bytes() const { return settled_bytes_; }

  bool operator==(const Receipt&) const = default;

  // Every member, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.time(document_ms_);
    archive.number(bound_);
    archive.number(freed_bytes_);
    archive.number(kept_bytes_);
    archive.number(open_bytes_);
    archive.number(freed_open_bytes_);
    archive.number(all_bytes_);
    archive.number(due_bytes_);
    archive.number(settled_bytes_);
    archive.flag(untold_);
  }

 private:
  void count_kept(const model::TopicView& topic);

  TimeMs document_ms_ = 0;
  std::int64_t bound_ = 0;
  std::int64_t freed_bytes_ = 0;
  std::int64_t kept_bytes_ = 0;  // below the bound, still there
  std::int64_t open_bytes_ = 0;  // of them in the open ledger
  std::int64_t freed_open_bytes_ = 0;
  std::optional<std::int64_t> all_bytes_;
  std::int64_t due_bytes_ = 0;
  std::int64_t settled_bytes_ = 0;
  bool untold_ = false;
};

}  // namespace tidemark::history
