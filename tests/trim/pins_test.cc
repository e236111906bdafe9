#include "trim/pins.h"

#include "support/catch.h"

using namespace tidemark;
using model::Ledgers;
using model::Position;

namespace {

// The topic of the first case: three closed ledgers of 100 x 10 kB and an open one of 60.
Ledgers orders() {
  return Ledgers{{{101, 100, 1000000, {}, false},
                  {102, 100, 1000000, {}, false},
                  {103, 100, 1000000, {}, false},
                  {104, 60, 600000, {}, false}}};
}

}  // namespace

TEST_CASE("a cursor in mid-ledger pins the rest of it and all that follows") {
  const auto pin = trim::pinned(orders(), {101, 19});
  CHECK(pin.entries == 340);
  CHECK(pin.bytes == 3400000);
}

TEST_CASE("inside the first ledger bytes are interpolated by integer division, as the broker does") {
  // 4903 bytes in 20 entries: 245 an entry; after 5 of them 4903 - 245 x 5 remain.
  const Ledgers ledgers{{{90, 20, 4903, {}, false}, {91, 3, 700, {}, false}}};
  CHECK(trim::pinned(ledgers, {90, 4}).bytes == 4903 - 245 * 5 + 700);
  CHECK(trim::pinned(ledgers, {90, -1}).bytes == 5603);
  CHECK(trim::pinned(ledgers, {90, 19}).bytes == 700);
}

TEST_CASE("a caught-up cursor pins nothing, however its place is spelled") {
  CHECK(trim::pinned(orders(), {104, 59}).bytes == 0);
  CHECK(trim::pinned(orders(), {104, 59}).entries == 0);
  const Ledgers reloaded{{{200, 0, 0, {}, false}}};
  CHECK(trim::pinned(reloaded, {137, 9}).entries == 0);
  CHECK(trim::pinned(Ledgers{}, {1, 1}).entries == 0);
}

TEST_CASE("the amount is unknown behind a ledger without a size, whether there is one may still be certain") {
  const Ledgers unloaded{{{37, 20, 4822, {}, false}, {65, {}, {}, {}, false}}};
  CHECK_FALSE(trim::pinned(unloaded, {37, 9}).bytes);
  CHECK(trim::pins_something(unloaded, {37, 9}) == true);
  CHECK(trim::pins_something(unloaded, {37, 19}) == std::nullopt);
  CHECK(trim::pins_something(orders(), {104, 59}) == false);
}
