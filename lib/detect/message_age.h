#pragma once
// How old what waits is, and how often the broker looks for what is too old.

#include <optional>
#include <string_view>

#include "detect/case.h"
#include "history/topic_history.h"

namespace tidemark::detect {

// The oldest message that is not acknowledged was published at `at` or before, and waited when that was seen last.
struct Oldest {
  TimeMs at = 0;
  std::string_view source;
  TimeMs seen_ms = 0;
};

// Empty while nothing waits, the place is not known well enough, or no document tells a time.
std::optional<Oldest> oldest_unacknowledged(const CursorCase& c, const history::TopicHistory& past);

// When a closed ledger was closed at the latest, by its document or by our own looks. Empty for the last one.
std::optional<Oldest> closed_by(const model::TopicView& topic, const history::TopicHistory& past,
                                const model::Ledger& ledger);

// How much longer than the TTL the broker lets messages be: who is connected and has little to do is left alone until
// half as long again.
Duration expiry_patience(const CursorCase& c, std::chrono::seconds ttl);

// Between two looks of the broker for messages beyond their TTL.
Duration expiry_check(const model::Snapshot& snapshot);

}  // namespace tidemark::detect
