#pragma once
// What an expiration time for subscriptions would do, by what is known of their pauses: whom it would have deleted, who
// of them came back, and what that frees.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::report {

struct Expired {
  std::string topic;
  std::string subscription;
  model::State state = model::State::kUnknown;
  Duration pause{0};  // at least
  std::optional<std::int64_t> pinned_bytes;
  std::optional<std::int64_t> frees_bytes;  // 0 where it came back: it is in use
  bool away_again = false;                  // of one that was hurt: it is among the deleted, too
  std::optional<std::string> exception;     // why it shall stay all the same
};

struct WhatIf {
  Duration expire{0};
  std::vector<Expired> hurt;     // came back after a longer pause; the longest first
  std::vector<Expired> deleted;  // away for longer than that; those that free most first
  std::vector<Expired> at_risk;  // neither, but may still come back too late, by the arithmetic of `expiration_at_risk`
  std::size_t subscriptions = 0;
  std::size_t with_rhythm = 0;  // of them, seen to come back
  std::size_t unloaded = 0;     // the broker looks at loaded topics only
  std::size_t replicated = 0;   // never expire
  std::size_t would_go = 0;     // hurt, deleted or both
  std::size_t away_again = 0;   // both
  std::size_t silenced = 0;     // of those that would go: kept by an exception
  std::int64_t frees_bytes = 0;
  bool all_told = true;
};

// "7d" as asked for. kConfig for what Pulsar cannot be told.
Result<Duration> parse_expiration(std::string_view text);

WhatIf what_if(const model::Snapshot& snapshot, const model::Verdicts& verdicts, Duration expire);

// For a person, names escaped.
std::string what_if_text(const WhatIf& what);
std::string what_if_json(const WhatIf& what);

}  // namespace tidemark::report
