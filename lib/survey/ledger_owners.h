#pragma once
// Whether anything refers to a ledger: what its own metadata names, held against the documents of that. Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/stored_ledgers.h"
#include "survey/topic_facts.h"

namespace tidemark::survey {

// What was read of one topic; documents from before `since_ms` may show a reference and prove none missing.
struct TopicPapers {
  TimeMs since_ms = 0;
  std::vector<const TopicFacts*> facts;                       // its own; of a schema its partitions', too
  bool gone = false;                                          // no list, no sweep and no metadata has it
  const std::vector<std::int64_t>* schema_ledgers = nullptr;  // read since; null: were not
};

// Empty: something refers to it.
std::optional<model::Unreferenced> why_loose(const model::StoredLedger& ledger, const TopicPapers& papers);

}  // namespace tidemark::survey
