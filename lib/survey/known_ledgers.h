#pragma once
// A topic's ledgers from the newest of its documents that list them, with the size of the last one where any told it.

#include "model/ledgers.h"
#include "model/snapshot.h"
#include "survey/topic_facts.h"

namespace tidemark::survey {

model::Ledgers known_ledgers(const TopicFacts& facts, model::Loaded loaded);

}  // namespace tidemark::survey
