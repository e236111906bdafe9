#pragma once
// GET /api/v1/ledger/list?print_metadata=true&decode_meta=true of a bookie, 4.11 and later: every ledger of the
// cluster, not of that bookie, with what whoever made it wrote down. With `page` a hundred at a time, {} behind the
// last; without it all at once, which can kill a small bookie.

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/stored_ledgers.h"

namespace tidemark::bookie {

// A ledger whose metadata is missing or no object is one that says nothing of itself.
Result<std::vector<model::StoredLedger>> decode_ledger_list(std::string_view body);

}  // namespace tidemark::bookie
