#pragma once
// In what the versions' trimming differs. An unknown version is taken for a recent one.

#include <string_view>

namespace tidemark::trim {

struct BrokerHabits {
  // 2.x: a cursor on the last entry of a closed ledger still pins that ledger.
  bool boundary_pins = false;
  // 2.8.1 to 2.10.5, 2.11.0 to 2.11.2, 3.0.0, 3.0.1 and 3.1: a ledger that retention keeps does not end the walk.
  bool skips_retained = false;
  // 2.8.0: the size limit is compared with all there is, whatever went before.
  bool compares_whole_size = false;
  // Before 2.8.2 a reader could hold ledgers back.
  bool readers_pin = false;
};

BrokerHabits habits_of(std::string_view version);

}  // namespace tidemark::trim
