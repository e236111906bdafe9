#include "history/history.h"

#include "history/age.h"

namespace tidemark::history {

namespace {

Drains drains_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  Drains drains{snapshot.defaults.ttl_seconds.value_or(0), snapshot.defaults.quota};
  const auto ns = snapshot.namespaces.find(topic.ns);
  if (ns == snapshot.namespaces.end()) return drains;
  drains.ttl_seconds = ns->second.ttl_seconds.value_or(drains.ttl_seconds);
  if (ns->second.quota) drains.quota = ns->second.quota;
  return drains;
}

}  // namespace

History::Cursors& History::Walk::of(const model::TopicView& topic) {
  auto& topics = history_.topics_;
  while (at_ != topics.end() && at_->first < topic.name) ++at_;
  const bool known = at_ != topics.end() && at_->first == topic.name;
  if (!known && topic.cursors.empty()) return none_;
  if (!known) at_ = topics.try_emplace(at_, topic.name);
  return at_->second;
}

History::Cursors& History::Walk::observe(const model::TopicView& topic) {
  auto& cursors = of(topic);
  const auto drains = drains_of(snapshot_, topic);
  for (const auto& cursor : topic.cursors) {
    if (cursor.kind == model::CursorKind::kReader) continue;
    auto& history = cursors[cursor.name];
    // One of the same name, made anew, has no past.
    if (history.removed_ms) history = CursorHistory{};
    history.observe(topic, cursor, history_.tuning_, snapshot_.at_ms, drains);
    keep_bounds(history, topic, cursor);
  }
  for (auto& [name, history] : cursors) {
    if (history.seen_ms != snapshot_.at_ms && !history.removed_ms) history.removed_ms = snapshot_.at_ms;
  }
  return cursors;
}

void History::observe(const model::Snapshot& snapshot) {
  Walk walk(*this, snapshot);
  for (const auto& topic : snapshot.topics) walk.observe(*topic);
}

CursorHistory* History::find(std::string_view topic, std::string_view cursor) {
  const auto at = topics_.find(topic);
  if (at == topics_.end()) return nullptr;
  const auto found = at->second.find(cursor);
  return found == at->second.end() ? nullptr : &found->second;
}

void History::forget_unseen(TimeMs now, Duration keep) {
  for (auto topic = topics_.begin(); topic != topics_.end();) {
    std::erase_if(topic->second, [&](const auto& cursor) { return now - cursor.second.seen_ms > keep.count(); });
    topic = topic->second.empty() ? topics_.erase(topic) : std::next(topic);
  }
}

std::size_t History::cursors() const {
  std::size_t count = 0;
  for (const auto& [topic, cursors] : topics_) count += cursors.size();
  return count;
}

std::size_t History::bytes() const {
  constexpr std::size_t kNode = 48;  // a red-black tree node's own words
  std::size_t sum = 0;
  for (const auto& [topic, cursors] : topics_) {
    sum += kNode + sizeof(Cursors) + sizeof(std::string) + topic.capacity();
    for (const auto& [name, history] : cursors) {
      sum += kNode + sizeof(std::string) + name.capacity() + sizeof history;
    }
  }
  return sum;
}

}  // namespace tidemark::history
