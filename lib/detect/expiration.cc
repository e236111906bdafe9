#include "detect/expiration.h"

namespace tidemark::detect {

Expiry under_expiration(const Absence& absence, Duration limit) {
  if (absence.longest && *absence.longest > limit) return Expiry::kMissed;
  if (absence.present && *absence.present > limit) return Expiry::kGone;
  return Expiry::kNone;
}

bool may_come_back_too_late(const Absence& absence, Duration limit) {
  if (!absence.present || !absence.longest) return false;
  const auto latest = *absence.longest * 3 / 2;
  return *absence.present <= latest && latest > limit;
}

}  // namespace tidemark::detect
