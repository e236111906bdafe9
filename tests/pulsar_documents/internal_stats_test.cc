#include "pulsar/internal_stats.h"

#include <fstream>
#include <stdexcept>

#include "pulsar/internal_info.h"
#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using model::Position;
using pulsar::testing::sample;
using pulsar::testing::with;

namespace {

// A line of /proc/self/status, in KiB.
std::int64_t status_kb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::int64_t kb = 0;
  while (status >> word) {
    if (word == name && status >> kb) return kb;
  }
  throw std::runtime_error("no " + name);
}

InternalStats read(const std::string& version, const std::string& name) {
  auto stats = decode_internal_stats(sample(version, name));
  REQUIRE(stats.has_value());
  return std::move(*stats);
}

}  // namespace

TEST_CASE("internalStats of a cursor with ack holes") {
  struct Want {
    const char* version;
    std::int64_t total, current_entries, current_bytes;
    Position last_confirmed;
    const char* state;
    TimeMs created;
    std::size_t ledgers;
    std::int64_t first_ledger, first_bytes;
    std::int64_t cursor_ledger;
    TimeMs switched;
  };
  const Want kWants[] = {
      {"2.10.5", 24986, 20, 4974, {172, 19}, "ClosedLedger", 1795989324863, 5, 140, 5032, 145, 1795989321813},
      {"3.0.7", 23698, 0, 0, {338, 19}, "LedgerOpened", 1795989380682, 6, 334, 4648, 341, 1795989380051},
      {"4.0.7", 22273, 0, 0, {334, 19}, "LedgerOpened", 1795988744999, 6, 326, 4834, 338, 1795988743807},
      {"5.0.1", 23347, 0, 0, {321, 19}, "LedgerOpened", 1795988744835, 6, 313, 4651, 326, 1795988743693},
  };
  for (const auto& want : kWants) {
    INFO(want.version);
    const auto stats = read(want.version, "internal-stats-holes.json");
    CHECK(stats.entries_added == 100);
    CHECK(stats.entries == 100);
    CHECK(stats.total_bytes == want.total);
    CHECK(stats.current_ledger_entries == want.current_entries);
    CHECK(stats.current_ledger_bytes == want.current_bytes);
    CHECK(stats.last_confirmed == want.last_confirmed);
    CHECK(stats.state == want.state);
    CHECK(stats.last_ledger_created_ms == want.created);
    CHECK(!stats.last_ledger_failed_ms);
    REQUIRE(stats.ledgers.size() == want.ledgers);
    CHECK(stats.ledgers[0].id == want.first_ledger);
    CHECK(stats.ledgers[0].entries == 20);
    CHECK(stats.ledgers[0].bytes == want.first_bytes);
    CHECK(!stats.ledgers[0].offloaded);
    CHECK(!stats.ledgers[0].closed_ms);

    REQUIRE(stats.cursors.size() == 1);
    const auto& cursor = stats.cursors[0];
    const auto ledger = want.first_ledger;
    CHECK(cursor.name == "team/a%b+c d \xC3\xA9");
    CHECK(cursor.mark_delete == Position{ledger, 6});
    CHECK(cursor.read_position == Position{want.last_confirmed.ledger_id, 20});
    REQUIRE(cursor.acked.size() == 2);
    CHECK(cursor.acked[0].after == Position{ledger, 8});
    CHECK(cursor.acked[0].through == Position{ledger, 14});
    CHECK(cursor.acked[1].after == Position{ledger, 15});
    CHECK(cursor.acked[1].through == Position{ledger, 19});
    CHECK(cursor.acked_ranges == 2);
    CHECK(cursor.cursor_ledger == want.cursor_ledger);
    CHECK(cursor.cursor_ledger_last_entry == 1);
    CHECK(cursor.state == "Open");
    CHECK(cursor.ledger_switched_ms == want.switched);
  }
}

TEST_CASE("internalStats just after a load") {
  const struct {
    const char* version;
    std::int64_t total, mark_ledger, open_ledger;
    Position last_confirmed;
  } kWants[] = {{"2.10.5", 11305, 28, 231, {79, 9}},
                {"3.0.7", 11713, 43, 264, {90, 9}},
                {"4.0.7", 12135, 37, 246, {79, 9}},
                {"5.0.1", 11492, 52, 243, {96, 9}}};
  for (const auto& want : kWants) {
    INFO(want.version);
    const auto stats = read(want.version, "internal-stats-noledger.json");
    CHECK(stats.entries_added == 0);
    CHECK(stats.entries == 50);
    CHECK(stats.total_bytes == want.total);
    CHECK(stats.last_confirmed == want.last_confirmed);
    REQUIRE(stats.ledgers.size() == 4);
    CHECK(stats.ledgers[3].id == want.open_ledger);
    CHECK(stats.ledgers[3].entries == 0);
    CHECK(stats.ledgers[3].bytes == 0);
    REQUIRE(stats.cursors.size() == 1);
    CHECK(stats.cursors[0].mark_delete == Position{want.mark_ledger, 9});
    CHECK(stats.cursors[0].state == "NoLedger");
    CHECK(stats.cursors[0].cursor_ledger == -1);
    CHECK(stats.cursors[0].cursor_ledger_last_entry == -1);
    CHECK(stats.cursors[0].acked.empty());
  }
}

