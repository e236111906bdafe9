#include "detect/quotas.h"

#include <cmath>

#include "detect/traffic.h"

namespace tidemark::detect {

std::optional<ProducerQuota> producer_quota_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  const auto quota = model::quota_of(snapshot, topic);
  if (!quota.limits.bytes || *quota.limits.bytes <= 0 || quota.limits.evicts_by_size) return std::nullopt;
  return ProducerQuota{*quota.limits.bytes, quota.size_source};
}

std::string quota_name(const model::TopicView& topic) { return "quota " + topic.name; }

void observe_quotas(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures) {
  constexpr double kMillion = 1e6;
  constexpr double kUsed = 0.05 * kMillion;
  if (is_outage(snapshot)) return;
  for (const auto& topic : snapshot.topics) {
    if (topic->loaded != model::Loaded::kYes || !topic->backlog_bytes || *topic->backlog_bytes < 0) continue;
    const auto quota = producer_quota_of(snapshot, *topic);
    if (!quota) continue;
    const auto used = kMillion * static_cast<double>(*topic->backlog_bytes) / static_cast<double>(quota->bytes);
    const auto name = quota_name(*topic);
    if (used < kUsed && figures.find(name) == nullptr) continue;
    figures.add(name, snapshot.at_ms, std::llround(std::min(used, 1e12)), limits.disk_window);
  }
}

}  // namespace tidemark::detect
