#pragma once
// Where the lists of a namespace, its partitioned topics, what is stored and what is loaded contradict each other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace tidemark::model {

enum class ListFault : std::uint8_t {
  kNoPartitions,        // a partitioned topic of which no partition is listed
  kMissingPartition,    // not listed, while others of its topic are
  kNoPartitionedTopic,  // a partition that is listed without its topic
  kNoMetadata,          // listed, and its stored metadata is unknown at two rounds while that of others can be read
  kNotListed,           // a broker has it loaded, and no list has it
};
inline constexpr std::array<std::string_view, 5> kListFaults{"no_partitions", "missing_partition",
                                                             "no_partitioned_topic", "no_metadata", "not_listed"};

// One comparison.
struct ListPass {
  static constexpr std::size_t kMost = 1000;  // names of a fault; of more the first ones

  TimeMs at_ms = 0;
  std::array<std::vector<std::string>, kListFaults.size()> names;  // of topics by fault, ascending

  std::vector<std::string>& of(ListFault fault) { return names.at(static_cast<std::size_t>(fault)); }
  const std::vector<std::string>& of(ListFault fault) const { return names.at(static_cast<std::size_t>(fault)); }
};

}  // namespace tidemark::model
