// Cursor arithmetic. Durable cursors persist themselves, a reader's cursor is "Open" without a ledger.
#include "sim/cursor.h"

#include <algorithm>
#include <utility>

namespace tidemark::sim {

Cursor::Cursor(std::string name, bool durable, Position mark_delete, std::int64_t index, TimeMs now)
    : name_(std::move(name)),
      durable_(durable),
      mark_delete_(mark_delete),
      index_(index),
      read_index_(index),
      open_(!durable),
      switched_ms_(now) {
  stored_.created_ms = now;
  stored_.modified_ms = now;
  stored_.mark_delete = mark_delete;
}

std::int64_t Cursor::acked_entries() const {
  std::int64_t sum = 0;
  for (const auto& run : acked_) sum += run.to - run.from;
  return sum;
}

std::int64_t Cursor::backlog(const ManagedLedger& ledger) const {
  // Entries of deleted ledgers are gone, whether this cursor saw them or not.
  const std::int64_t from = std::max(index_, ledger.begin_index());
  return ledger.end_index() - from - acked_entries();
}

std::vector<PrintedRange> Cursor::printed(const ManagedLedger& ledger) const {
  std::vector<PrintedRange> ranges;
  for (const auto& run : acked_) {
    for (std::int64_t at = run.from; at < run.to;) {
      const auto& own = ledger.ledger_at(at);
      const std::int64_t end = std::min(run.to, own.end_index());
      ranges.push_back({{own.id, at - own.first_index - 1}, {own.id, end - own.first_index - 1}});
      at = end;
    }
  }
  return ranges;
}

void Cursor::join(std::int64_t from, std::int64_t to) {
  auto at = std::lower_bound(acked_.begin(), acked_.end(), from,
                             [](const AckedRun& run, std::int64_t wanted) { return run.to < wanted; });
  auto last = at;
  while (last != acked_.end() && last->from <= to) {
    from = std::min(from, last->from);
    to = std::max(to, last->to);
    ++last;
  }
  at = acked_.erase(at, last);
  acked_.insert(at, {from, to});
}

bool Cursor::ack(const ManagedLedger& ledger, std::int64_t from, std::int64_t to) {
  from = std::max(from, index_);
  to = std::min(to, ledger.end_index());
  if (from >= to) return false;
  read_up_to(to);
  if (from > index_) {
    join(from, to);
    return false;
  }
  std::int64_t index = to;
  auto covered = acked_.begin();
  while (covered != acked_.end() && covered->from <= index) {
    index = std::max(index, covered->to);
    ++covered;
  }
  acked_.erase(acked_.begin(), covered);
  index_ = index;
  mark_delete_ = ledger.position_at(index);
  return true;
}

std::vector<AckedRun> Cursor::next_unacked(const ManagedLedger& ledger, std::int64_t count) const {
  std::vector<AckedRun> runs;
  std::int64_t at = std::max(index_, ledger.begin_index());
  auto hole = acked_.begin();
  while (count > 0 && at < ledger.end_index()) {
    const std::int64_t end = hole == acked_.end() ? ledger.end_index() : hole->from;
    const std::int64_t take = std::min(end - at, count);
    if (take > 0) runs.push_back({at, at + take});
    count -= std::max<std::int64_t>(take, 0);
    if (hole == acked_.end()) break;
    at = hole->to;
    ++hole;
  }
  return runs;
}

void Cursor::move(Position mark_delete, std::int64_t index) {
  mark_delete_ = mark_delete;
  index_ = index;
  read_index_ = index;
  acked_.clear();
}

void Cursor::persist(Storage& storage, const CursorLimits& limits, std::int64_t writes, TimeMs now) {
  if (!durable_ || writes <= 0) return;
  if (!open_) {
    // The first entry repeats the position that the ledger starts from.
    cursor_ledger_ = storage.take_id();
    last_entry_ = writes;
    ledger_opened_ms_ = now;
    open_ = true;
    const Position from = stored_.mark_delete;
    store(cursor_ledger_, now);
    stored_.mark_delete = from;  // the node says where the ledger began, not where its first write went
    return;
  }
  last_entry_ += writes;
  const bool old = now - ledger_opened_ms_ > limits.rollover.count();
  if (last_entry_ < limits.max_entries_per_ledger && !old) return;
  ++storage.ledgers_deleted;
  cursor_ledger_ = storage.take_id();
  last_entry_ = 0;
  ledger_opened_ms_ = now;
  switched_ms_ = now;
  store(cursor_ledger_, now);
}

void Cursor::store(std::int64_t cursors_ledger_id, TimeMs now) {
  ++stored_.version;
  stored_.modified_ms = now;
  stored_.cursors_ledger_id = cursors_ledger_id;
  stored_.mark_delete = mark_delete_;
  stored_.acked.clear();
}

void Cursor::close(const ManagedLedger& ledger, const CursorLimits& limits, TimeMs now) {
  if (!durable_) return;
  auto ranges = printed(ledger);
  if (static_cast<std::int64_t>(ranges.size()) > limits.max_ranges_in_metadata) {
    // Too many for the metadata: they stay in the cursor ledger, and the node stays as it was.
    return;
  }
  store(-1, now);
  stored_.acked = std::move(ranges);
}

void Cursor::load(TimeMs now) {
  switched_ms_ = now;
  read_index_ = index_;
  open_ = !durable_;
  cursor_ledger_ = stored_.cursors_ledger_id;
  last_entry_ = -1;
}

}  // namespace tidemark::sim
