#pragma once
// One topic with one cursor, polled and judged again and again: the start of every test of a state.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "detect/judge.h"
#include "history/topics.h"

namespace tidemark::testing {

using model::State;

// Polls of one topic with one cursor, each judged.
struct Bench {
  history::History history;
  detect::OriginPatterns origins = detect::OriginPatterns::compile({}).value();
  detect::Limits limits;
  OneCursor seen;
  Duration interval{kMinute};
  TimeMs at = 0;
  TimeMs absent_at = 0;
  bool listed = true;  // by its topic's documents
  std::optional<model::Retention> retention = model::Retention{0, 0};
  std::optional<std::int64_t> compaction_threshold;
  std::optional<std::int64_t> dedup_interval;
  std::vector<model::BookieView> bookies;

  // Documents of now, unless `documents` is false: then only the poll goes on.
  model::Verdicts poll(TimeMs now, model::Position position, int consumers = 0, bool documents = true) {
    at = now;
    if (documents) seen.at(now, position, consumers);
    model::Snapshot snapshot;
    snapshot.at_ms = now;
    snapshot.interval = interval;
    snapshot.version = "4.0.7";
    model::NamespaceView ns;
    ns.policies_known = true;
    ns.retention = retention;
    ns.ttl_seconds = 0;
    ns.compaction_threshold_bytes = compaction_threshold;
    snapshot.defaults.dedup_interval_entries = dedup_interval;
    snapshot.namespaces["acme/shop"] = ns;
    auto topic = std::make_shared<model::TopicView>(seen.topic);
    topic->sweep_at_ms = topic->internal_at_ms = seen.cursor.position_at_ms;
    topic->absent_at_ms = std::max(absent_at, seen.cursor.position_at_ms);
    if (listed) topic->cursors = {seen.cursor};
    snapshot.topics = {topic};
    snapshot.bookies = bookies;
    return detect::judge(snapshot, history, origins, limits);
  }

  State state(TimeMs now, model::Position position, int consumers = 0) {
    return poll(now, position, consumers).cursors.at(0).state;
  }
};

inline bool has_finding(const model::Verdicts& verdicts, const std::string& rule) {
  return std::any_of(verdicts.findings.begin(), verdicts.findings.end(), [&](const auto& f) { return f.rule == rule; });
}

}  // namespace tidemark::testing
