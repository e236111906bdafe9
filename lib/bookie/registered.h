#pragma once
// GET /api/v1/bookie/list_bookies?type=rw|ro of any bookie, where its admin API is on: all that are registered in the
// metadata store and take writes, or are read-only. A bookie that answers nothing cannot say that it is in neither.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tidemark::bookie {

// As they are registered: "host:port" by default, with the port of their data.
Result<std::vector<std::string>> decode_registered(std::string_view body);

}  // namespace tidemark::bookie
