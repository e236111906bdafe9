#pragma once
// GET /api/v1/config/server_config of a bookie, where its admin API is on: keys that were set, each a text. No metric
// tells at which usage a bookie stops taking writes; this does.

#include <optional>
#include <string_view>

#include "base/result.h"

namespace tidemark::bookie {

struct Configuration {
  std::optional<double> disk_usage_threshold;  // 0..1; a directory above it takes no more. Empty: the default
};

Result<Configuration> decode_configuration(std::string_view body);

}  // namespace tidemark::bookie
