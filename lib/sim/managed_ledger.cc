// Ledgers of one topic. Everything that looks for a place goes by binary search over the list, everything that appends
// or deletes touches its ends only: a topic with ten thousand pinned ledgers costs the same per step as one with two.
#include "sim/managed_ledger.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/random.h"

namespace tidemark::sim {
namespace {

// Publish time of entry number `n` (from 0) of a ledger.
TimeMs time_in(const SimLedger& ledger, std::int64_t n) {
  if (ledger.entries <= 1) return ledger.first_ms;
  return ledger.first_ms + (ledger.last_ms - ledger.first_ms) * n / (ledger.entries - 1);
}

}  // namespace

Storage::Storage(std::vector<double> weights, int write_quorum)
    : on_bookie(weights.size()),
      weights_(std::move(weights)),
      writable_(weights_.size(), true),
      write_quorum_(write_quorum) {}

// Bookies are drawn by weight among those that take writes. With too few of these the writes fail in life; here the
// full ones go on.
Storage::Place Storage::place(std::int64_t ledger_id) const {
  Random random(mix(static_cast<std::uint64_t>(ledger_id)));
  std::vector<double> left = weights_;
  if (std::count(writable_.begin(), writable_.end(), true) >= write_quorum_) {
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = writable_[i] ? left[i] : 0;
  }
  Place place = 0;
  for (int copy = 0; copy < write_quorum_; ++copy) {
    double at = random.fraction() * std::accumulate(left.begin(), left.end(), 0.0);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (left[i] > 0 && at < left[i]) {
        place |= 1U << i;
        left[i] = 0;
        break;
      }
      at -= left[i];
    }
  }
  return place;
}

void Storage::wrote(Place place, std::int64_t entries, std::int64_t bytes) {
  written_bytes += bytes;
  for (std::size_t i = 0; i < on_bookie.size(); ++i) {
    if ((place >> i & 1U) == 0) continue;
    on_bookie[i].written += bytes;
    on_bookie[i].entries += entries;
  }
}

void Storage::deleted(Place place, std::int64_t bytes) {
  deleted_bytes += bytes;
  ++ledgers_deleted;
  for (std::size_t i = 0; i < on_bookie.size(); ++i) {
    if ((place >> i & 1U) != 0) on_bookie[i].deleted += bytes;
  }
}

ManagedLedger::ManagedLedger(Storage& storage, const LedgerLimits& limits, TimeMs now)
    : storage_(storage), limits_(limits), created_ms_(now), modified_ms_(now) {
  open_ledger(now);
}

const SimLedger* ManagedLedger::find(std::int64_t id) const {
  const auto at = std::lower_bound(ledgers_.begin(), ledgers_.end(), id,
                                   [](const SimLedger& ledger, std::int64_t wanted) { return ledger.id < wanted; });
  return at != ledgers_.end() && at->id == id ? &*at : nullptr;
}

std::int64_t ManagedLedger::total_bytes() const {
  return ledgers_.back().bytes_before + ledgers_.back().bytes - ledgers_.front().bytes_before;
}

Position ManagedLedger::last_confirmed() const {
  if (ledgers_.back().entries == 0 && lac_) return *lac_;
  if (ledgers_.back().entries == 0 && ledgers_.size() > 1) {
    const auto& before = ledgers_[ledgers_.size() - 2];
    return {before.id, before.entries - 1};
  }
  return {ledgers_.back().id, ledgers_.back().entries - 1};
}

std::int64_t ManagedLedger::index_of(const Position& position) const {
  const auto at = std::lower_bound(ledgers_.begin(), ledgers_.end(), position.ledger_id,
                                   [](const SimLedger& ledger, std::int64_t wanted) { return ledger.id < wanted; });
  if (at == ledgers_.end()) return end_index();
  if (at->id != position.ledger_id) return at->first_index;
  return at->first_index + std::clamp<std::int64_t>(position.entry_id + 1, 0, at->entries);
}

