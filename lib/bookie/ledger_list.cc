#include "bookie/ledger_list.h"

#include <charconv>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "formats/base64.h"
#include "formats/member_splitter.h"
#include "formats/shape.h"
#include "model/names.h"

namespace tidemark::bookie {
namespace {

using formats::Shape;
using model::LedgerUse;
using model::StoredLedger;
using Tags = std::map<std::string, std::string>;

struct Metadata {
  std::int64_t length = 0;
  std::string state;
  std::int64_t write_quorum = 1;
  std::int64_t created_ms = 0;
  Tags tags;  // base64 values
};

const Shape<Metadata>& metadata_shape() {
  static const auto shape = [] {
    using M = Metadata;
    Shape<M> made;
    made.value<&M::length>("length")
        .value<&M::state>("state")
        .value<&M::write_quorum>("writeQuorumSize")
        .value<&M::created_ms>("ctime")
        .texts<&M::tags>("customMetadata");
    return made;
  }();
  return shape;
}

std::string tag(const Tags& tags, const char* name) {
  const auto at = tags.find(name);
  return at == tags.end() ? std::string{} : formats::decode_base64(at->second).value_or("");
}

std::string checked(std::string topic) { return model::parse_topic(topic) ? std::move(topic) : std::string{}; }

// "tenant/namespace/persistent/<encoded topic>", of V1 with a cluster between.
std::string topic_of_managed_ledger(std::string_view name) {
  constexpr std::string_view kDomain = "/persistent/";
  const auto at = name.find(kDomain);
  if (at == std::string_view::npos) return {};
  return checked("persistent://" + std::string(name.substr(0, at)) + "/" +
                 model::decode_cursor_name(name.substr(at + kDomain.size())));
}

// "tenant/namespace/<encoded topic>".
std::string topic_of_schema(std::string_view id) {
  const auto at = id.rfind('/');
  if (at == std::string_view::npos) return {};
  return checked("persistent://" + std::string(id.substr(0, at + 1)) + model::decode_cursor_name(id.substr(at + 1)));
}

std::string topic_of_either(const std::string& name) {
  return name.find("://") == std::string::npos ? topic_of_managed_ledger(name) : checked(name);
}

void read_tags(const Tags& tags, StoredLedger& ledger) {
  if (tag(tags, "application") != "pulsar") return;
  const auto component = tag(tags, "component");
  if (component == "managed-ledger") {
    ledger.use = tags.contains("pulsar/cursor") ? LedgerUse::kCursor : LedgerUse::kData;
    ledger.topic = topic_of_managed_ledger(tag(tags, "pulsar/managed-ledger"));
    ledger.cursor = model::decode_cursor_name(tag(tags, "pulsar/cursor"));
  } else if (component == "schema") {
    ledger.use = LedgerUse::kSchema;
    ledger.topic = topic_of_schema(tag(tags, "pulsar/schemaId"));
  } else if (component == "compacted-ledger") {
    ledger.use = LedgerUse::kCompacted;
    ledger.topic = topic_of_either(tag(tags, "pulsar/compactedTopic"));
  } else if (component == "delayed-index-bucket") {
    ledger.use = LedgerUse::kDelayedIndex;
    ledger.topic = topic_of_either(tag(tags, "pulsar/delayedIndexTopic"));
    ledger.cursor = model::decode_cursor_name(tag(tags, "pulsar/delayedIndexCursor"));
  }
  if (ledger.topic.empty()) ledger.use = LedgerUse::kUnknown;
}

StoredLedger ledger_of(std::int64_t id, std::string_view item) {
  StoredLedger ledger;
  ledger.id = id;
  Metadata metadata;
  if (!formats::read_shape("ledger metadata", item, metadata_shape(), metadata)) return ledger;
  // An open one counts nothing in its metadata, which is not the same as nothing in it.
  if (metadata.state == "CLOSED" && metadata.length >= 0) ledger.bytes = metadata.length;
  ledger.copies = metadata.write_quorum > 0 ? metadata.write_quorum : 1;
  if (metadata.created_ms > 0) ledger.created_ms = metadata.created_ms;
  read_tags(metadata.tags, ledger);
  return ledger;
}

}  // namespace

Result<std::vector<StoredLedger>> decode_ledger_list(std::string_view body) {
  std::vector<StoredLedger> ledgers;
  formats::MemberSplitter splitter(1, std::numeric_limits<std::size_t>::max(),
                                   [&](formats::MemberSplitter::Path path, std::string_view item) -> Result<void> {
                                     const auto& key = path.back();
                                     std::int64_t id = -1;
                                     const auto got = std::from_chars(key.data(), key.data() + key.size(), id);
                                     if (got.ec == std::errc{} && got.ptr == key.data() + key.size())
                                       ledgers.push_back(ledger_of(id, item));
                                     return {};
                                   });
  auto done = splitter.feed(body);
  if (done) done = splitter.finish();
  if (!done) return done.error().at("ledger list");
  return ledgers;
}

}  // namespace tidemark::bookie
