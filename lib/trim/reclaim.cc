#include "trim/reclaim.h"

#include <algorithm>
#include <limits>

#include "trim/pins.h"

namespace tidemark::trim {
namespace {

constexpr std::int64_t kMebibyte = 1048576;
constexpr std::int64_t kMostMinutes = std::int64_t{1} << 40;  // longer than there have been computers
constexpr std::int64_t kNoCursor = std::numeric_limits<std::int64_t>::max();

// The first ledger that a cursor needs.
std::int64_t bound_of(const Topic& topic, const model::Position& mark_delete) {
  if (topic.boundary_pins && topic.ledgers->find(mark_delete.ledger_id) != nullptr) return mark_delete.ledger_id;
  return topic.ledgers->normalise(mark_delete).ledger_id;
}

// Whether retention lets the broker delete `ledger` after `deleted` bytes went before it. Empty: the close time is
// untold.
std::optional<bool> let_go(const Topic& topic, const model::Ledger& ledger, std::int64_t total, std::int64_t deleted) {
  const auto& keep = *topic.retention;
  const auto own = ledger.bytes.value_or(0);
  // The ledger's own size counts as deleted already; the limit is what must remain.
  if (keep.megabytes >= 0 && (total - deleted - own) / kMebibyte >= keep.megabytes) return true;
  if (keep.minutes < 0) return false;
  if (keep.minutes == 0) return true;
  if (!ledger.closed_ms) return std::nullopt;
  return topic.now - *ledger.closed_ms > std::min(keep.minutes, kMostMinutes) * 60000;
}

// Bytes that a trim with this bound deletes.
std::optional<std::int64_t> trimmed(const Topic& topic, std::int64_t bound) {
  if (!topic.retention || topic.ledgers->empty()) return std::nullopt;
  std::int64_t total = 0;
  for (const auto& ledger : topic.ledgers->list()) total += ledger.bytes.value_or(0);
  std::int64_t deleted = 0;
  const auto last = topic.ledgers->list().back().id;
  for (const auto& ledger : topic.ledgers->list()) {
    if (ledger.id >= bound || ledger.id == last) break;
    const auto verdict = let_go(topic, ledger, total, deleted);
    if (!verdict || !ledger.bytes) return std::nullopt;
    if (!*verdict) break;
    deleted += *ledger.bytes;
  }
  return deleted;
}

// What moving the bound forward deletes. Where no closed ledger lies between the two, retention is no question.
std::optional<std::int64_t> freed(const Topic& topic, std::int64_t from, std::int64_t to) {
  if (topic.ledgers->empty()) return std::nullopt;
  const auto last = topic.ledgers->list().back().id;
  const auto next = std::find_if(topic.ledgers->list().begin(), topic.ledgers->list().end(),
                                 [&](const auto& ledger) { return ledger.id >= from; });
  if (next == topic.ledgers->list().end() || next->id >= std::min(to, last)) return 0;
  const auto after = trimmed(topic, to);
  const auto before = trimmed(topic, from);
  if (!after || !before) return std::nullopt;
  return *after - *before;
}

std::int64_t slowest_bound(const Topic& topic) {
  std::int64_t slowest = kNoCursor;
  for (const auto& position : topic.durable) slowest = std::min(slowest, bound_of(topic, position));
  return slowest;
}

}  // namespace

Share reclaimable(const Topic& topic, std::size_t index) {
  const auto slowest = slowest_bound(topic);
  Share share;
  std::int64_t next = kNoCursor;
  const auto own = bound_of(topic, topic.durable[index]);
  for (std::size_t i = 0; i < topic.durable.size(); ++i) {
    const auto bound = bound_of(topic, topic.durable[i]);
    if (bound > slowest) next = std::min(next, bound);
    if (i != index && bound == own) share.shared_with.push_back(i);
  }
  if (own != slowest) {
    share.shared_with.clear();
    share.bytes = 0;
    return share;
  }
  share.bytes = freed(topic, slowest, next);
  return share;
}

std::optional<std::int64_t> reclaimable_together(const Topic& topic, const std::vector<std::size_t>& removed) {
  std::int64_t remaining = kNoCursor;
  for (std::size_t i = 0; i < topic.durable.size(); ++i) {
    if (std::find(removed.begin(), removed.end(), i) != removed.end()) continue;
    remaining = std::min(remaining, bound_of(topic, topic.durable[i]));
  }
  return freed(topic, slowest_bound(topic), remaining);
}

std::int64_t unpinned_closed_bytes(const Topic& topic) {
  if (topic.ledgers->empty()) return 0;
  const auto slowest = slowest_bound(topic);
  std::int64_t bytes = 0;
  for (const auto& ledger : topic.ledgers->list()) {
    if (ledger.id < slowest && ledger.id != topic.ledgers->list().back().id) bytes += ledger.bytes.value_or(0);
  }
  return bytes;
}

std::int64_t unpinned_open_bytes(const Topic& topic) {
  if (topic.ledgers->empty()) return 0;
  for (const auto& position : topic.durable) {
    if (pins_something(*topic.ledgers, position) != false) return 0;
  }
  return topic.ledgers->list().back().bytes.value_or(0);
}

}  // namespace tidemark::trim
