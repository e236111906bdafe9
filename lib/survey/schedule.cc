#include "survey/schedule.h"

#include <algorithm>

namespace tidemark::survey {
namespace {

constexpr Duration kHour{3600000};
constexpr Duration kFirstReask = kHour;
constexpr Duration kLongestReask = 6 * kHour;
constexpr Duration kDaily = 24 * kHour;
constexpr Duration kDeviatingReask{600000};  // these move: a third of the default stuck_after
constexpr std::int64_t kUnexplainedBytes = 1LL << 30;

bool deviates(const pulsar::SweepTopic& topic) {
  std::int64_t backlog = 0;
  for (const auto& subscription : topic.subscriptions) {
    if (subscription.backlog_entries < 0 || subscription.acked_ranges > 0 || subscription.blocked_on_unacked)
      return true;
    if (subscription.backlog_entries > 0 && subscription.consumers > 0 && subscription.rate_out == 0) return true;
    backlog += subscription.backlog_entries;
  }
  for (const auto& replicator : topic.replicators) {
    if (replicator.backlog_entries > 0) return true;
  }
  if (topic.backlog_bytes > 0 && backlog == 0) return true;
  return topic.storage_bytes - topic.backlog_bytes > kUnexplainedBytes;
}

Duration first_reask(Suspicion suspicion) {
  switch (suspicion) {
    case Suspicion::kOnce:
      return kDaily;
    case Suspicion::kFrozen:
      return kFirstReask;
    case Suspicion::kDeviating:
      return kDeviatingReask;
    case Suspicion::kNone:
      break;
  }
  return kLongestReask;
}

void make_due(Schedule& schedule, TimeMs now) {
  if (schedule.due_ms != 0 && schedule.due_ms <= now) return;
  schedule.due_ms = now;
  schedule.waiting_since_ms = now;
}

}  // namespace

Suspicion suspicion_of(const pulsar::SweepTopic& topic) {
  auto suspicion = deviates(topic) ? Suspicion::kDeviating : Suspicion::kNone;
  for (const auto& subscription : topic.subscriptions) {
    if (subscription.consumers > 0) continue;
    if (subscription.backlog_entries > 0) return Suspicion::kFrozen;
    suspicion = std::max(suspicion, Suspicion::kOnce);
  }
  return suspicion;
}

void plan_after_sweep(TopicFacts& facts, bool ask_now, TimeMs now) {
  const auto suspicion = suspicion_of(*facts.sweep.document);
  auto& schedule = facts.schedule;
  const bool newly = suspicion != Suspicion::kNone && !schedule.suspicious;
  schedule.suspicious = suspicion != Suspicion::kNone;
  if (!schedule.suspicious && !ask_now) {
    schedule.due_ms = 0;
    return;
  }
  if (ask_now || newly || (schedule.asked_ms != 0 && now - schedule.asked_ms >= schedule.reask.count()))
    make_due(schedule, now);
}

void plan_after_documents(TopicFacts& facts, bool changed, TimeMs now) {
  auto& schedule = facts.schedule;
  const auto suspicion = facts.sweep.document ? suspicion_of(*facts.sweep.document) : Suspicion::kFrozen;
  // An answer that was no good is asked for again at the next poll, and if that is none either, like what deviates.
  if (schedule.failures > 0) {
    schedule.reask = schedule.failures == 1 ? Duration{1} : kDeviatingReask;
    schedule.asked_ms = now;
    schedule.due_ms = 0;
    return;
  }
  const auto first = first_reask(suspicion);
  const bool grows = suspicion == Suspicion::kFrozen && !changed && schedule.reask.count() > 0;
  schedule.reask = grows ? std::min(2 * schedule.reask, kLongestReask) : first;
  schedule.asked_ms = now;
  schedule.due_ms = 0;
}

void plan_after_info(TopicFacts& facts, TimeMs now) {
  facts.info_schedule.asked_ms = now;
  facts.info_schedule.reask = kHour;
  facts.info_schedule.due_ms = 0;
}

}  // namespace tidemark::survey
