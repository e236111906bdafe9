#include "pulsar/internal_info.h"

#include "pulsar/internal_stats.h"
#include "pulsar_documents/sample.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::pulsar;
using model::Position;
using pulsar::testing::kVersions;
using pulsar::testing::sample;
using pulsar::testing::with;

namespace {

InternalInfo read(const std::string& version, const std::string& name) {
  auto info = decode_internal_info(sample(version, name));
  REQUIRE(info.has_value());
  return std::move(*info);
}

}  // namespace

TEST_CASE("internal-info of an unloaded topic with ack holes") {
  struct Want {
    const char* version;
    std::int64_t doc_version;
    TimeMs created, modified;
    std::int64_t first_ledger, first_bytes, second_ledger, last_ledger;
    std::optional<TimeMs> first_closed;  // 2.x do not say
    TimeMs cursor_created, cursor_modified;
  };
  const Want kWants[] = {
      {"2.10.5", 6, 1795989325335, 1795989367038, 178, 4049, 184, 240, std::nullopt, 1795989325461, 1795989366887},
      {"3.0.7", 7, 1795989380676, 1795989420275, 340, 4727, 342, 348, 1795989380818, 1795989380698, 1795989420160},
      {"4.0.7", 7, 1795988744969, 1795988785660, 337, 4751, 340, 355, 1795988745256, 1795988745020, 1795988785493},
      {"5.0.1", 7, 1795988744852, 1795988785379, 325, 4141, 328, 347, 1795988745155, 1795988744879, 1795988785264},
  };
  for (const auto& want : kWants) {
    INFO(want.version);
    const auto info = read(want.version, "internal-info-holes.json");
    CHECK(info.version == want.doc_version);
    CHECK(info.created_ms == want.created);
    CHECK(info.modified_ms == want.modified);
    REQUIRE(info.ledgers.size() == 6);
    CHECK(info.ledgers[0].id == want.first_ledger);
    CHECK(info.ledgers[0].entries == 20);
    CHECK(info.ledgers[0].bytes == want.first_bytes);
    CHECK(info.ledgers[0].closed_ms == want.first_closed);
    CHECK(!info.ledgers[0].offloaded);
    // The document's time of the last one is that of the request.
    CHECK(info.ledgers[5].id == want.last_ledger);
    CHECK(!info.ledgers[5].entries);
    CHECK(!info.ledgers[5].bytes);
    CHECK(!info.ledgers[5].closed_ms);

    REQUIRE(info.cursors.size() == 1);
    const auto& cursor = info.cursors[0];
    CHECK(cursor.name == "workers");
    CHECK(cursor.mark_delete == Position{want.first_ledger, 6});
    CHECK(cursor.cursor_ledger == -1);
    CHECK(cursor.created_ms == want.cursor_created);
    CHECK(cursor.modified_ms == want.cursor_modified);
    REQUIRE(cursor.acked.size() == 6);
    CHECK(cursor.acked[0].after == Position{want.first_ledger, 8});
    CHECK(cursor.acked[0].through == Position{want.first_ledger, 14});
    CHECK(cursor.acked[2].after == Position{want.second_ledger, -1});
    CHECK(cursor.acked[2].through == Position{want.second_ledger, 19});
  }
}

TEST_CASE("internal-info of a loaded topic has an old position") {
  const std::pair<const char*, std::pair<std::int64_t, std::int64_t>> kWants[] = {
      {"2.10.5", {145, 140}}, {"4.0.7", {338, 326}}, {"5.0.1", {326, 313}}};
  for (const auto& [version, want] : kWants) {
    INFO(version);
    const auto info = read(version, "internal-info-loaded.json");
    REQUIRE(info.cursors.size() == 1);
    CHECK(info.cursors[0].name == "team/a%b+c d \xC3\xA9");
    CHECK(info.cursors[0].cursor_ledger == want.first);
    CHECK(info.cursors[0].mark_delete == Position{want.second, -1});
    CHECK(info.cursors[0].acked.empty());
  }
}

