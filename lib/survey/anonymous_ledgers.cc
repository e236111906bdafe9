#include "survey/anonymous_ledgers.h"

#include "bookie/ledger_list.h"
#include "formats/base64.h"
#include "formats/json_writer.h"
#include "model/names.h"

namespace tidemark::survey {
namespace {

using formats::JsonWriter;
using model::LedgerUse;

// "tenant/namespace/persistent/topic", as a managed ledger is called.
std::string managed_ledger(std::string_view topic) {
  const auto name = model::parse_topic(topic);
  if (!name) return {};
  return std::string(name->ns) + "/persistent/" + std::string(name->local);
}

std::string schema(std::string_view topic) { return std::string(topic.substr(topic.find("://") + 3)); }

void write_tags(JsonWriter& json, const model::StoredLedger& ledger, AnonymousNames& names) {
  const auto tag = [&](std::string_view name, std::string_view value) {
    json.member(name, formats::encode_base64(value));
  };
  if (ledger.use == LedgerUse::kUnknown) return;
  tag("application", "pulsar");
  const auto topic = names.replace(NameKind::kTopic, ledger.topic);
  const auto cursor = ledger.cursor.empty() ? std::string{} : names.replace(NameKind::kCursor, ledger.cursor);
  switch (ledger.use) {
    case LedgerUse::kCursor:
      tag("pulsar/cursor", cursor);
      [[fallthrough]];
    case LedgerUse::kData:
      tag("component", "managed-ledger");
      return tag("pulsar/managed-ledger", managed_ledger(topic));
    case LedgerUse::kSchema:
      tag("component", "schema");
      return tag("pulsar/schemaId", schema(topic));
    case LedgerUse::kCompacted:
      tag("component", "compacted-ledger");
      return tag("pulsar/compactedTopic", topic);
    default:
      tag("component", "delayed-index-bucket");
      tag("pulsar/delayedIndexTopic", topic);
      return tag("pulsar/delayedIndexCursor", cursor);
  }
}

void write_ledger(JsonWriter& json, const model::StoredLedger& ledger, AnonymousNames& names) {
  json.key(std::to_string(ledger.id));
  if (!ledger.created_ms && !ledger.bytes && ledger.use == LedgerUse::kUnknown) return json.null();
  json.begin_object();
  json.member("state", ledger.bytes ? "CLOSED" : "OPEN");
  json.member("length", ledger.bytes.value_or(0));
  json.member("writeQuorumSize", ledger.copies);
  json.member("ctime", ledger.created_ms);
  json.key("customMetadata");
  json.begin_object();
  write_tags(json, ledger, names);
  json.end_object();
  json.end_object();
}

}  // namespace

std::string anonymous_ledgers(std::string_view json, AnonymousNames& names) {
  const auto ledgers = bookie::decode_ledger_list(json);
  if (!ledgers) return "\"damaged\"";
  JsonWriter writer;
  writer.begin_object();
  for (const auto& ledger : *ledgers) write_ledger(writer, ledger, names);
  writer.end_object();
  return writer.take();
}

}  // namespace tidemark::survey
