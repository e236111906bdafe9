#include "trim/reclaim.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "trim/pins.h"

namespace tidemark::trim {
namespace {

constexpr std::int64_t kMebibyte = 1048576;
constexpr std::int64_t kMostMinutes = std::int64_t{1} << 40;  // longer than there have been computers
constexpr std::int64_t kNoCursor = std::numeric_limits<std::int64_t>::max();

std::int64_t total_bytes(const Topic& topic) {
  std::int64_t total = 0;
  for (const auto& ledger : topic.ledgers->list()) total += ledger.bytes.value_or(0);
  return total;
}

bool all_sizes_told(const Topic& topic) {
  const auto& list = topic.ledgers->list();
  return std::all_of(list.begin(), list.end(), [](const auto& ledger) { return ledger.bytes.has_value(); });
}

// Empty: an untold size (the last ledger's of an unloaded topic) may lift it over the limit.
std::optional<bool> over_size(const Topic& topic, std::int64_t total, std::int64_t passed) {
  const auto limit = topic.retention->megabytes;
  if (limit < 0) return false;
  const bool whole = topic.habits.compares_whole_size;
  // What has been passed, the ledger's own size included, counts as deleted; the limit is what must remain.
  const bool over =
      whole ? total / kMebibyte >= limit && total > limit * kMebibyte : (total - passed) / kMebibyte >= limit;
  if (over || all_sizes_told(topic)) return over;
  return std::nullopt;
}

// One behind the ledgers that the broker may delete.
std::int64_t first_spared(const Topic& topic) {
  const auto& last = topic.ledgers->list().back();
  return last.id + (topic.unloaded && last.entries && last.bytes ? 1 : 0);
}

std::optional<bool> too_old(const Topic& topic, const model::Ledger& ledger) {
  const auto minutes = topic.retention->minutes;
  if (minutes <= 0) return minutes == 0;
  if (ledger.id == topic.ledgers->list().back().id) return false;  // the load closes it
  if (!ledger.closed_ms) return std::nullopt;
  return topic.now - *ledger.closed_ms > std::min(minutes, kMostMinutes) * 60000;
}

// Whether retention lets the broker delete `ledger`, with which `passed` bytes are gone: as soon as one of its two
// limits does. Empty: cannot be told.
std::optional<bool> let_go(const Topic& topic, const model::Ledger& ledger, std::int64_t total, std::int64_t passed) {
  const auto by_size = over_size(topic, total, passed);
  const auto by_age = too_old(topic, ledger);
  if (by_size == true || by_age == true) return true;
  if (!by_size || !by_age) return std::nullopt;
  return false;
}

// The broker's walk over the closed ledgers below `bound`: `each(ledger, verdict)` until one is kept, or through all
// where the version goes on. A verdict is empty where it cannot be told, and then the rest of the walk is not known.
template <class Each>
void walk(const Topic& topic, std::int64_t bound, Each each) {
  const auto total = total_bytes(topic);
  const auto end = std::min(bound, first_spared(topic));
  std::int64_t passed = 0;
  bool ended = false;
  for (const auto& ledger : topic.ledgers->list()) {
    if (ledger.id >= end) break;
    passed += ledger.bytes.value_or(0);
    auto verdict = ended ? std::optional(false) : let_go(topic, ledger, total, passed);
    if (verdict == true && !ledger.bytes) verdict.reset();
    each(ledger, verdict);
    if (!verdict) break;
    ended = ended || (!*verdict && !topic.habits.skips_retained);
  }
}

// Bytes that a trim with this bound deletes, each ledger in BookKeeper counted `copies` times.
std::optional<std::int64_t> trimmed(const Topic& topic, std::int64_t bound, std::int64_t copies) {
  if (!topic.retention || topic.ledgers->empty() || total_bytes(topic) > kNoCursor / copies) return std::nullopt;
  std::optional<std::int64_t> deleted = 0;
  walk(topic, bound, [&](const model::Ledger& ledger, std::optional<bool> verdict) {
    if (!verdict) {
      deleted.reset();
    } else if (*verdict) {
      *deleted += *ledger.bytes * (ledger.offloaded ? 1 : copies);
    }
  });
  return deleted;
}

// What moving the bound forward deletes. Where no closed ledger lies between the two, retention is no question.
std::optional<std::int64_t> freed(const Topic& topic, std::int64_t from, std::int64_t to, std::int64_t copies = 1) {
  if (topic.ledgers->empty()) return std::nullopt;
  const auto next = std::find_if(topic.ledgers->list().begin(), topic.ledgers->list().end(),
                                 [&](const auto& ledger) { return ledger.id >= from; });
  if (next == topic.ledgers->list().end() || next->id >= std::min(to, first_spared(topic))) return 0;
  const auto after = trimmed(topic, to, copies);
  const auto before = trimmed(topic, from, copies);
  if (!after || !before) return std::nullopt;
  return *after - *before;
}

bool needs_nothing_of_last(const Topic& topic) {
  return std::all_of(topic.durable.begin(), topic.durable.end(),
                     [&](const auto& position) { return pins_something(*topic.ledgers, position) == false; });
}

// The first ledger in which a cursor has something left to read, or that it will go on with.
std::int64_t needed_by(const Topic& topic, const model::Position& mark_delete) {
  const auto next = topic.ledgers->normalise(mark_delete);
  const auto spared = topic.ledgers->empty() ? kNoCursor : first_spared(topic);
  const auto* own = topic.ledgers->find(next.ledger_id);
  const bool used_up = own != nullptr && own->id < spared && next.entry_id + 1 >= own->entries.value_or(kNoCursor);
  return used_up ? spared : next.ledger_id;
}

std::int64_t needed_from(const Topic& topic) {
  auto needed = kNoCursor;
  for (const auto& position : topic.durable) needed = std::min(needed, needed_by(topic, position));
  return needed;
}

}  // namespace

std::int64_t bound_of(const Topic& topic, const model::Position& mark_delete) {
  const bool border_holds = topic.habits.boundary_pins && !topic.unloaded;
  if (border_holds && topic.ledgers->find(mark_delete.ledger_id) != nullptr) return mark_delete.ledger_id;
  return needed_by(topic, mark_delete);
}

std::int64_t slowest_bound(const Topic& topic) {
  std::int64_t slowest = kNoCursor;
  for (const auto& position : topic.durable) slowest = std::min(slowest, bound_of(topic, position));
  return slowest;
}

Slowest slowest(const Topic& topic) {
  Slowest found;
  auto least = kNoCursor;
  auto next = kNoCursor;
  for (std::size_t i = 0; i < topic.durable.size(); ++i) {
    const auto bound = bound_of(topic, topic.durable[i]);
    if (bound < least) {
      next = std::exchange(least, bound);
      found.cursors.clear();
    } else if (bound > least) {
      next = std::min(next, bound);
    }
    if (bound == least) found.cursors.push_back(i);
  }
  found.bound = least;
  found.bytes = freed(topic, least, next);
  return found;
}

std::int64_t bound_without(const Topic& topic, const std::vector<std::size_t>& removed) {
  auto remaining = kNoCursor;
  auto gone = removed.begin();
  for (std::size_t i = 0; i < topic.durable.size(); ++i) {
    if (gone != removed.end() && *gone == i) {
      ++gone;
    } else {
      remaining = std::min(remaining, bound_of(topic, topic.durable[i]));
    }
  }
  return remaining;
}

std::optional<std::int64_t> reclaimable_together(const Topic& topic, const std::vector<std::size_t>& removed,
                                                 std::int64_t copies) {
  if (removed.empty() && !topic.ledgers->empty()) return 0;
  return freed(topic, slowest_bound(topic), bound_without(topic, removed), copies);
}

std::vector<std::optional<std::int64_t>> freed_in_order(const Topic& topic, const std::vector<std::size_t>& order) {
  std::multiset<std::int64_t> bounds;
  for (const auto& position : topic.durable) bounds.insert(bound_of(topic, position));
  const auto bound = [&bounds] { return bounds.empty() ? kNoCursor : *bounds.begin(); };
  std::vector<std::optional<std::int64_t>> figures;
  for (const auto index : order) {
    const auto before = bound();
    bounds.erase(bounds.find(bound_of(topic, topic.durable[index])));
    figures.push_back(freed(topic, before, bound()));
  }
  return figures;
}

std::vector<std::optional<std::int64_t>> freed_behind(const Topic& topic, const std::vector<std::size_t>& cursors) {
  const auto slowest = slowest_bound(topic);
  std::map<std::int64_t, std::optional<std::int64_t>> by_bound;
  std::vector<std::optional<std::int64_t>> figures;
  for (const auto index : cursors) {
    const auto [at, is_new] = by_bound.try_emplace(bound_of(topic, topic.durable[index]));
    if (is_new) at->second = freed(topic, slowest, at->first);
    figures.push_back(at->second);
  }
  return figures;
}

Unpinned unpinned(const Topic& topic) {
  Unpinned held;
  if (topic.ledgers->empty()) return held;
  const auto bound = slowest_bound(topic);
  const auto needed = needed_from(topic);
  const auto spared = std::min(needed, first_spared(topic));
  for (const auto& ledger : topic.ledgers->list()) {
    if (ledger.id >= bound && ledger.id < spared) held.boundary += ledger.bytes.value_or(0);
  }
  if (!topic.unloaded && needs_nothing_of_last(topic)) held.last = topic.ledgers->list().back().bytes.value_or(0);
  if (!topic.retention) return held;
  walk(topic, needed, [&](const model::Ledger& ledger, std::optional<bool> verdict) {
    const auto bytes = ledger.bytes.value_or(0);
    if (verdict == false) {
      held.retained += bytes;
      if (ledger.id >= bound) held.boundary -= bytes;
    } else if (verdict == true && ledger.id < bound) {
      held.let_go += bytes;
      held.waiting.push_back(ledger.id);
    }
  });
  return held;
}

}  // namespace tidemark::trim
