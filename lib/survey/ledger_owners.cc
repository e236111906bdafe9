#include "survey/ledger_owners.h"

#include <algorithm>

namespace tidemark::survey {
namespace {

using model::LedgerUse;
using model::StoredLedger;
using model::Unreferenced;

constexpr const char* kCompaction = "__compaction";

// What one document says of one ledger.
enum class Word { kNone, kListed, kMissing, kNoCursor };

template <class Ledgers>
bool has_ledger(const Ledgers& ledgers, std::int64_t id) {
  return std::any_of(ledgers.begin(), ledgers.end(), [&](const auto& ledger) { return ledger.id == id; });
}

Word word_of_info(const StoredLedger& ledger, const pulsar::InternalInfo& info) {
  if (ledger.use == LedgerUse::kData) return has_ledger(info.ledgers, ledger.id) ? Word::kListed : Word::kMissing;
  const auto name = ledger.use == LedgerUse::kCompacted ? kCompaction : ledger.cursor;
  const auto cursor =
      std::find_if(info.cursors.begin(), info.cursors.end(), [&](const auto& one) { return one.name == name; });
  const bool known = cursor != info.cursors.end();
  switch (ledger.use) {
    case LedgerUse::kCursor:
      if (!known) return Word::kNoCursor;
      return cursor->cursor_ledger == ledger.id ? Word::kListed : Word::kMissing;
    case LedgerUse::kCompacted:
      if (!known) return Word::kNoCursor;
      if (!cursor->compacted_ledger) return Word::kNone;
      return *cursor->compacted_ledger == ledger.id ? Word::kListed : Word::kMissing;
    case LedgerUse::kDelayedIndex:
      return known ? Word::kNone : Word::kNoCursor;  // no document shows what the cursor refers to
    default:
      return Word::kNone;
  }
}

Word word_of_internal(const StoredLedger& ledger, const pulsar::InternalStats& internal) {
  switch (ledger.use) {
    case LedgerUse::kData:
      return has_ledger(internal.ledgers, ledger.id) ? Word::kListed : Word::kMissing;
    case LedgerUse::kCursor: {
      // What the broker uses; what it would come back with is in the metadata.
      const auto uses = [&](const auto& cursor) { return cursor.cursor_ledger == ledger.id; };
      return std::any_of(internal.cursors.begin(), internal.cursors.end(), uses) ? Word::kListed : Word::kNone;
    }
    case LedgerUse::kCompacted:
      if (!internal.compacted_ledger) return Word::kNone;
      return internal.compacted_ledger->id == ledger.id ? Word::kListed : Word::kMissing;
    case LedgerUse::kSchema:
      if (internal.schema_ledgers.empty()) return Word::kNone;
      return has_ledger(internal.schema_ledgers, ledger.id) ? Word::kListed : Word::kMissing;
    default:
      return Word::kNone;
  }
}

// What all documents say together. Whoever lists it is believed, of the new ones first.
class Reading {
 public:
  explicit Reading(TimeMs since_ms) : since_ms_(since_ms) {}

  void add(Word word, TimeMs at_ms) {
    const bool is_new = at_ms >= since_ms_;
    if (word == Word::kListed) (is_new ? listed_ : was_listed_) = true;
    if (!is_new) return;
    if (word == Word::kNoCursor) why_ = Unreferenced::kCursorGone;
    if (word == Word::kMissing && why_ == Unreferenced::kUnproven) why_ = Unreferenced::kUnlisted;
  }

  std::optional<Unreferenced> why() const {
    const bool is_old_news = was_listed_ && why_ == Unreferenced::kUnproven;
    return listed_ || is_old_news ? std::nullopt : std::optional(why_);
  }

 private:
  TimeMs since_ms_;
  bool listed_ = false;
  bool was_listed_ = false;
  Unreferenced why_ = Unreferenced::kUnproven;
};

std::optional<Unreferenced> by_schema(const StoredLedger& ledger, const std::vector<std::int64_t>& ledgers) {
  if (std::find(ledgers.begin(), ledgers.end(), ledger.id) != ledgers.end()) return std::nullopt;
  return Unreferenced::kUnlisted;
}

}  // namespace

std::optional<Unreferenced> why_loose(const StoredLedger& ledger, const TopicPapers& papers) {
  if (ledger.use == LedgerUse::kUnknown) return Unreferenced::kUnproven;
  if (ledger.use == LedgerUse::kSchema && papers.schema_ledgers != nullptr)
    return by_schema(ledger, *papers.schema_ledgers);
  if (papers.gone) return Unreferenced::kTopicGone;
  Reading reading(papers.since_ms);
  for (const auto* facts : papers.facts) {
    if (facts->info.document && ledger.use != LedgerUse::kSchema)
      reading.add(word_of_info(ledger, *facts->info.document), facts->info.at_ms);
    if (facts->internal.document)
      reading.add(word_of_internal(ledger, *facts->internal.document), facts->internal.at_ms);
  }
  return reading.why();
}

}  // namespace tidemark::survey
