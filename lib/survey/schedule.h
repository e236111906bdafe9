#pragma once
// Which topics deserve documents of their own, and when. Asking costs the broker, so a topic that nothing changes on is
// asked ever more rarely: 1, 2, 4 and then every 6 hours (docs/design.md section 3), or sooner where verdicts are drawn
// from shorter windows than the default ones.

#include "base/time.h"
#include "survey/topic_facts.h"

namespace tidemark::survey {

Suspicion suspicion_of(const pulsar::SweepTopic& topic);

// How long an answer is good for. A place that must stand for `abandoned_after` is never older than a 32nd of that, one
// that must stand for `stuck_after` than a third.
struct ReaskTimes {
  ReaskTimes(Duration abandoned_after, Duration stuck_after);

  Duration once;
  Duration frozen;          // doubled while nothing changes
  Duration frozen_longest;  // as far as this
  Duration deviating;
  Duration info;  // of what is not loaded
};

// After a sweep: makes the topic due when it is more suspicious than it was, when something moved (`ask_now`), or when
// its time has come.
void plan_after_sweep(TopicFacts& facts, bool ask_now, TimeMs now, const ReaskTimes& times);

// After its documents came: when to ask again. `changed`: they were not what they had been.
void plan_after_documents(TopicFacts& facts, bool changed, TimeMs now, const ReaskTimes& times);

// After an internal-info came.
void plan_after_info(TopicFacts& facts, TimeMs now, const ReaskTimes& times);

}  // namespace tidemark::survey
