#pragma once
// TopicFacts -> TopicView: documents of different kinds and times merged into what is true of the topic now. Per-topic
// documents win over a sweep of the same poll, because the sweep is up to one statistics period older.

#include <memory>

#include "base/time.h"
#include "model/snapshot.h"
#include "survey/topic_facts.h"

namespace tidemark::survey {

struct AssembleContext {
  TimeMs now = 0;
  Duration stats_period{60000};    // how old a sweep may be
  Duration clock_offset{0};        // of the brokers' clocks, taken from what they tell
  bool sweeps_conclusive = false;  // every broker's sweep of this poll is whole and plausible
  bool sweeps_exist = false;  // false: a recording without sweeps, then a topic's own documents show that it is loaded
  model::CursorNames cursor_names = {};
};

model::Loaded loaded_state(const TopicFacts& facts, const AssembleContext& context);

std::shared_ptr<const model::TopicView> assemble(const TopicFacts& facts, const AssembleContext& context);

}  // namespace tidemark::survey
