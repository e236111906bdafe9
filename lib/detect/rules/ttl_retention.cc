// Data that outlived the policies of its namespace. What is not acknowledged goes by its TTL, what is by retention,
// closed ledgers at a time; older than both together, than the longest that a ledger stays open and than one check,
// nothing should be. A part without end, or whose policy cannot be read, is never exceeded.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/units.h"
#include "detect/message_age.h"
#include "detect/rules/rules.h"
#include "model/policies.h"

namespace tidemark::detect::rules {
namespace {

constexpr std::int64_t kRolloverMinutes = 240;  // managedLedgerMaxLedgerRolloverTimeMinutes, unless set

// Beyond these nothing should be there. Empty: without end, or not known.
struct Lifetime {
  std::optional<Duration> unacknowledged;
  std::optional<Duration> acknowledged;
  std::chrono::seconds ttl{0};
};

// A ledger goes as soon as either limit lets it, and a limit of 0 always does.
std::optional<Duration> retained_for(const std::optional<model::Retention>& retention) {
  if (!retention) return std::nullopt;
  if (retention->minutes == 0 || retention->megabytes == 0) return Duration{0};
  if (retention->minutes < 0) return std::nullopt;
  return std::chrono::minutes{retention->minutes};
}

Lifetime lifetime_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  const auto retention = retained_for(model::retention_of(snapshot, topic).value);
  const auto rollover = std::chrono::minutes{snapshot.defaults.max_rollover_minutes.value_or(kRolloverMinutes)};
  if (!retention || rollover.count() <= 0) return {};
  Lifetime life;
  life.acknowledged = *retention + rollover + std::chrono::seconds{retention_check_seconds(snapshot)};
  const auto ttl = life.ttl = std::chrono::seconds{model::ttl_seconds_of(snapshot, topic).value.value_or(0)};
  // By the operators' formula.
  const auto whole = ttl < *retention ? ttl + *retention : Duration{ttl};
  if (ttl.count() > 0) life.unacknowledged = whole + rollover + expiry_check(snapshot);
  return life;
}

struct Old {
  TimeMs at = 0;
  TimeMs seen_ms = 0;  // it was still there
  Duration allowed{0};
  const model::TopicView* topic = nullptr;
  std::string cursor;
};

std::optional<Old> oldest_unacknowledged_of(const ClusterCase& c, const model::TopicView& topic,
                                            const history::Topic& past, const Lifetime& life) {
  std::optional<Old> worst;
  for (const auto& cursor : topic.cursors) {
    if (cursor.kind != model::CursorKind::kSubscription) continue;
    const auto* known = past.find(cursor.name);
    if (known == nullptr) continue;
    const auto one = make_case(c.snapshot, topic, cursor, *known, c.limits);
    const auto oldest = oldest_unacknowledged(one, past.whole);
    const auto allowed = *life.unacknowledged + expiry_patience(one, life.ttl);
    if (!oldest || oldest->seen_ms - oldest->at <= allowed.count() || (worst && worst->at <= oldest->at)) continue;
    worst = Old{oldest->at, oldest->seen_ms, allowed, &topic, cursor.name};
  }
  return worst;
}

// The first ledger, when it was still listed two trims after no cursor needed it any more.
std::optional<Old> oldest_acknowledged_of(const ClusterCase& c, const model::TopicView& topic,
                                          const history::TopicHistory& past, Duration allowed) {
  const auto unneeded = past.first_unneeded();
  if (!unneeded) return std::nullopt;
  const auto [since, seen] = *unneeded;
  const bool fresh = c.snapshot.at_ms - seen <= (topic.reask + 2 * c.snapshot.interval).count();
  if (!fresh || seen - since < 2000 * retention_check_seconds(c.snapshot)) return std::nullopt;
  const auto closed = closed_by(topic, past, topic.ledgers.list().front());
  if (!closed || seen - closed->at <= allowed.count()) return std::nullopt;
  return Old{closed->at, seen, allowed, &topic, {}};
}

// Ledgers are closed in order, and a rollover after their first entry at the latest, which `life` allows for. Spares
// most topics the look into their memory.
bool may_be_old(const model::Snapshot& snapshot, const model::TopicView& topic, const Lifetime& life) {
  if (topic.system || topic.ledgers.empty() || (!life.unacknowledged && !life.acknowledged)) return false;
  const auto& first = topic.ledgers.list().front();
  const auto least =
      std::min(life.unacknowledged.value_or(Duration::max()), life.acknowledged.value_or(Duration::max()));
  return !first.closed_ms || snapshot.at_ms - *first.closed_ms > least.count();
}

struct Worst {
  Old old;
  std::int64_t topics = 0;
};

// By namespace and cause.
using Worsts = std::map<std::pair<std::string, std::string>, Worst>;

void take(Worsts& worsts, const std::string& cause, std::optional<Old> old) {
  if (!old) return;
  auto& worst = worsts[{old->topic->ns, cause}];
  ++worst.topics;
  if (worst.old.topic == nullptr || old->at < worst.old.at) worst.old = std::move(*old);
}

void report(const std::string& ns, const std::string& cause, const Worst& worst, Findings& out) {
  const auto& old = worst.old;
  auto finding = namespace_finding(model::Rule::kTtlRetention, ns);
  finding.since_ms = old.at + old.allowed.count();
  finding.summary = fmt::format("{} data is older than {} in {} topic{}; its policies and a ledger's rollover allow {}",
                                cause, format_duration(Duration{old.seen_ms - old.at}), worst.topics,
                                worst.topics == 1 ? "" : "s", format_duration(old.allowed));
  finding.evidence = {{"cause", cause},
                      {"oldest_ms", old.at},
                      {"allowed_seconds", std::chrono::duration_cast<std::chrono::seconds>(old.allowed).count()},
                      {"topics", worst.topics},
                      {"worst_topic", old.topic->name},
                      {"worst_topic_loaded", old.topic->loaded != model::Loaded::kNo}};
  if (!old.cursor.empty()) finding.evidence.emplace_back("worst_cursor", old.cursor);
  out.push_back(std::move(finding));
}

}  // namespace

void ttl_retention(const ClusterCase& c, Findings& out) {
  Worsts worsts;
  for (const auto& topic : c.snapshot.topics) {
    const auto life = lifetime_of(c.snapshot, *topic);
    if (!may_be_old(c.snapshot, *topic, life)) continue;
    const auto past = c.history.all_of(topic->name);
    if (!past) continue;
    if (life.unacknowledged) {
      take(worsts, "unacknowledged", oldest_unacknowledged_of(c, *topic, *past, life));
    }
    if (life.acknowledged) {
      take(worsts, "acknowledged", oldest_acknowledged_of(c, *topic, past->whole, *life.acknowledged));
    }
  }
  for (const auto& [key, worst] : worsts) report(key.first, key.second, worst, out);
}

}  // namespace tidemark::detect::rules
