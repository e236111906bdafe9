#include "survey/clock_offset.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

namespace tidemark::survey {
namespace {

constexpr std::int64_t kHalfSecondMs = 500;  // Date is cut to the second
constexpr std::int64_t kToleratedMs = 1500;

void shift(std::optional<TimeMs>& at, Duration offset) {
  if (at) *at -= offset.count();
}

}  // namespace

void ClockOffset::saw(const std::string& broker, TimeMs date, TimeMs sent, TimeMs received) {
  const auto measured = date + kHalfSecondMs - (sent + received) / 2;
  const auto sure = (received - sent) / 2 + kHalfSecondMs + kToleratedMs;
  auto& kept = by_broker_[broker];
  if (std::llabs(measured - kept.count()) <= sure) return;
  kept = Duration{std::llabs(measured) <= sure ? 0 : measured};
}

Duration ClockOffset::value() const {
  if (by_broker_.empty()) return Duration{0};
  std::vector<Duration> all;
  for (const auto& [broker, offset] : by_broker_) all.push_back(offset);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

void onto_our_clock(model::TopicView& view, Duration offset) {
  for (auto* at : {&view.epoch_started_ms, &view.last_ledger_created_ms, &view.modified_ms}) shift(*at, offset);
  auto ledgers = view.ledgers.list();
  for (auto& ledger : ledgers) shift(ledger.closed_ms, offset);
  view.ledgers = model::Ledgers(std::move(ledgers));
  for (auto& cursor : view.cursors) {
    for (auto* at :
         {&cursor.ledger_switched_ms, &cursor.flow_ms, &cursor.mark_delete_advanced_ms, &cursor.expired_ms,
          &cursor.earliest_publish_ms, &cursor.connected_since_ms, &cursor.created_ms, &cursor.modified_ms}) {
      shift(*at, offset);
    }
  }
}

}  // namespace tidemark::survey
