#pragma once
// One topic with as many cursors as a rule's test needs, polled and judged: all documents are of the poll's time.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detect/judge.h"
#include "history/topics.h"
#include "support/catch.h"

namespace tidemark::testing {

struct TopicBench {
  history::History history;
  detect::Limits limits;
  model::Snapshot snapshot;
  model::NamespaceView ns;
  model::TopicView topic = OneCursor{}.topic;
  bool sweep_only = false;

  TopicBench() {
    limits.report_gauges = true;
    limits.held_min_bytes = 0;
    snapshot.version = "4.0.7";
    snapshot.interval = Duration{kMinute};
    ns.name = topic.ns;
    ns.policies_known = true;
    ns.retention = model::Retention{0, 0};
    topic.ledger_open = true;
    topic.publishers = 1;
    topic.messages_in = 250;
  }

  // Valid until the next add().
  model::CursorView& add(const std::string& name, model::Position position) {
    model::CursorView cursor;
    cursor.name = name;
    cursor.cursor_state = "Open";
    cursor.mark_delete = position;
    cursor.consumers = 0;
    topic.cursors.push_back(cursor);
    return topic.cursors.back();
  }

  model::Verdicts poll(TimeMs now) {
    auto view = std::make_shared<model::TopicView>(topic);
    if (view->loaded == model::Loaded::kNo) {
      view->absent_at_ms = view->info_at_ms = now;
      view->read_since_absent = true;
    } else {
      view->sweep_at_ms = now;
      if (!sweep_only) topic.stats_at_ms = topic.internal_at_ms = view->stats_at_ms = view->internal_at_ms = now;
    }
    for (std::size_t i = 0; i < view->cursors.size(); ++i) {
      auto& cursor = view->cursors[i];
      cursor.consumers_at_ms = now;
      if (cursor.backlog_entries) cursor.backlog_at_ms = now;
      if (sweep_only) continue;
      topic.cursors[i].position_at_ms = cursor.position_at_ms = now;
      if (view->loaded != model::Loaded::kNo) topic.cursors[i].stats_at_ms = cursor.stats_at_ms = now;
    }
    snapshot.topics = {view};
    snapshot.namespaces[topic.ns] = ns;
    return again(now);
  }

  // Nobody answers: what was seen last is judged once more.
  model::Verdicts again(TimeMs now) {
    snapshot.at_ms = now;
    const auto patterns = detect::Patterns::compile(limits);
    REQUIRE(patterns.has_value());
    return detect::judge(snapshot, history, *patterns, limits);
  }
};

inline std::vector<model::Finding> findings_of(const model::Verdicts& verdicts, const std::string& rule) {
  std::vector<model::Finding> found;
  for (const auto& finding : verdicts.findings) {
    if (finding.rule == rule) found.push_back(finding);
  }
  return found;
}

// The named fact; empty when there is none or it is of another type.
template <class T>
std::optional<T> fact(const model::Finding& finding, const std::string& key) {
  for (const auto& [name, value] : finding.evidence) {
    if (name == key && std::holds_alternative<T>(value)) return std::get<T>(value);
  }
  return std::nullopt;
}

}  // namespace tidemark::testing
