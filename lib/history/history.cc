#include "history/history.h"

#include "history/age.h"
#include "model/policies.h"

namespace tidemark::history {

namespace {

Drains drains_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  return {model::ttl_seconds_of(snapshot, topic).value.value_or(0), model::quota_of(snapshot, topic).limits};
}

}  // namespace

History::Topic& History::Walk::of(const model::TopicView& topic) {
  auto& topics = history_.topics_;
  while (at_ != topics.end() && at_->first < topic.name) ++at_;
  const bool known = at_ != topics.end() && at_->first == topic.name;
  if (!known && topic.cursors.empty() && topic.ledgers.empty()) return none_ = Topic{};
  if (!known) at_ = topics.try_emplace(at_, topic.name);
  return at_->second;
}

History::Seen History::Walk::observe(const model::TopicView& topic) {
  auto& known = of(topic);
  auto& [cursors, whole] = known;
  whole.observe(topic);
  whole.seen_ms = snapshot_.at_ms;
  const auto drains = drains_of(snapshot_, topic);
  seen_.clear();
  std::size_t listed = 0;
  auto at = cursors.begin();
  for (const auto& cursor : topic.cursors) {
    if (cursor.kind == model::CursorKind::kReader) {
      seen_.push_back(nullptr);
      continue;
    }
    while (at != cursors.end() && at->first < cursor.name) ++at;
    if (at == cursors.end() || at->first != cursor.name) at = cursors.try_emplace(at, cursor.name);
    auto& history = at->second;
    // One of the same name, made anew, has no past.
    if (history.removed_ms) history = CursorHistory{};
    history.observe(topic, cursor, history_.tuning_, snapshot_.at_ms, drains);
    keep_bounds(history, topic, cursor);
    seen_.push_back(&history);
    ++listed;
  }
  if (listed == cursors.size()) return {known, seen_};
  for (auto& [name, history] : cursors) {
    if (history.seen_ms != snapshot_.at_ms && !history.removed_ms) history.removed_ms = snapshot_.at_ms;
  }
  return {known, seen_};
}

void History::observe(const model::Snapshot& snapshot) {
  Walk walk(*this, snapshot);
  for (const auto& topic : snapshot.topics) walk.observe(*topic);
}

CursorHistory* History::find(std::string_view topic, std::string_view cursor) {
  const auto at = topics_.find(topic);
  if (at == topics_.end()) return nullptr;
  auto& cursors = at->second.cursors;
  const auto found = cursors.find(cursor);
  return found == cursors.end() ? nullptr : &found->second;
}

const TopicHistory* History::topic(std::string_view topic) const {
  const auto at = topics_.find(topic);
  return at == topics_.end() ? nullptr : &at->second.whole;
}

TopicHistory* History::topic(std::string_view topic) {
  const auto at = topics_.find(topic);
  return at == topics_.end() ? nullptr : &at->second.whole;
}

void History::forget_unseen(TimeMs now, Duration keep) {
  for (auto topic = topics_.begin(); topic != topics_.end();) {
    auto& [cursors, whole] = topic->second;
    std::erase_if(cursors, [&](const auto& cursor) { return now - cursor.second.seen_ms > keep.count(); });
    topic = cursors.empty() && now - whole.seen_ms > keep.count() ? topics_.erase(topic) : std::next(topic);
  }
}

std::size_t History::cursors() const {
  std::size_t count = 0;
  for (const auto& [name, topic] : topics_) count += topic.cursors.size();
  return count;
}

std::size_t History::bytes() const {
  constexpr std::size_t kNode = 48;  // a red-black tree node's own words
  std::size_t sum = 0;
  for (const auto& [topic_name, topic] : topics_) {
    sum += kNode + sizeof(Cursors) + sizeof(std::string) + topic_name.capacity() + topic.whole.bytes();
    for (const auto& [name, history] : topic.cursors) {
      sum += kNode + sizeof(std::string) + name.capacity() + sizeof history;
    }
  }
  return sum;
}

}  // namespace tidemark::history
