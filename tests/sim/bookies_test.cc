// A bookie that is restarted, replaced, or does not compact; how disks fill is in world_test.cc.
#include "sim/bookies.h"

#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::sim;

namespace {

constexpr TimeMs kStart = 1'700'000'000'000;
constexpr TimeMs kMinute = 60'000;
constexpr TimeMs kHour = 60 * kMinute;

SimBookie a_bookie() {
  BookieOptions options;
  options.capacity_bytes = 1'000'000;
  BookieSettings settings;
  settings.base_share = 0;
  return {"b:8000", options, settings, kStart};
}

void collect_until(SimBookie& bookie, TimeMs from, TimeMs until) {
  for (auto at = from + 15 * kMinute; at <= until; at += 15 * kMinute) bookie.collect(at);
}

}  // namespace

TEST_CASE("suspended compaction leaves what shares a log with something live") {
  for (const bool suspended : {false, true}) {
    auto bookie = a_bookie();
    bookie.suspend_compaction(suspended);
    bookie.add(600'000, 0, 10);
    bookie.add(0, 400'000, 0);
    collect_until(bookie, kStart, kStart + 48 * kHour);
    CHECK(bookie.used_bytes() == (suspended ? 400'000 : 200'000));
    CHECK(bookie.active_bytes() == 200'000);
  }
}

TEST_CASE("a restarted bookie knows nothing of its garbage until it has collected") {
  auto bookie = a_bookie();
  bookie.add(600'000, 0, 10);
  collect_until(bookie, kStart, kStart + 2 * kHour);
  REQUIRE(bookie.active_bytes() == 600'000);
  bookie.restart(kStart + 2 * kHour);
  CHECK(bookie.active_bytes() == 0);
  CHECK(bookie.used_bytes() == 600'000);
  collect_until(bookie, kStart + 2 * kHour, kStart + 3 * kHour);
  CHECK(bookie.active_bytes() == 600'000);
}

TEST_CASE("a bookie in the place of a lost one is given its copies, less what was deleted meanwhile") {
  auto bookie = a_bookie();
  bookie.add(600'000, 0, 10);
  bookie.replace("other:8000", kStart);
  CHECK(bookie.address() == "other:8000");
  CHECK(bookie.used_bytes() == 0);
  collect_until(bookie, kStart, kStart + 12 * kHour);  // half a disk a day
  CHECK(bookie.recovered_bytes() > 240'000);
  CHECK(bookie.recovered_bytes() < 260'000);
  bookie.add(0, 300'000, 0);
  collect_until(bookie, kStart + 12 * kHour, kStart + 96 * kHour);
  CHECK(bookie.used_bytes() > 290'000);
  CHECK(bookie.used_bytes() < 310'000);
  const auto text = bookie.metrics(kStart + 96 * kHour, 1, 0);
  CHECK(text.find("bookie_BOOKIE_RECOVERY_ADD_ENTRY_count{success=\"true\"} 0") == std::string::npos);
}