TEST_CASE("internal-info of a partitioned topic's parent is refused") {
  for (const auto* version : kVersions) {
    INFO(version);
    const auto info = decode_internal_info(sample(version, "internal-info-partitions.json"));
    REQUIRE(info.has_error());
    CHECK(info.error().code() == Errc::kMalformed);
    CHECK(info.error().text() == "internal-info: of a partitioned topic; its partitions are to be asked for");
  }
}

TEST_CASE("internal-info: what no recorded document has") {
  for (const auto* version : {"2.10.5", "5.0.1"}) {
    INFO(version);
    const auto text =
        with(sample(version, "internal-info-holes.json"), "\"isOffloaded\":false", "\"isOffloaded\":true");
    CHECK(decode_internal_info(text).value().ledgers[0].offloaded);
  }
  // A terminated topic: the last ledger is closed and says so.
  const auto info =
      decode_internal_info(R"({"ledgers":[{"ledgerId":1,"entries":2,"size":3,"timestamp":1795988745256}],)"
                           R"("cursors":{"a":{"cursorsLedgerId":-1}}})")
          .value();
  CHECK(info.ledgers.at(0).closed_ms == 1795988745256);
  CHECK(!info.cursors.at(0).mark_delete);
}

// Believed, such an answer would say that every cursor is gone.
TEST_CASE("internal-info: without ledgers or cursors it is none") {
  for (const auto* text : {"{}", R"({"cursors":{}})", R"({"ledgers":null,"cursors":{}})"}) {
    CHECK(decode_internal_info(text).error().text().ends_with("without 'ledgers'"));
  }
  CHECK(decode_internal_info(R"({"ledgers":[],"cursors":null})").error().text().ends_with("without 'cursors'"));
  CHECK(decode_internal_info(R"({"ledgers":[],"cursors":{}})").value().cursors.empty());
}

TEST_CASE("internal-info of an unknown topic is an HTML page") {
  const auto info = decode_internal_info("<html>\n<head><title>Error 500 Request failed.</title></head></html>\n");
  CHECK(info.error().text() == "internal-info: byte 0: Invalid value.");
}

TEST_CASE("internal-info: half a position is none") {
  for (const auto* half : {"null", "{}", "5", R"("5:3")", R"({"ledgerId":5})", R"({"entryId":3})",
                           R"({"ledgerId":5,"entryId":null})", R"({"ledgerId":"5","entryId":3})"}) {
    INFO(half);
    const auto text = R"({"ledgers":[],"cursors":{"a":{"cursorsLedgerId":-1,"markDelete":)" + std::string(half) +
                      R"(,"individualDeletedMessages":[{"from":)" + half + R"(,"to":{"ledgerId":5,"entryId":9}},)" +
                      R"({"from":{"ledgerId":5,"entryId":9},"to":{"ledgerId":5,"entryId":12}}]}}})";
    const auto info = decode_internal_info(text).value();
    REQUIRE(info.cursors.size() == 1);
    CHECK(!info.cursors[0].mark_delete);
    REQUIRE(info.cursors[0].acked.size() == 1);
    CHECK(info.cursors[0].acked[0].through == Position{5, 12});
    CHECK(info.cursors[0].acked_ranges == 1);
  }
}

TEST_CASE("internal-info: more ranges than anybody needs are counted") {
  std::string ranges;
  for (int i = 0; i < 10000; ++i) {
    const auto at = [](int entry) { return R"({"ledgerId":5,"entryId":)" + std::to_string(entry) + "}"; };
    ranges += std::string(i > 0 ? "," : "") + R"({"from":)" + at(2 * i) + R"(,"to":)" + at(2 * i + 1) + "}";
  }
  const auto info =
      decode_internal_info(R"({"ledgers":[],"cursors":{"a":{"individualDeletedMessages":[)" + ranges + "]}}}").value();
  CHECK(info.cursors.at(0).acked.size() == kMaxAckRanges);
  CHECK(info.cursors[0].acked_ranges == 10000);
}
