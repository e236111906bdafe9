// internalStats and internal-info; whatever ranges come out are no more than asked for.
#include "fuzz/fuzz.h"
#include "pulsar/internal_info.h"
#include "pulsar/internal_stats.h"

namespace pulsar = tidemark::pulsar;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = tidemark::fuzz::text_of(data, size);
  const auto stats = pulsar::decode_internal_stats(text);
  if (stats.has_value()) {
    for (const auto& cursor : stats->cursors) {
      tidemark::fuzz::require(cursor.acked.size() <= pulsar::kMaxAckRanges, "too many ranges");
    }
  } else {
    tidemark::fuzz::require(!stats.error().text().empty(), "an error without a text");
  }
  static_cast<void>(pulsar::decode_internal_info(text).has_error());
  tidemark::fuzz::require(pulsar::parse_ack_ranges(text, 3).size() <= 3, "more ranges than asked for");
  return 0;
}
