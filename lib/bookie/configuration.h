#pragma once
// GET /api/v1/config/server_config of a bookie, where its admin API is on: keys that were set, each a text. No metric
// tells at which usage a bookie stops taking writes; this does.

#include <optional>
#include <string_view>

#include "base/result.h"

namespace tidemark::bookie {

struct Configuration {
  // 0..1, of a disk. Empty: the default.
  std::optional<double> disk_usage_threshold;       // a directory above it takes no more
  std::optional<double> disk_usage_warn_threshold;  // above it major compaction is suspended ...
  std::optional<bool> forced_when_full;             // ... unless this is set: isForceGCAllowWhenNoSpace
};

Result<Configuration> decode_configuration(std::string_view body);

}  // namespace tidemark::bookie
