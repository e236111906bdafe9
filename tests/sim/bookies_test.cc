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

TEST_CASE("a full disk with something alive in each log gets nothing back until compaction is forced") {
  BookieOptions options;
  options.capacity_bytes = 1'000'000;
  options.mixed_logs = true;
  BookieSettings settings;
  settings.base_share = 0;
  SimBookie bookie("b:8000", options, settings, kStart);
  bookie.add(960'000, 0, 10);
  collect_until(bookie, kStart, kStart + kHour);
  REQUIRE_FALSE(bookie.writable());
  CHECK(bookie.suspension().find(R"("isMajorGcSuspended" : "true")") != std::string::npos);
  bookie.add(0, 900'000, 0);
  collect_until(bookie, kStart + kHour, kStart + 30 * kHour);
  CHECK(bookie.used_bytes() == 960'000);
  bookie.force_compaction();
  collect_until(bookie, kStart + 30 * kHour, kStart + 31 * kHour);
  CHECK(bookie.used_bytes() == 60'000);
  CHECK(bookie.writable());
  CHECK(bookie.suspension().find("true") == std::string::npos);
}

TEST_CASE("a bookie that is not registered says so, and takes no writes") {
  auto bookie = a_bookie();
  bookie.set_registered(false);
  CHECK_FALSE(bookie.writable());
  CHECK(bookie.metrics(kStart + kHour, 1, 0).find("bookie_SERVER_STATUS -1\n") != std::string::npos);
  bookie.set_registered(true);
  CHECK(bookie.writable());
}

TEST_CASE("who catches up reads from the disk, and from the cache what was read ahead") {
  auto bookie = a_bookie();
  bookie.serve_catch_up(10, 3);
  bookie.collect(kStart + kMinute);
  const auto text = bookie.metrics(kStart + kMinute, 1, 0);
  CHECK(text.find("bookie_read_cache_misses{indexDir=\"/pulsar/data/bookkeeper/ledgers/current\",ledgerDir=\"/pulsar/"
                  "data/bookkeeper/ledgers/current\"} 600\n") != std::string::npos);
  CHECK(text.find("bookie_readahead_batch_count_count{success=\"true\"} 600\n") != std::string::npos);
}
