#include "survey/bookies.h"

#include <algorithm>
#include <utility>

#include "bookie/configuration.h"
#include "bookie/metrics.h"

namespace tidemark::survey {
namespace {

using pulsar::Endpoint;

constexpr Duration kConfigurationAge{3600000};
// By then a bookie has looked at its disks, every 10 s by default, also where somebody made it slower.
constexpr Duration kFirstDiskCheck{60000};
constexpr int kWritable = 1;

}  // namespace

void Bookies::begin_poll(TimeMs now) {
  now_ = now;
  for (auto& [name, bookie] : bookies_) bookie.view.reachable = false;
}

std::vector<Ask> Bookies::due(const std::vector<std::string>& names) const {
  std::vector<Ask> asks;
  for (const auto& name : names) {
    asks.push_back({Endpoint::kBookieMetrics, model::Target::kBookie, name, "/metrics"});
    const auto known = bookies_.find(name);
    const auto asked = known == bookies_.end() ? 0 : known->second.configuration_asked_ms;
    if (asked != 0 && now_ - asked < kConfigurationAge.count()) continue;
    asks.push_back({Endpoint::kBookieConfiguration, model::Target::kBookie, name, pulsar::bookie_configuration_path()});
  }
  return asks;
}

Result<void> Bookies::take(const model::Exchange& exchange, Endpoint endpoint) {
  if (endpoint != Endpoint::kBookieMetrics && endpoint != Endpoint::kBookieConfiguration) return {};
  auto& bookie = bookies_[exchange.name];
  bookie.view.name = exchange.name;
  if (endpoint == Endpoint::kBookieMetrics) return take_metrics(bookie, exchange);
  bookie.configuration_asked_ms = now_;
  return take_configuration(bookie, exchange);
}

Result<void> Bookies::take_metrics(Bookie& bookie, const model::Exchange& exchange) {
  auto& before = bookie.view;
  if (exchange.status != 200) {
    before.reachable = false;
    before.problem = exchange.path + " answered " + std::to_string(exchange.status);
    return {};
  }
  auto decoded = bookie::decode_metrics(exchange.body);
  if (!decoded) {
    before.problem = decoded.error().text();
    return decoded.error();
  }
  auto& view = decoded->view;
  // A bookie that was started on a full disk says that it is writable until it has looked: that clears nothing.
  const bool blind = decoded->unchecked && view.status == kWritable && before.status.value_or(kWritable) != kWritable;
  if (!blind) bookie.unchecked_since_ms = 0;
  if (blind && bookie.unchecked_since_ms == 0) bookie.unchecked_since_ms = now_;
  if (blind && now_ - bookie.unchecked_since_ms < kFirstDiskCheck.count()) {
    view.status = before.status;
    view.writable_dirs = before.writable_dirs;
  }
  view.status_since_ms = view.status == before.status && before.status_since_ms != 0 ? before.status_since_ms : now_;
  view.name = exchange.name;
  view.reachable = true;
  view.usage_threshold = before.usage_threshold;
  before = std::move(view);
  return {};
}

Result<void> Bookies::take_configuration(Bookie& bookie, const model::Exchange& exchange) {
  if (exchange.status != 200) return {};
  const auto decoded = bookie::decode_configuration(exchange.body);
  if (!decoded) return decoded.error();
  bookie.view.usage_threshold = decoded->disk_usage_threshold;
  return {};
}

void Bookies::keep_only(const std::vector<std::string>& names) {
  std::erase_if(bookies_,
                [&](const auto& item) { return std::find(names.begin(), names.end(), item.first) == names.end(); });
}

std::vector<model::BookieView> Bookies::views() const {
  std::vector<model::BookieView> views;
  for (const auto& [name, bookie] : bookies_) views.push_back(bookie.view);
  return views;
}

}  // namespace tidemark::survey
