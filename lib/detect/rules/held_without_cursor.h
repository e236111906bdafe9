#pragma once
// Bytes that stay although no durable cursor pins them. A running daemon reports the ordinary causes as gauges only.

#include <optional>

#include "detect/limits.h"
#include "model/finding.h"
#include "model/snapshot.h"
#include "trim/reclaim.h"

namespace tidemark::detect::rules {

// Cause `open_ledger`: every durable cursor is past the last ledger, which waits for its rollover and may not be
// deleted before.
std::optional<model::Finding> held_without_cursor(const model::TopicView& topic, const trim::Topic& trim,
                                                  const Limits& limits);

}  // namespace tidemark::detect::rules
