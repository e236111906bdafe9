#include "detect/quotas.h"

#include <cmath>
#include <string_view>
#include <unordered_set>

#include "detect/traffic.h"

namespace tidemark::detect {
namespace {

constexpr std::string_view kFront = "quota ";

// Topics that have a figure already, whose views live as long as it does.
std::unordered_set<std::string_view> known_topics(const history::Figures& figures) {
  std::unordered_set<std::string_view> known;
  figures.each([&](std::string_view figure, const history::Series&) {
    if (figure.starts_with(kFront)) known.insert(figure.substr(kFront.size()));
  });
  return known;
}

}  // namespace

std::optional<ProducerQuota> producer_quota_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  const auto quota = model::quota_of(snapshot, topic);
  if (!quota.limits.bytes || *quota.limits.bytes <= 0 || quota.limits.evicts_by_size) return std::nullopt;
  return ProducerQuota{*quota.limits.bytes, quota.size_source};
}

std::optional<AgeQuota> age_quota_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  const auto quota = model::quota_of(snapshot, topic);
  if (!quota.limits.seconds || *quota.limits.seconds <= 0 || quota.limits.evicts_by_age) return std::nullopt;
  return AgeQuota{std::chrono::seconds{*quota.limits.seconds}, quota.age_source};
}

std::string quota_name(const model::TopicView& topic) { return std::string(kFront).append(topic.name); }

void observe_quotas(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures) {
  constexpr double kMillion = 1e6;
  constexpr double kUsed = 0.05 * kMillion;
  if (is_outage(snapshot)) return;
  const auto known = known_topics(figures);
  for (const auto& topic : snapshot.topics) {
    if (topic->loaded != model::Loaded::kYes || !topic->backlog_bytes || *topic->backlog_bytes < 0) continue;
    const auto quota = producer_quota_of(snapshot, *topic);
    if (!quota) continue;
    const auto used = kMillion * static_cast<double>(*topic->backlog_bytes) / static_cast<double>(quota->bytes);
    if (used < kUsed && !known.contains(topic->name)) continue;
    figures.add(quota_name(*topic), snapshot.at_ms, std::llround(std::min(used, 1e12)), limits.disk_window);
  }
}

}  // namespace tidemark::detect
