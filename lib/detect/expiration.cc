#include "detect/expiration.h"

namespace tidemark::detect {

Expiry under_expiration(const Absence& absence, Duration limit) {
  return {absence.longest && *absence.longest > limit, absence.present && *absence.present > limit};
}

Duration latest_return(Duration longest) { return longest * 3 / 2; }

bool may_come_back_too_late(const Absence& absence, Duration limit) {
  if (!absence.present || !absence.longest) return false;
  const auto latest = latest_return(*absence.longest);
  return *absence.present <= latest && latest > limit;
}

}  // namespace tidemark::detect
