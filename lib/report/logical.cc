#include "report/logical.h"

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

#include "model/names.h"

namespace tidemark::report {
namespace {

using Key = std::pair<std::string_view, std::string_view>;  // topic, cursor

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    const std::hash<std::string_view> hash;
    return hash(key.first) * 31 + hash(key.second);
  }
};

// Lower is worse.
int rank_of(model::State state) {
  const auto& word = model::word_of(state);
  constexpr int kStep = 100;
  if (!word.is_finding) return state == model::State::kOk ? 5 * kStep : 4 * kStep;
  return (static_cast<int>(model::Severity::kCritical) - static_cast<int>(word.severity)) * kStep +
         static_cast<int>(state);
}

void add_partition(LogicalSubscription& whole, const model::CursorVerdict& verdict) {
  const auto state = counted_state(verdict);
  // Among equals one that speaks stands for those that are silenced.
  const auto weight = [](const model::CursorVerdict& one) { return std::pair{!one.exception, one.pinned_bytes}; };
  const bool weightier = whole.worst != nullptr && state == whole.state && weight(verdict) > weight(*whole.worst);
  if (whole.worst == nullptr || is_worse(state, whole.state) || weightier) {
    whole.worst = &verdict;
    whole.state = state;
  }
  whole.partitions.push_back(&verdict);
  whole.backlog_entries = plus(whole.backlog_entries, verdict.backlog_entries);
  whole.pinned_bytes = plus(whole.pinned_bytes, verdict.pinned_bytes);
  whole.reclaimable_bytes = plus(whole.reclaimable_bytes, verdict.reclaimable_bytes);
  whole.topic_reclaimable_bytes = plus(whole.topic_reclaimable_bytes, verdict.topic_reclaimable_bytes);
}

}  // namespace

bool is_consumerless(model::State state) { return is_leftover(state) || state == model::State::kIdle; }

bool is_worse(model::State a, model::State b) { return rank_of(a) < rank_of(b); }

std::vector<std::string_view> tied_with(const model::CursorVerdict& verdict) {
  std::vector<std::string_view> others;
  if (!verdict.tie) return others;
  for (const auto& name : verdict.tie->cursors) {
    if (name != verdict.cursor) others.push_back(name);
  }
  return others;
}

Place place_of(std::string_view topic) {
  const auto name = model::parse_topic(topic);
  if (!name) return {{}, {}, topic};
  return {name->tenant, name->ns, name->parent};
}

std::vector<LogicalSubscription> logical_subscriptions(const model::Verdicts& verdicts) {
  std::vector<LogicalSubscription> all;
  all.reserve(verdicts.cursors.size());
  std::unordered_map<Key, std::size_t, KeyHash> index;
  for (const auto& verdict : verdicts.cursors) {
    if (verdict.kind == model::CursorKind::kReader) continue;
    const auto place = place_of(verdict.topic);
    auto at = all.size();
    // Most topics have no partitions, and a million look-ups would cost more than all the rest.
    if (place.parent.size() < verdict.topic.view().size()) {
      at = index.try_emplace(Key{place.parent, verdict.cursor}, at).first->second;
    }
    if (at == all.size()) all.emplace_back().place = place;
    add_partition(all[at], verdict);
  }
  return all;
}

}  // namespace tidemark::report
