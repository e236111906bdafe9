#include "detect/traffic.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tidemark::detect {
namespace {

// Of this load; empty where nothing was published in it.
std::optional<double> bytes_per_message(const model::TopicView& topic) {
  if (topic.messages_in.value_or(0) <= 0 || topic.bytes_in.value_or(0) <= 0) return std::nullopt;
  return static_cast<double>(*topic.bytes_in) / static_cast<double>(*topic.messages_in);
}

bool takes_writes(const model::BookieView& bookie) { return bookie.status.value_or(1) == 1; }

}  // namespace

bool is_outage(const model::Snapshot& snapshot) {
  const auto broken = [](const model::BrokerView& broker) { return !broker.reachable || broker.partial; };
  if (std::any_of(snapshot.brokers.begin(), snapshot.brokers.end(), broken)) return true;
  const auto needed = snapshot.defaults.ensemble.value_or(1);
  if (static_cast<std::int64_t>(snapshot.bookies.size()) < needed) return false;  // the list is not the cluster's
  return !snapshot.bookies.empty() &&
         std::count_if(snapshot.bookies.begin(), snapshot.bookies.end(), takes_writes) < needed;
}

void observe_traffic(const model::Snapshot& snapshot, const Limits& limits, history::Figures& figures) {
  if (is_outage(snapshot)) return;
  double in = 0;
  double out = 0;
  bool known = false;
  for (const auto& topic : snapshot.topics) {
    if (topic->loaded != model::Loaded::kYes) continue;
    known = true;
    const auto each = bytes_per_message(*topic).value_or(0);
    in += topic->rate_in * each;
    for (const auto& cursor : topic->cursors) out += cursor.rate_out * each;
  }
  if (!known || !std::isfinite(in) || !std::isfinite(out)) return;
  figures.add(kPublished, snapshot.at_ms, std::llround(in), limits.disk_window);
  figures.add(kDispatched, snapshot.at_ms, std::llround(out), limits.disk_window);
}

}  // namespace tidemark::detect
