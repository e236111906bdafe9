#include "model/ledgers.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tidemark::model {
namespace {

// `from` in an earlier ledger than `to`.
std::int64_t entries_across(const Ledgers& ledgers, const Position& from, bool from_was_at_end, const Position& to) {
  std::int64_t sum = to.entry_id + 1;
  const auto* first = ledgers.find(from.ledger_id);
  if (first != nullptr && first->entries) {
    sum += std::max<std::int64_t>(0, *first->entries - 1 - from.entry_id);
  } else if (!from_was_at_end) {
    sum += 1;  // some were left in it, and it could only be deleted after they were passed
  }
  for (const auto& ledger : ledgers.list()) {
    if (ledger.id > from.ledger_id && ledger.id < to.ledger_id) sum += ledger.entries.value_or(0);
  }
  return sum;
}

}  // namespace

Ledgers::Ledgers(std::vector<Ledger> list) : list_(std::move(list)) {
  const auto most = (std::int64_t{1} << 62) / static_cast<std::int64_t>(std::max<std::size_t>(1, list_.size()));
  const auto bound = [most](std::optional<std::int64_t>& figure) {
    if (figure) figure = std::clamp<std::int64_t>(*figure, 0, most);
  };
  for (auto& ledger : list_) {
    bound(ledger.entries);
    bound(ledger.bytes);
  }
  std::sort(list_.begin(), list_.end(), [](const Ledger& a, const Ledger& b) { return a.id < b.id; });
}

const Ledger* Ledgers::find(std::int64_t id) const {
  const auto at =
      std::lower_bound(list_.begin(), list_.end(), id, [](const Ledger& l, std::int64_t v) { return l.id < v; });
  return at != list_.end() && at->id == id ? &*at : nullptr;
}

const Ledger* Ledgers::next_after(std::int64_t id) const {
  const auto at =
      std::upper_bound(list_.begin(), list_.end(), id, [](std::int64_t v, const Ledger& l) { return v < l.id; });
  return at != list_.end() ? &*at : nullptr;
}

Position Ledgers::normalise(const Position& position) const {
  auto place = position;
  auto next = std::upper_bound(list_.begin(), list_.end(), place.ledger_id,
                               [](std::int64_t id, const Ledger& ledger) { return id < ledger.id; });
  const bool listed = next != list_.begin() && std::prev(next)->id == place.ledger_id;
  const auto* own = listed ? &*std::prev(next) : nullptr;
  // An empty ledger in the middle is used up as well, and a document may list any number of them.
  while (next != list_.end() && (own == nullptr || (own->entries && place.entry_id + 1 >= *own->entries))) {
    own = &*next++;
    place = {own->id, -1};
  }
  return place;
}

std::optional<std::int64_t> Ledgers::entries_after(const Position& position) const {
  const auto from = normalise(position);
  std::int64_t sum = 0;
  for (const auto& ledger : list_) {
    if (ledger.id < from.ledger_id) continue;
    if (!ledger.entries) return std::nullopt;
    sum +=
        ledger.id == from.ledger_id ? std::max<std::int64_t>(0, *ledger.entries - 1 - from.entry_id) : *ledger.entries;
  }
  return sum;
}

std::int64_t entries_between(const Ledgers& ledgers, const Position& from, bool from_was_at_end, const Position& to) {
  if (from.ledger_id == to.ledger_id) return to.entry_id - from.entry_id;
  if (from.ledger_id < to.ledger_id) return entries_across(ledgers, from, from_was_at_end, to);
  return -entries_across(ledgers, to, at_end_of_ledger(ledgers, to), from);
}

bool at_end_of_ledger(const Ledgers& ledgers, const Position& position) {
  const auto* own = ledgers.find(position.ledger_id);
  return own == nullptr || (own->entries && position.entry_id + 1 >= *own->entries);
}

}  // namespace tidemark::model
