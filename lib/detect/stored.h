#pragma once
// What each namespace stores over time, and what keeps it there: the parts that the growth of disks is explained by.
// Logical bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "detect/limits.h"
#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Parts that add up to what is stored. A topic's backlog is whole of the part that its slowest cursor belongs to.
enum class Part : std::uint8_t {
  kKept,         // acknowledged
  kPinned,       // behind cursors that nobody uses or that are stuck
  kIdle,         // behind those that somebody may come back to
  kLagging,      // behind consumers at work
  kReplication,  // behind replicators
};
inline constexpr std::size_t kParts = 5;

// The names of the figures.
std::string stored_name(std::string_view ns);
std::string part_name(Part part, std::string_view ns);

// Takes what each namespace stores, and its parts. Namespaces of which many topics do not tell are left out.
void observe_stored(const model::Snapshot& snapshot, const std::vector<model::CursorVerdict>& verdicts,
                    const Limits& limits, history::Figures& figures);

}  // namespace tidemark::detect
