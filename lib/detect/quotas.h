#pragma once
// How full the backlog quotas are that hold or fail producers: of topics that used a good part of theirs, over time.

#include <chrono>
#include <optional>
#include <string>

#include "detect/limits.h"
#include "history/figures.h"
#include "model/policies.h"
#include "model/snapshot.h"

namespace tidemark::detect {

struct ProducerQuota {
  std::int64_t bytes = 0;
  model::PolicySource source = model::PolicySource::kUnknown;
};

// By size, and not one that evicts. Empty where there is none, or none is known.
std::optional<ProducerQuota> producer_quota_of(const model::Snapshot& snapshot, const model::TopicView& topic);

// By the age of the oldest message that nobody acknowledged, likewise.
struct AgeQuota {
  std::chrono::seconds age{0};
  model::PolicySource source = model::PolicySource::kUnknown;
};
std::optional<AgeQuota> age_quota_of(const model::Snapshot& snapshot, const model::TopicView& topic);

// The name of its figure: the backlog in millionths of the quota.
std::string quota_name(const model::TopicView& topic);

// Takes the loaded topics that use a twentieth of theirs, or did within `limits.disk_window`.
void observe_quotas(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures);

}  // namespace tidemark::detect
