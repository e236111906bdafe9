#pragma once
// How many subscriptions have no consumer, by topic, namespace and tenant, over time. One of a partitioned topic counts
// once in its namespace, so that more partitions are no growth.

#include <vector>

#include "detect/limits.h"
#include "history/figures.h"
#include "model/finding.h"
#include "model/snapshot.h"

namespace tidemark::detect {

// Takes the counts of this poll. Of a topic those of which some consumers are not known, and of namespaces those of
// which many are not, are left out; so is the whole poll while brokers or bookies are missing, when consumers show as
// 0.
void observe_counts(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures);

// Of what was counted in this poll, was watched for half of `limits.growth_window` and moved by as much as may be
// growth.
std::vector<model::CountGrowth> count_growths(const model::Snapshot& snapshot, const history::Figures& figures,
                                              const Limits& limits);

}  // namespace tidemark::detect
