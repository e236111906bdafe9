#pragma once
// What went free on a topic with leftovers, as far as the leftovers alone kept it. A counter, so that what went since
// any moment is a difference.

#include <cstdint>
#include <vector>

#include "model/ledgers.h"

namespace tidemark::history {

class Receipt {
 public:
  // From now on what goes below ledger `bound` counts: the first that somebody else needs.
  void follow(const model::Ledgers& ledgers, std::int64_t bound);

  // Ledgers that a newer document does not list any more.
  void observe(const std::vector<model::Ledger>& gone);
  // The topic went as a whole.
  void all_gone();

  std::int64_t freed_bytes() const { return freed_bytes_; }

  bool operator==(const Receipt&) const = default;

  // Every member, for history/packing.h.
  template <class Archive>
  void fields(Archive& archive) {
    archive.number(bound_);
    archive.number(freed_bytes_);
    archive.number(kept_bytes_);
  }

 private:
  std::int64_t bound_ = 0;
  std::int64_t freed_bytes_ = 0;
  std::int64_t kept_bytes_ = 0;  // below the bound, still there
};

}  // namespace tidemark::history
