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

enum class Expiry { kNone, kGone, kMissed };

// kMissed: it came back after a longer pause, and would have found nothing. kGone: nobody came back yet.
Expiry under_expiration(const Absence& absence, Duration limit);

// Whether it may still come back by its rhythm, late by half as it may be, and the limit does not wait for that.
bool may_come_back_too_late(const Absence& absence, Duration limit);

}  // namespace tidemark::detect
