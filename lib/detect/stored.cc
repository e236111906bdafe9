#include "detect/stored.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace tidemark::detect {
namespace {

using model::State;

constexpr std::array<std::string_view, kParts> kNames{"kept ", "pinned ", "paused ", "lagging ", "replication "};

struct Sums {
  std::int64_t topics = 0;
  std::int64_t unknown = 0;
  std::int64_t stored = 0;
  std::array<std::int64_t, kParts> parts{};
};

std::int64_t waits(const model::CursorVerdict& verdict) {
  return std::max(verdict.pinned_entries.value_or(0), verdict.backlog_entries.value_or(0));
}

Part part_of(const model::CursorVerdict& verdict) {
  if (verdict.kind == model::CursorKind::kReplicator) return Part::kReplication;
  switch (counted_state(verdict)) {
    case State::kIdle:
    case State::kRewound:
      return Part::kIdle;
    case State::kUnknown:
      return verdict.consumers.value_or(0) > 0 ? Part::kLagging : Part::kIdle;
    case State::kOk:
    case State::kLagging:
    case State::kDelayed:
      return Part::kLagging;
    default:
      return Part::kPinned;
  }
}

// Of the slowest cursor that pins.
Part holder_of(std::span<const model::CursorVerdict> cursors) {
  const model::CursorVerdict* slowest = nullptr;
  for (const auto& one : cursors) {
    if (one.kind == model::CursorKind::kReader) continue;
    if (slowest == nullptr || waits(one) > waits(*slowest)) slowest = &one;
  }
  return slowest != nullptr ? part_of(*slowest) : Part::kLagging;
}

void add(const model::TopicView& topic, std::span<const model::CursorVerdict> cursors, Sums& sums) {
  ++sums.topics;
  if (!topic.total_bytes) {
    ++sums.unknown;
    return;
  }
  const auto total = std::max<std::int64_t>(0, *topic.total_bytes);
  const auto backlog = std::clamp<std::int64_t>(topic.backlog_bytes.value_or(total), 0, total);
  sums.stored += total;
  sums.parts.at(static_cast<std::size_t>(Part::kKept)) += total - backlog;
  if (backlog > 0) sums.parts.at(static_cast<std::size_t>(holder_of(cursors))) += backlog;
}

}  // namespace

std::string stored_name(std::string_view ns) { return "stored " + std::string(ns); }

std::string part_name(Part part, std::string_view ns) {
  return std::string(kNames.at(static_cast<std::size_t>(part))).append(ns);
}

void observe_stored(const model::Snapshot& snapshot, const std::vector<model::CursorVerdict>& verdicts,
                    const Limits& limits, history::Figures& figures) {
  constexpr std::int64_t kFew = 20;  // one in so many
  std::map<std::string_view, Sums> sums;
  std::size_t at = 0;
  for (const auto& topic : snapshot.topics) {
    const auto count = topic->cursors.size();
    add(*topic, std::span(verdicts).subspan(at, count), sums[topic->ns]);
    at += count;
  }
  for (const auto& [ns, sum] : sums) {
    if (sum.unknown * kFew > sum.topics) continue;
    figures.add(stored_name(ns), snapshot.at_ms, sum.stored, limits.disk_window);
    for (std::size_t i = 0; i < kParts; ++i) {
      const auto name = part_name(static_cast<Part>(i), ns);
      if (sum.parts.at(i) == 0 && figures.find(name) == nullptr) continue;
      figures.add(name, snapshot.at_ms, sum.parts.at(i), limits.disk_window);
    }
  }
}

}  // namespace tidemark::detect
