#pragma once
// The cluster that benchmarks measure with: topic names of 60 bytes, 5 cursors a topic, 30 % of the cursor names
// unique, 5 % of the cursors with holes, 10 % moving each poll, and some left without a consumer.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model/snapshot.h"

namespace tidemark::bench {

inline constexpr std::size_t kCursorsPerTopic = 5;
inline constexpr std::size_t kTopicName = 60;
inline constexpr TimeMs kStart = 1735776000000;
inline constexpr TimeMs kInterval = 60000;

inline std::string topic_name(std::size_t index) {
  auto number = std::to_string(index);
  number.insert(0, 9 - number.size(), '0');  // in order by name
  auto name = "persistent://acme/shop/orders-" + number + "-";
  name.resize(kTopicName, 'x');
  return name;
}

inline model::CursorView cursor_of(std::size_t topic, std::size_t index, TimeMs now, std::size_t poll,
                                   std::size_t left_percent) {
  const auto number = topic * kCursorsPerTopic + index;
  model::CursorView cursor;
  cursor.name = number % 10 < 3 ? "worker-" + std::to_string(number) : "service-" + std::to_string(index);
  const bool moves = number % 10 == 9;
  const bool holed = number % 20 == 7;
  const bool left = !moves && !holed && (number * 37) % 100 < left_percent;
  const auto step = moves ? static_cast<std::int64_t>(poll) : 0;
  cursor.mark_delete = moves || holed || left ? model::Position{101, 19 + step} : model::Position{103, 49};
  cursor.position_at_ms = cursor.consumers_at_ms = cursor.stats_at_ms = cursor.backlog_at_ms = now;
  cursor.consumers = left ? 0 : 1;
  cursor.type = "Shared";
  cursor.backlog_entries = moves || holed || left ? 230 - step : 0;
  cursor.cursor_state = "Open";
  cursor.flow_ms = left ? kStart - 86400000 : now;
  if (holed) {
    cursor.acked = {{{101, 29}, {101, 99}}, {{102, -1}, {102, 9}}};
    *cursor.backlog_entries -= 80;
  }
  return cursor;
}

// `topic` of a cluster at poll number `poll`.
inline model::TopicView topic_of(std::size_t topic, TimeMs now, std::size_t poll, std::size_t left_percent) {
  model::TopicView view;
  view.name = topic_name(topic);
  view.ns = "acme/shop";
  view.loaded = model::Loaded::kYes;
  view.sweep_at_ms = view.stats_at_ms = view.internal_at_ms = now;
  view.ledgers = model::Ledgers{{{101, 100, 1000, {}, false}, {102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
  for (std::size_t c = 0; c < kCursorsPerTopic; ++c)
    view.cursors.push_back(cursor_of(topic, c, now, poll, left_percent));
  return view;
}

inline std::shared_ptr<const model::Snapshot> snapshot_of(std::size_t topics, std::size_t poll,
                                                          std::size_t left_percent) {
  auto snapshot = std::make_shared<model::Snapshot>();
  snapshot->at_ms = kStart + static_cast<TimeMs>(poll) * kInterval;
  snapshot->version = "4.0.7";
  for (std::size_t t = 0; t < topics; ++t)
    snapshot->topics.push_back(std::make_shared<model::TopicView>(topic_of(t, snapshot->at_ms, poll, left_percent)));
  return snapshot;
}

}  // namespace tidemark::bench
