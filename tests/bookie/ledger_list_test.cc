#include "bookie/ledger_list.h"

#include <fstream>
#include <iterator>

#include "formats/base64.h"
#include "support/catch.h"

using namespace tidemark;
using bookie::decode_ledger_list;
using model::LedgerUse;

namespace {

std::string metadata(const std::vector<std::pair<std::string, std::string>>& tags, const std::string& rest) {
  std::string text;
  for (const auto& [name, value] : tags)
    text += (text.empty() ? "\"" : ",\"") + name + "\":\"" + formats::encode_base64(value) + "\"";
  return "{" + rest + R"(,"customMetadata":{)" + text + "}}";
}

model::StoredLedger ledger(std::vector<std::pair<std::string, std::string>> tags) {
  tags.emplace_back("application", "pulsar");
  const auto list = decode_ledger_list(R"({"7":)" + metadata(tags, R"("state":"CLOSED","length":5,"ctime":9)") + "}");
  return list.value().at(0);
}

}  // namespace

TEST_CASE("a real cluster's ledgers, each by what it says of itself") {
  std::ifstream in(std::string(TIDEMARK_TEST_DATA) + "/pulsar-samples/4.0.7/ledger-list.json");
  REQUIRE(in.good());
  const auto list = decode_ledger_list(std::string{std::istreambuf_iterator<char>(in), {}}).value();
  const auto find = [&](std::int64_t id) {
    for (const auto& one : list) {
      if (one.id == id) return one;
    }
    throw std::runtime_error("no ledger " + std::to_string(id));
  };
  CHECK(list.size() == 8);
  const auto data = find(136);
  CHECK(data.use == LedgerUse::kData);
  CHECK(data.topic == "persistent://t1/small/comp");
  CHECK(data.bytes == 39472);
  CHECK(data.copies == 2);
  CHECK(data.created_ms == 1795989408376);
  CHECK(find(9).use == LedgerUse::kCursor);
  CHECK(find(9).topic == "persistent://t1/ns1/orders");
  CHECK(find(9).cursor == "live");
  CHECK_FALSE(find(9).bytes);  // open: 0 is what its metadata says, not what is in it
  CHECK(find(2).use == LedgerUse::kSchema);
  CHECK(find(2).topic == "persistent://t1/small/__change_events");
  CHECK(find(137).use == LedgerUse::kCompacted);
  CHECK(find(137).topic == "persistent://t1/small/comp");
  CHECK(find(152).use == LedgerUse::kUnknown);
  CHECK(find(152).topic.empty());
  CHECK(find(152).bytes == 5120);
}

TEST_CASE("names in the metadata of ledgers are encoded as the metadata store's") {
  const auto odd = ledger({{"component", "managed-ledger"},
                           {"pulsar/managed-ledger", "t/n/persistent/a%2Fb+c"},
                           {"pulsar/cursor", "s%2F1"}});
  CHECK(odd.topic == "persistent://t/n/a/b c");
  CHECK(odd.cursor == "s/1");
  CHECK(ledger({{"component", "managed-ledger"}, {"pulsar/managed-ledger", "t/c/n/persistent/x"}}).topic ==
        "persistent://t/c/n/x");
  const auto bucket = ledger({{"component", "delayed-index-bucket"},
                              {"pulsar/delayedIndexTopic", "persistent://t/n/x"},
                              {"pulsar/delayedIndexCursor", "sub"}});
  CHECK(bucket.use == LedgerUse::kDelayedIndex);
  CHECK(bucket.topic == "persistent://t/n/x");
  CHECK(bucket.cursor == "sub");
}

TEST_CASE("a ledger that is not Pulsar's, or does not say whose it is, is nobody's") {
  for (const auto& tags : std::vector<std::vector<std::pair<std::string, std::string>>>{
           {},
           {{"component", "state-store"}},
           {{"component", "managed-ledger"}},
           {{"component", "managed-ledger"}, {"pulsar/managed-ledger", "no name"}},
           {{"component", "schema"}, {"pulsar/schemaId", "x"}}}) {
    CHECK(ledger(tags).use == LedgerUse::kUnknown);
  }
  const auto other = decode_ledger_list(
      R"({"1":)" + metadata({{"application", "other"}, {"component", "managed-ledger"}}, R"("length":1)") + "}");
  CHECK(other.value().at(0).use == LedgerUse::kUnknown);
}

TEST_CASE("ledgers without metadata are in the list, what is no list is none") {
  const auto list = decode_ledger_list(R"({"27":null,"28":"\u0000garbage","x":{},"29":{}})").value();
  REQUIRE(list.size() == 3);
  CHECK(list.at(0).id == 27);
  CHECK(list.at(1).use == LedgerUse::kUnknown);
  CHECK_FALSE(list.at(2).created_ms);
  CHECK(decode_ledger_list("{}").value().empty());
  CHECK(decode_ledger_list("{ }").value().empty());
  for (const auto* none : {"", "[]", "<html>", R"({"1":{)"}) CHECK(decode_ledger_list(none).has_error());
}