const SimLedger& ManagedLedger::ledger_at(std::int64_t index) const {
  const auto after =
      std::upper_bound(ledgers_.begin(), ledgers_.end(), index,
                       [](std::int64_t wanted, const SimLedger& ledger) { return wanted < ledger.end_index(); });
  return after == ledgers_.end() ? ledgers_.back() : *after;
}

Position ManagedLedger::position_at(std::int64_t index) const {
  if (index <= begin_index()) return {ledgers_.front().id, -1};
  const auto& ledger = ledger_at(index - 1);
  return {ledger.id, index - 1 - ledger.first_index};
}

Position ManagedLedger::read_position_at(std::int64_t index) const {
  if (index < end_index()) {
    const auto& ledger = ledger_at(index);
    return {ledger.id, std::max<std::int64_t>(index - ledger.first_index, 0)};
  }
  const Position end = last_confirmed();
  if (find(end.ledger_id) != nullptr) return {end.ledger_id, end.entry_id + 1};
  return {ledgers_.front().id, 0};
}

std::int64_t ManagedLedger::bytes_after(const Position& position) const {
  const auto* own = find(position.ledger_id);
  const std::int64_t end = ledgers_.back().bytes_before + ledgers_.back().bytes;
  if (own == nullptr) return end - ledger_at(index_of(position)).bytes_before;
  if (position.entry_id + 1 >= own->entries) return end - own->bytes_before - own->bytes;
  return end - own->bytes_before - own->bytes / own->entries * (position.entry_id + 1);
}

TimeMs ManagedLedger::published_ms(std::int64_t index) const {
  const auto& ledger = ledger_at(index);
  return time_in(
      ledger, std::clamp<std::int64_t>(index - ledger.first_index, 0, std::max<std::int64_t>(ledger.entries - 1, 0)));
}

std::int64_t ManagedLedger::index_published_until(TimeMs until_ms) const {
  const auto after = std::upper_bound(
      ledgers_.begin(), ledgers_.end(), until_ms,
      [](TimeMs wanted, const SimLedger& ledger) { return ledger.entries == 0 || wanted < ledger.last_ms; });
  if (after == ledgers_.end()) return end_index();
  if (after->entries == 0 || until_ms < after->first_ms) return after->first_index;
  if (after->last_ms == after->first_ms) return after->end_index();
  return after->first_index + 1 +
         (after->entries - 1) * (until_ms - after->first_ms) / (after->last_ms - after->first_ms);
}

std::int64_t ManagedLedger::room_in_last(std::int64_t bytes_each, TimeMs now) const {
  const auto& ledger = ledgers_.back();
  if (now - ledger.opened_ms < limits_.min_rollover.count()) return INT64_MAX;
  const std::int64_t by_entries = limits_.max_entries - ledger.entries;
  const std::int64_t by_bytes =
      bytes_each > 0 ? (limits_.max_bytes - ledger.bytes + bytes_each - 1) / bytes_each : INT64_MAX;
  return std::max<std::int64_t>(std::min(by_entries, by_bytes), 0);
}

void ManagedLedger::publish(std::int64_t count, std::int64_t bytes_each, TimeMs from, TimeMs to) {
  std::int64_t done = 0;
  while (done < count) {
    const TimeMs next_ms = from + (to - from) * (done + 1) / count;
    const std::int64_t room = room_in_last(bytes_each, next_ms);
    if (room == 0) {
      close_last(std::max(from, next_ms));
      continue;
    }
    const std::int64_t now = std::min(room, count - done);
    auto& ledger = ledgers_.back();
    if (ledger.entries == 0) ledger.first_ms = next_ms;
    ledger.last_ms = from + (to - from) * (done + now) / count;
    ledger.entries += now;
    ledger.bytes += now * bytes_each;
    storage_.wrote(ledger.place, now, now * bytes_each);
    done += now;
    // A full ledger is replaced at once, not at the next entry.
    if (now == room) close_last(ledger.last_ms);
  }
  lac_.reset();
  added_since_load_ += count;
  bytes_since_load_ += count * bytes_each;
}

