#pragma once
// What `subscriptionExpirationTimeMinutes` does to one subscription: the broker deletes it, with all that it has not
// read, once nobody was connected for so long. Pure arithmetic, for the rules and for `plan --what-if`.

#include <optional>

#include "base/time.h"

namespace tidemark::detect {

struct Absence {
  std::optional<Duration> present;  // nobody is there, for at least so long
  std::optional<Duration> longest;  // after which somebody came back, of the last ones
};

// What a limit would have done; neither excludes the other.
struct Expiry {
  bool operator==(const Expiry&) const = default;

  bool missed = false;  // it came back after a longer pause, and would have found nothing
  bool gone = false;    // nobody came back yet
};

Expiry under_expiration(const Absence& absence, Duration limit);

// As everywhere, who is away is late only beyond one and a half times the longest pause.
Duration latest_return(Duration longest);

// Whether it may still come back without being late, and the limit does not wait for that.
bool may_come_back_too_late(const Absence& absence, Duration limit);

}  // namespace tidemark::detect
