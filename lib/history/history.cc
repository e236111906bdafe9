#include "history/history.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "history/age.h"
#include "model/policies.h"

namespace tidemark::history {
namespace {

Drains drains_of(const model::Snapshot& snapshot, const model::TopicView& topic) {
  return {model::ttl_seconds_of(snapshot, topic).value.value_or(0), model::quota_of(snapshot, topic).limits};
}

using Named = std::pair<std::string, CursorHistory>;

bool by_name(const Named& a, const Named& b) {
  return std::tuple(std::string_view(a.first), a.second.removed_ms) <
         std::tuple(std::string_view(b.first), b.second.removed_ms);
}

constexpr std::size_t kWorthCompacting = 1 << 20;

// About what somebody new takes.
std::size_t place_of(std::string_view name) { return 64 + name.size(); }

bool by_topic(const PackedTopic& a, const PackedTopic& b) { return a.name() < b.name(); }

}  // namespace

void History::Walk::open(const model::TopicView& topic) {
  auto& topics = history_.store_->topics;
  if (at_ > 0 && topics[at_ - 1].name() >= topic.name) at_ = 0;  // not in their order: slow, and right
  while (at_ < topics.size() && topics[at_].name() < topic.name) ++at_;
  place_ = nullptr;
  if (at_ < topics.size() && topics[at_].name() == topic.name) {
    place_ = &topics[at_];
  } else if (!topic.cursors.empty() || !topic.ledgers.empty()) {
    if (history_.room() < place_of(topic.name)) {
      ++history_.overflow_.topics;
      history_.crowded_ = true;
    } else {
      place_ = &added_.emplace_back(history_.pieces(), topic.name);
      history_.count(*place_, 1);
    }
  }
  if (place_ != nullptr) {
    place_->unpack(open_);
  } else {
    open_ = Topic{};
  }
}

void History::Walk::keep() {
  if (place_ == nullptr) return;
  history_.drop_cursors(open_.cursors, snapshot_.at_ms);
  history_.count(*place_, -1);
  place_->pack(open_, packer_, packed_);
  history_.count(*place_, 1);
  place_ = nullptr;
}

History::Walk::~Walk() {
  keep();
  auto& topics = history_.store_->topics;
  std::sort(added_.begin(), added_.end(), by_topic);
  const auto known = static_cast<std::ptrdiff_t>(topics.size());
  std::move(added_.begin(), added_.end(), std::back_inserter(topics));
  std::inplace_merge(topics.begin(), topics.begin() + known, topics.end(), by_topic);
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
  std::vector<std::string_view> fresh;
  for (std::size_t i = 0; i < topic.cursors.size(); ++i) {
    const auto& cursor = topic.cursors[i];
    if (cursor.kind == model::CursorKind::kReader) continue;
    auto* history = seen_[i];
    // One of the same name, made anew, has no past; only the receipt of a leftover is not lost.
    const bool again = history != nullptr && history->removed_ms;
    if (again && !history->leftover) *history = CursorHistory{};
    if (history == nullptr || history->removed_ms) fresh.push_back(cursor.name);
  }
  for (const auto name : fresh) open_.cursors.emplace_back(name, CursorHistory{});
  if (open_.cursors.size() == known) return;
  std::sort(open_.cursors.begin(), open_.cursors.end(), by_name);
  find_cursors(topic);
  refuse(topic);
}

// Who is new takes a place as long as there is room; who has none is judged all the same, as just seen.
void History::Walk::refuse(const model::TopicView& topic) {
  auto room = history_.room();
  for (std::size_t i = 0; i < topic.cursors.size(); ++i) {
    if (seen_[i] == nullptr || seen_[i]->seen_ms != 0) continue;
    const auto needed = place_of(topic.cursors[i].name);
    seen_[i]->passing = place_ == nullptr || needed > room;
    if (seen_[i]->passing) {
      ++history_.overflow_.cursors;
      history_.crowded_ = true;
    } else {
      room -= needed;
    }
  }
}

// After a start no document may have come yet, and then nothing says that a cursor is gone.
void History::Walk::take_leave(const model::TopicView& topic) {
  const auto newest = std::max({topic.sweep_at_ms, topic.stats_at_ms, topic.internal_at_ms, topic.info_at_ms});
  if (topic.cursors.empty() && newest == 0) return;
  for (auto& [name, history] : open_.cursors) {
    if (history.seen_ms != snapshot_.at_ms && !history.removed_ms) history.removed_ms = snapshot_.at_ms;
  }
}

// Whoever has a consumer needs no past.
void History::Walk::recognise(const model::TopicView& topic, const model::CursorView& cursor, bool placed,
                              CursorHistory& history) {
  if (history.passing || !history.mark_delete || (placed && history_.exported_.topics.empty())) return;
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
    const bool placed = history.mark_delete.has_value();
    history.observe(topic, topic.cursors[i], history_.tuning_, snapshot_.at_ms, drains);
    keep_bounds(history, topic, topic.cursors[i]);
    recognise(topic, topic.cursors[i], placed, history);
  }
  take_leave(topic);
  return {open_, seen_};
}

