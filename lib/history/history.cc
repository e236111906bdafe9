#include "history/history.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "history/age.h"
#include "model/policies.h"

namespace tidemark::history {
namespace {

Drains drains_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  return {model::ttl_seconds_of(snapshot, topic).value.value_or(0), model::quota_of(snapshot, topic).limits};
}

bool by_name(const std::pair<std::string, CursorHistory>& a, const std::pair<std::string, CursorHistory>& b) {
  return a.first < b.first;
}

}  // namespace

void History::Walk::open(const model::TopicView& topic) {
  auto& topics = history_.topics_;
  while (at_ != topics.end() && at_->topic.name() < topic.name) ++at_;
  const bool known = at_ != topics.end() && at_->topic.name() == topic.name;
  kept_ = known || !topic.cursors.empty() || !topic.ledgers.empty();
  if (!kept_) {
    open_ = Topic{};
    return;
  }
  if (!known) {
    const auto before = topics.size();
    at_ = topics.insert(at_, Kept{PackedTopic(topic.name)});
    if (topics.size() > before) history_.count(at_->topic, 1);
  }
  at_->topic.unpack(open_);
}

void History::Walk::keep() {
  if (!kept_) return;
  kept_ = false;
  std::erase_if(open_.cursors, [&](const auto& cursor) {
    const auto& removed_ms = cursor.second.removed_ms;
    return removed_ms && snapshot_.at_ms - *removed_ms > history_.tuning_.keep_removed.count();
  });
  history_.count(at_->topic, -1);
  at_->topic.pack(open_, packer_, packed_);
  history_.count(at_->topic, 1);
}

void History::Walk::find_cursors(const model::TopicView& topic) {
  seen_.clear();
  auto at = open_.cursors.begin();
  for (const auto& cursor : topic.cursors) {
    if (cursor.kind == model::CursorKind::kReader) {
      seen_.push_back(nullptr);
      continue;
    }
    while (at != open_.cursors.end() && at->first < cursor.name) ++at;
    if (at == open_.cursors.end() || at->first != cursor.name)
      at = std::lower_bound(open_.cursors.begin(), open_.cursors.end(), cursor.name,
                            [](const auto& known, const auto& name) { return known.first < name; });
    seen_.push_back(at != open_.cursors.end() && at->first == cursor.name ? &at->second : nullptr);
  }
}

void History::Walk::add_missing(const model::TopicView& topic) {
  find_cursors(topic);
  const auto known = open_.cursors.size();
  for (std::size_t i = 0; i < topic.cursors.size(); ++i) {
    const auto& cursor = topic.cursors[i];
    if (seen_[i] == nullptr && cursor.kind != model::CursorKind::kReader)
      open_.cursors.emplace_back(cursor.name, CursorHistory{});
  }
  if (open_.cursors.size() == known) return;
  std::sort(open_.cursors.begin(), open_.cursors.end(), by_name);
  find_cursors(topic);
}

void History::Walk::take_leave() {
  for (auto& [name, history] : open_.cursors) {
    if (history.seen_ms != snapshot_.at_ms && !history.removed_ms) history.removed_ms = snapshot_.at_ms;
  }
}

// Whoever has a consumer needs no past.
void History::Walk::recognise(const model::TopicView& topic, const model::CursorView& cursor, bool placed,
                              CursorHistory& history) {
  if (!history.mark_delete || (placed && history_.exported_.topics.empty())) return;
  auto& topics = history_.exported_.topics;
  const auto of_topic = topics.find(topic.name);
  const auto known =
      of_topic == topics.end() ? ExportedCursors::OfTopic::iterator{} : of_topic->second.find(cursor.name);
  if (of_topic == topics.end() || known == of_topic->second.end()) {
    if (!placed && cursor.consumers.value_or(0) == 0) ++history_.strangers_;
    return;
  }
  take_exported(history, topic, cursor, known->second, history_.exported_.asked_ms);
  of_topic->second.erase(known);
  if (of_topic->second.empty()) topics.erase(of_topic);
}

History::Seen History::Walk::observe(const model::TopicView& topic) {
  keep();
  open(topic);
  auto& [cursors, whole] = open_;
  add_missing(topic);
  whole.observe(topic, history_.tuning_.lag_window);
  whole.seen_ms = snapshot_.at_ms;
  const auto drains = drains_of(snapshot_, topic);
  for (std::size_t i = 0; i < topic.cursors.size(); ++i) {
    if (seen_[i] == nullptr) continue;
    auto& history = *seen_[i];
    // One of the same name, made anew, has no past.
    if (history.removed_ms) history = CursorHistory{};
    const bool placed = history.mark_delete.has_value();
    history.observe(topic, topic.cursors[i], history_.tuning_, snapshot_.at_ms, drains);
    keep_bounds(history, topic, topic.cursors[i]);
    recognise(topic, topic.cursors[i], placed, history);
  }
  take_leave();
  return {open_, seen_};
}

void History::observe(const model::Snapshot& snapshot) {
  Walk walk(*this, snapshot);
  for (const auto& topic : snapshot.topics) walk.observe(*topic);
}

std::optional<Topic> History::all_of(std::string_view topic) const {
  const auto at = topics_.find(topic);
  if (at == topics_.end()) return std::nullopt;
  Topic open;
  at->topic.unpack(open);
  return open;
}

std::optional<CursorHistory> History::find(std::string_view topic, std::string_view cursor) const {
  const auto known = all_of(topic);
  const auto* history = known ? known->find(cursor) : nullptr;
  return history != nullptr ? std::optional(*history) : std::nullopt;
}

std::optional<TopicHistory> History::topic(std::string_view topic) const {
  auto known = all_of(topic);
  if (!known) return std::nullopt;
  return std::move(known->whole);
}

void History::each_missing(TimeMs now, Duration lately, const std::function<void(std::string_view, Topic&)>& visit) {
  Topic open;
  Packer packer;
  std::string packed;
  for (const auto& kept : topics_) {
    const auto seen_ms = kept.topic.seen_ms();
    if (seen_ms == now || now - seen_ms >= lately.count()) continue;
    kept.topic.unpack(open);
    visit(kept.topic.name(), open);
    count(kept.topic, -1);
    kept.topic.pack(open, packer, packed);
    count(kept.topic, 1);
  }
}

void History::forget_unseen(TimeMs now) {
  std::erase_if(topics_, [&](const Kept& kept) {
    const bool unseen = now - kept.topic.seen_ms() > tuning_.keep_removed.count();
    if (unseen) count(kept.topic, -1);
    return unseen;
  });
}

void History::each_packed(const std::function<void(PackedTopic&)>& visit) {
  for (const auto& kept : topics_) visit(kept.topic);
}

void History::put_packed(PackedTopic topic) {
  count(topic, 1);
  const bool behind_all = topics_.empty() || std::prev(topics_.end())->topic.name() < topic.name();
  const auto known = behind_all ? topics_.end() : topics_.find(topic.name());
  if (known == topics_.end()) {
    topics_.insert(known, Kept{std::move(topic)});
    return;
  }
  count(known->topic, -1);
  known->topic = std::move(topic);
}

void History::count(const PackedTopic& topic, int sign) {
  const auto add = [sign](std::size_t& sum, std::size_t more) { sign > 0 ? sum += more : sum -= more; };
  add(cursors_, topic.cursors());
  add(bytes_, topic.bytes() + kNode);
}

}  // namespace tidemark::history
