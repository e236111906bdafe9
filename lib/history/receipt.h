#pragma once
// What went free on a topic with leftovers, as far as the leftovers alone kept it. A counter, so that what went since
// any moment is a difference.

#include <cstdint>

#include "base/time.h"
#include "model/snapshot.h"

namespace tidemark::history {

class Receipt {
 public:
  // From now on what goes below ledger `bound` counts: the first that somebody else needs.
  void follow(const model::TopicView& topic, std::int64_t bound);

  // What the topic's newest document does not list any more; each document counts once.
  void observe(const model::TopicView& topic);
  // The topic went as a whole.
  void all_gone();

  std::int64_t freed_bytes() const { return freed_bytes_; }

  bool operator==(const Receipt&) const = default;

  // Every member, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.time(document_ms_);
    archive.number(bound_);
    archive.number(freed_bytes_);
    archive.number(kept_bytes_);
  }

 private:
  TimeMs document_ms_ = 0;
  std::int64_t bound_ = 0;
  std::int64_t freed_bytes_ = 0;
  std::int64_t kept_bytes_ = 0;  // below the bound, still there
};

}  // namespace tidemark::history
