#pragma once
// GET /api/v1/bookie/gc/suspend_compaction of a bookie, 4.16 and later: whether its compactions are suspended, which no
// metric tells. Of several ledger directories only where all of them are.

#include <optional>
#include <string_view>

#include "base/result.h"

namespace tidemark::bookie {

struct Suspension {
  std::optional<bool> major;
  std::optional<bool> minor;
};

// kMalformed when it tells neither.
Result<Suspension> decode_suspension(std::string_view body);

}  // namespace tidemark::bookie
