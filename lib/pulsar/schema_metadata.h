#pragma once
// GET /schemas/{topic}/metadata, 4.0 and later: which ledgers hold the versions of a topic's schema. Loads nothing.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tidemark::pulsar {

// An empty body: the topic has no schema.
Result<std::vector<std::int64_t>> decode_schema_metadata(std::string_view body);

}  // namespace tidemark::pulsar