bool ManagedLedger::roll_if_old(TimeMs now) {
  const auto& ledger = ledgers_.back();
  if (ledger.entries == 0) return false;
  // The broker draws up to 5 % on top, so that not all topics roll at once.
  const auto limit = limits_.max_rollover.count();
  const auto jitter = static_cast<std::int64_t>(mix(static_cast<std::uint64_t>(ledger.id)) %
                                                static_cast<std::uint64_t>(limit / 20 + 1));
  if (now - ledger.opened_ms < limit + jitter) return false;
  close_last(now);
  return true;
}

void ManagedLedger::close_last(TimeMs now) {
  ledgers_.back().closed_ms = now;
  open_ledger(now);
}

void ManagedLedger::open_ledger(TimeMs now) {
  SimLedger ledger;
  ledger.id = storage_.take_id();
  ledger.place = storage_.place(ledger.id);
  ledger.opened_ms = now;
  if (!ledgers_.empty()) {
    const auto& before = ledgers_.back();
    ledger.first_index = before.end_index();
    ledger.bytes_before = before.bytes_before + before.bytes;
  }
  ledgers_.push_back(ledger);
  touch(now);
}

void ManagedLedger::touch(TimeMs now) {
  ++version_;
  modified_ms_ = now;
}

bool ManagedLedger::trim(const std::optional<Bound>& bound, const RetentionPolicy& retention, BoundaryRule rule,
                         TimeMs now) {
  const std::int64_t limit = retention.megabytes * (std::int64_t{1} << 20);
  bool deleted = false;
  while (ledgers_.size() > 1) {
    const auto& oldest = ledgers_.front();
    if (bound && oldest.end_index() > bound->index) break;
    if (bound && rule == BoundaryRule::kOwnLedger && oldest.id >= bound->ledger_id) break;
    const bool by_size = retention.megabytes >= 0 && total_bytes() - oldest.bytes >= limit;
    const bool by_time = retention.minutes >= 0 && now - oldest.closed_ms > retention.minutes * 60'000;
    if (!by_size && !by_time) break;
    if (ledgers_.back().entries == 0 && !lac_) lac_ = last_confirmed();
    last_deleted_ = {oldest.id, oldest.entries - 1};
    if (!oldest.offloaded) storage_.deleted(oldest.place, oldest.bytes);
    ledgers_.pop_front();
    deleted = true;
  }
  if (deleted) touch(now);
  return deleted;
}

void ManagedLedger::offload(TimeMs closed_until) {
  for (auto& ledger : ledgers_) {
    if (ledger.closed_ms == 0 || ledger.closed_ms > closed_until) break;
    if (!ledger.offloaded) storage_.deleted(ledger.place, ledger.bytes);
    ledger.offloaded = true;
  }
}

std::int64_t ManagedLedger::offloaded_bytes() const {
  std::int64_t sum = 0;
  for (const auto& ledger : ledgers_) sum += ledger.offloaded ? ledger.bytes : 0;
  return sum;
}

void ManagedLedger::load(TimeMs now) {
  SimLedger before = ledgers_.back();
  ledgers_.back().closed_ms = now;
  if (before.entries == 0) {
    // An empty last ledger is dropped; the new one goes on counting where it stood.
    storage_.deleted(before.place, 0);
    ledgers_.pop_back();
  }
  const bool nothing_left = ledgers_.empty();
  lac_.reset();
  if (!nothing_left) lac_ = Position{ledgers_.back().id, ledgers_.back().entries - 1};
  open_ledger(now);
  if (nothing_left) {
    ledgers_.back().first_index = before.end_index();
    ledgers_.back().bytes_before = before.bytes_before;
    lac_ = Position{ledgers_.back().id, -1};
  }
  added_since_load_ = 0;
  bytes_since_load_ = 0;
}

}  // namespace tidemark::sim