void History::observe(const model::Snapshot& snapshot) {
  Walk walk(*this, snapshot);
  for (const auto& topic : snapshot.topics) walk.observe(*topic);
}

History::Overflow History::take_overflow() {
  overflow_.figures = figures_.take_refused();
  overflow_.gone = gone_.take_forgotten();
  return std::exchange(overflow_, {});
}

const PackedTopic* History::packed(std::string_view topic) const {
  const auto& topics = store_->topics;
  const auto at = std::lower_bound(topics.begin(), topics.end(), topic,
                                   [](const auto& known, std::string_view name) { return known.name() < name; });
  return at != topics.end() && at->name() == topic ? &*at : nullptr;
}

std::optional<Topic> History::all_of(std::string_view topic) const {
  const auto* known = packed(topic);
  if (known == nullptr) return std::nullopt;
  Topic open;
  known->unpack(open);
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

void History::drop_cursors(std::vector<Named>& cursors, TimeMs now) {
  std::erase_if(cursors, [&](const auto& cursor) {
    const auto& [name, history] = cursor;
    if (!history.removed_ms) return history.passing;
    return now - *history.removed_ms > tuning_.keep_removed.count() ||
           !gone_.stays(Gone::rank_of(history, now), Gone::weight_of(name));
  });
}

void History::each_missing(TimeMs now, const std::function<void(std::string_view, Topic&)>& visit) {
  Topic open;
  Packer packer;
  std::string packed;
  for (auto& topic : store_->topics) {
    if (topic.seen_ms() == now || now - topic.seen_ms() >= kShowRemoved.count()) continue;
    topic.unpack(open);
    visit(topic.name(), open);
    drop_cursors(open.cursors, now);
    count(topic, -1);
    topic.pack(open, packer, packed);
    count(topic, 1);
  }
}

void History::forget_unseen(TimeMs now) {
  figures_.forget_unseen(now, tuning_.keep_removed);
  std::erase_if(store_->topics, [&](const PackedTopic& topic) {
    const bool gone = topic.seen_ms() != now && drops(topic, now);
    if (gone) count(topic, -1);
    return gone;
  });
  gone_.end_poll(tuning_.max_removed, std::exchange(crowded_, false));
  compact();
}

// One that is missing: as a whole once its cursors are not looked at one by one.
bool History::drops(const PackedTopic& topic, TimeMs now) {
  const auto missing_ms = now - topic.seen_ms();
  if (missing_ms > tuning_.keep_removed.count()) return true;
  if (missing_ms < kShowRemoved.count() && topic.cursors() != 0) return false;
  return !gone_.stays({Gone::Rank::Worth::kNothing, topic.seen_ms()}, topic.cursors() + Gone::weight_of(topic.name()));
}

// Topics that grow leave pieces behind that smaller ones do not take up again.
void History::compact() {
  const auto& pieces = store_->pieces;
  if (pieces.kept_bytes() <= pieces.taken_bytes() * 5 / 4 + kWorthCompacting) return;
  auto fresh = std::make_unique<Store>();
  fresh->topics.reserve(store_->topics.size());
  for (const auto& topic : store_->topics) fresh->topics.emplace_back(fresh->pieces, topic);
  store_ = std::move(fresh);
}

void History::each_packed(const std::function<void(PackedTopic&)>& visit) {
  for (auto& topic : store_->topics) visit(topic);
}

void History::put_packed(PackedTopic topic) {
  count(topic, 1);
  auto& topics = store_->topics;
  const auto at = topics.empty() || by_topic(topics.back(), topic)
                      ? topics.end()
                      : std::lower_bound(topics.begin(), topics.end(), topic, by_topic);
  if (at == topics.end() || at->name() != topic.name()) {
    topics.insert(at, std::move(topic));
    return;
  }
  count(*at, -1);
  *at = std::move(topic);
}

void History::count(const PackedTopic& topic, int sign) {
  const auto add = [sign](std::size_t& sum, std::size_t more) { sign > 0 ? sum += more : sum -= more; };
  add(cursors_, topic.cursors());
  add(bytes_, topic.bytes() + sizeof topic);
}

}  // namespace tidemark::history
