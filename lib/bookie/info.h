#pragma once
// GET /api/v1/bookie/info, where a bookie's admin API is on: the bytes of the disks below its ledger directories, each
// disk once. Right from the first answer after a start, when the usage among its metrics is still 0.

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tidemark::bookie {

struct Info {
  std::int64_t free_bytes = 0;  // that it may use: what is reserved for root is none
  std::int64_t total_bytes = 0;

  double usage_ratio() const { return 1 - static_cast<double>(free_bytes) / static_cast<double>(total_bytes); }
};

// kMalformed where the two are no sizes of disks: an error page, another process's port.
Result<Info> decode_info(std::string_view body);

}  // namespace tidemark::bookie
