#include "survey/schedule.h"

#include <algorithm>

namespace tidemark::survey {
namespace {

constexpr Duration kHour{3600000};
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

Duration first_reask(Suspicion suspicion, const ReaskTimes& times) {
  switch (suspicion) {
    case Suspicion::kOnce:
      return times.once;
    case Suspicion::kFrozen:
      return times.frozen;
    case Suspicion::kDeviating:
      return times.deviating;
    case Suspicion::kNone:
      break;
  }
  return times.frozen_longest;
}

void make_due(Schedule& schedule, TimeMs now) {
  if (schedule.due_ms != 0 && schedule.due_ms <= now) return;
  schedule.due_ms = now;
  schedule.waiting_since_ms = now;
}

}  // namespace

// With the default windows, 8 days and 30 minutes: daily, 1 to 6 hours, 10 minutes.
ReaskTimes::ReaskTimes(Duration abandoned_after, Duration stuck_after)
    : once(std::min(24 * kHour, abandoned_after / 8)),
      frozen(std::min(kHour, abandoned_after / 192)),
      frozen_longest(std::min(6 * kHour, abandoned_after / 32)),
      deviating(std::min(kHour / 6, stuck_after / 3)),
      info(frozen) {}

Suspicion suspicion_of(const pulsar::SweepTopic& topic) {
  auto suspicion = deviates(topic) ? Suspicion::kDeviating : Suspicion::kNone;
  for (const auto& subscription : topic.subscriptions) {
    if (subscription.consumers > 0) continue;
    if (subscription.backlog_entries > 0) return Suspicion::kFrozen;
    suspicion = std::max(suspicion, Suspicion::kOnce);
  }
  return suspicion;
}

namespace {

// Consumers at work whose backlog does not shrink: what an entry is worth, and whether they are sent anything, is in
// the topic's own documents.
bool not_draining(const TopicFacts& facts, TimeMs now, const ReaskTimes& times) {
  return std::any_of(facts.standing.begin(), facts.standing.end(),
                     [&](const auto& one) { return now - one.second.since_ms >= times.deviating.count(); });
}

// Of what waits only statistics tell whether it is due. `standing` has those with consumers and a backlog.
bool may_be_delayed(const TopicFacts& facts) { return !facts.standing.empty() && facts.delays(); }

Suspicion suspicion_now(const TopicFacts& facts, TimeMs now, const ReaskTimes& times) {
  if (!facts.sweep.document) return Suspicion::kFrozen;
  const auto seen = suspicion_of(*facts.sweep.document);
  const bool ask = not_draining(facts, now, times) || may_be_delayed(facts);
  return seen < Suspicion::kFrozen && ask ? Suspicion::kDeviating : seen;
}

}  // namespace

void plan_after_sweep(TopicFacts& facts, bool ask_now, TimeMs now, const ReaskTimes& times) {
  const auto suspicion = suspicion_now(facts, now, times);
  auto& schedule = facts.schedule;
  // A subscription that lost its consumer while it had nothing to do, and now has, is another matter than it was.
  const bool worse = suspicion > schedule.suspicion;
  schedule.suspicion = suspicion;
  // A busy poll may end before it is put: a later sweep that looks healthy takes nothing of that back.
  schedule.owed = schedule.owed || ask_now;
  if (suspicion == Suspicion::kNone && !schedule.owed) {
    schedule.due_ms = 0;
    return;
  }
  if (schedule.owed || worse || (schedule.asked_ms != 0 && now - schedule.asked_ms >= schedule.reask.count()))
    make_due(schedule, now);
}

void plan_after_documents(TopicFacts& facts, bool changed, TimeMs now, const ReaskTimes& times) {
  auto& schedule = facts.schedule;
  const auto suspicion = suspicion_now(facts, now, times);
  schedule.asked_ms = now;
  schedule.due_ms = 0;
  schedule.owed = false;
  // An answer that was no good is asked for again at the next poll, and if that is none either, like what deviates.
  if (schedule.failures > 0) {
    schedule.reask = schedule.failures == 1 ? Duration{1} : times.deviating;
    return;
  }
  const bool grows = suspicion == Suspicion::kFrozen && !changed && schedule.reask.count() > 0;
  schedule.reask = grows ? std::min(2 * schedule.reask, times.frozen_longest) : first_reask(suspicion, times);
}

void plan_after_info(TopicFacts& facts, TimeMs now, const ReaskTimes& times) {
  facts.info_schedule.asked_ms = now;
  facts.info_schedule.reask = times.info;
  facts.info_schedule.due_ms = 0;
}

}  // namespace tidemark::survey
