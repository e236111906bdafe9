#include "pulsar/schema_metadata.h"

#include <optional>

#include "formats/shape.h"

namespace tidemark::pulsar {
namespace {

using formats::Shape;

struct Entry {
  std::optional<std::int64_t> ledger;
};

struct Schema {
  Entry info;
  std::vector<Entry> index;
};

}  // namespace

Result<std::vector<std::int64_t>> decode_schema_metadata(std::string_view body) {
  if (body.empty()) return std::vector<std::int64_t>{};
  static const auto entry = Shape<Entry>().value<&Entry::ledger>("ledgerId");
  static const auto shape = Shape<Schema>().object<&Schema::info>("info", entry).list<&Schema::index>("index", entry);
  Schema schema;
  if (auto done = formats::read_shape("schema metadata", body, shape, schema); done.has_error()) return done.error();
  std::vector<std::int64_t> ledgers;
  schema.index.push_back(schema.info);
  for (const auto& one : schema.index) {
    if (one.ledger) ledgers.push_back(*one.ledger);
  }
  return ledgers;
}

}  // namespace tidemark::pulsar
