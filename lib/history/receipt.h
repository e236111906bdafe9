#pragma once
// What went free on a topic with leftovers: the bytes of ledgers that one document lists and the next one does not, as
// far as the leftovers alone kept them. A counter, so that what went since any moment is a difference.

#include <cstdint>
#include <utility>
#include <vector>

#include "model/ledgers.h"

namespace tidemark::history {

class Receipt {
 public:
  // From now on what goes below ledger `bound` counts: the first that somebody else needs.
  void follow(const model::Ledgers& ledgers, std::int64_t bound);

  // A newer document of the topic.
  void observe(const model::Ledgers& ledgers);

  std::int64_t freed_bytes() const { return freed_bytes_; }

  bool operator==(const Receipt&) const = default;

  // Every member, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.number(bound_);
    archive.number(freed_bytes_);
    archive.list(listed_, [](Archive& each, auto& ledger, const auto& before) {
      each.next_to(ledger.first, before.first);
      each.next_to(ledger.second, before.second);
    });
  }

 private:
  std::int64_t bound_ = 0;
  std::int64_t freed_bytes_ = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> listed_;  // id, bytes; of the newest document
};

}  // namespace tidemark::history
