#pragma once
// How much is published and sent out over time, for the rules that ask whether traffic explains what grows.

#include "detect/limits.h"
#include "history/figures.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// While brokers are missing, or too few bookies take writes, consumers show as 0 and what is published is counted
// again with each try: such a poll tells nothing about traffic or growth.
bool is_outage(const model::Snapshot& snapshot);

// The figures, in bytes a second.
inline constexpr const char* kPublished = "published";
inline constexpr const char* kDispatched = "dispatched";

// Takes the rates of this poll, unless it is of an outage.
void observe_traffic(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures);

}  // namespace tidemark::detect