TEST_CASE("internalStats: what no recorded document has") {
  for (const auto* version : {"2.10.5", "5.0.1"}) {
    INFO(version);
    auto text = sample(version, "internal-stats-holes.json");
    text = with(text, "\"lastLedgerCreatedTimestamp\"",
                "\"lastLedgerCreationFailureTimestamp\":\"2026-11-29T23:55:24+02:00\",\"lastLedgerCreatedTimestamp\"");
    text = with(text, "\"offloaded\":false", "\"offloaded\":true");
    const auto stats = decode_internal_stats(text).value();
    CHECK(stats.last_ledger_failed_ms == 1795989324000);
    CHECK(stats.ledgers[0].offloaded);
  }
}

TEST_CASE("internalStats: ranges of megabytes, read as far as needed") {
  std::string ranges = "[";
  for (int i = 0; i < 100000; ++i) ranges += "(5:" + std::to_string(2 * i) + "..5:" + std::to_string(2 * i + 1) + "],";
  ranges.back() = ']';
  const auto text =
      R"({"ledgers":[],"cursors":{"a":{"individuallyDeletedMessages":")" + ranges +
      R"(","totalNonContiguousDeletedMessagesRange":100000,"markDeletePosition":"not:one","readPosition":7}}})";
  const auto stats = decode_internal_stats(text).value();
  CHECK(stats.cursors.at(0).acked.size() == kMaxAckRanges);
  CHECK(stats.cursors[0].acked_ranges == 100000);
  CHECK(!stats.cursors[0].mark_delete);
  CHECK(!stats.cursors[0].read_position);
}

TEST_CASE("internalStats: 20 MB of ranges are read where they stand") {
  std::string text = R"({"cursors":{"a":{"individuallyDeletedMessages":"[)";
  for (int i = 0; text.size() < 20000000; ++i)
    text += "(5:" + std::to_string(2 * i) + "..5:" + std::to_string(2 * i + 1) + "],";
  text.back() = ']';
  text += R"(","markDeletePosition":"5:-1"}},"ledgers":[],"totalSize":7})";
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak starts over
  const auto before = status_kb("VmRSS:");
  if (status_kb("VmHWM:") > before + 1024) {
    WARN("the peak of the memory cannot be measured here");
    return;
  }
  const auto stats = decode_internal_stats(text).value();
  CHECK(status_kb("VmHWM:") - before < 4096);
  CHECK(stats.cursors.at(0).acked.size() == kMaxAckRanges);
  CHECK(stats.cursors[0].mark_delete == Position{5, -1});
  CHECK(stats.total_bytes == 7);
}

TEST_CASE("internalStats: values that no position is") {
  const auto stats =
      decode_internal_stats(
          R"({"lastConfirmedEntry":null,"ledgers":[],"cursors":{"null":{"markDeletePosition":null,"cursorLedger":null},)"
          R"("latest":{"markDeletePosition":"9223372036854775807:9223372036854775807"},)"
          R"("nowhere":{"markDeletePosition":"-1:-2","readPosition":"-1:-1","cursorLedger":-1}}})")
          .value();
  CHECK(!stats.last_confirmed);
  CHECK(!pulsar::testing::named(stats.cursors, "null").mark_delete);
  CHECK(!pulsar::testing::named(stats.cursors, "null").cursor_ledger);
  CHECK(pulsar::testing::named(stats.cursors, "latest").mark_delete->entry_id == std::int64_t{1} << 53);
  CHECK(pulsar::testing::named(stats.cursors, "nowhere").mark_delete == Position{-1, -2});
  CHECK(pulsar::testing::named(stats.cursors, "nowhere").cursor_ledger == -1);
}

// Believed, such an answer would say that every cursor is gone.
TEST_CASE("internalStats: without ledgers or cursors it is none") {
  for (const auto* text : {"{}", R"({"cursors":{}})", R"({"ledgers":{},"cursors":{}})", R"({"reason":"not found"})"}) {
    CHECK(decode_internal_stats(text).error().text().ends_with("without 'ledgers'"));
  }
  CHECK(decode_internal_stats(R"({"ledgers":[],"cursors":[]})").error().text().ends_with("without 'cursors'"));
}

TEST_CASE("internalStats: cursor names of every kind") {
  const std::pair<const char*, std::string> kNames[] = {
      {"tenant%2Fns%2Ffunction", "tenant/ns/function"},
      {"a%252Fb", "a%2Fb"},
      {"a%2Bb+c", "a+b c"},
      {"quo%22te%27", "quo\"te'"},
      {"back%5Cslash", "back\\slash"},
      {"new%0Aline", "new\nline"},
      {"%E6%BC%A2%F0%9F%98%80", "\xE6\xBC\xA2\xF0\x9F\x98\x80"},
      {"", ""},
      {"pulsar.repl-persistent%3A%2F%2Facme%2Fshop%2Fshadow", "pulsar.repl-persistent://acme/shop/shadow"}};
  for (const auto& [encoded, name] : kNames) {
    INFO(encoded);
    const auto cursors = "\"ledgers\":[],\"cursors\":{\"" + std::string(encoded) + "\":{\"markDelete\":{}}}}";
    const auto stats = decode_internal_stats("{" + cursors).value();
    REQUIRE(stats.cursors.size() == 1);
    CHECK(stats.cursors[0].name == name);
    CHECK(decode_internal_info("{" + cursors).value().cursors.at(0).name == name);
  }
}
