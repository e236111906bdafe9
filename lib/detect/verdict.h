#pragma once
// What is written down once a state is decided: the verdict of one cursor with its ages, figures and facts, and the
// finding made of it. Says nothing new; every word of it comes out of the case.

#include "detect/case.h"
#include "model/finding.h"

namespace tidemark::detect {

// Everything but names, reclaimable bytes, origin and owner, which need more than the one cursor.
void fill_verdict(const CursorCase& c, model::State state, model::CursorVerdict& verdict);

// A replicator that stands while its backlog grows, and a disk is full in sight: no clean-up of subscriptions mends
// that. Nothing about other verdicts.
void weigh_stall(const CursorCase& c, std::optional<TimeMs> disk_full_ms, model::CursorVerdict& verdict);

// Puts what was found out after the state among the facts. Before finding_of(), which shares them.
void add_figures(model::CursorVerdict& verdict);

// `state`: the one it is reported under, which for an `unknown` verdict is the one it kept.
model::Finding finding_of(const model::CursorVerdict& verdict, const model::TopicView& topic, model::State state);

}  // namespace tidemark::detect
