#include "survey/bookies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bookie/configuration.h"
#include "bookie/metrics.h"
#include "bookie/registered.h"
#include "bookie/suspension.h"

namespace tidemark::survey {
namespace {

using pulsar::Endpoint;

constexpr Duration kSlow{3600000};
// By then a bookie has looked at its disks, every 10 s by default, also where somebody made it slower.
constexpr Duration kFirstDiskCheck{60000};
constexpr int kWritable = 1;
constexpr int kUnregistered = -1;
constexpr double kNearlyFull = 0.8;

// It suspends by how full a disk is, or did; it answered before, and now that answer ages.
bool may_be_suspended(const model::BookieView& view) {
  const auto& major = view.compaction.major_suspended;
  const auto& minor = view.compaction.minor_suspended;
  if (!major && !minor) return false;
  if (major.value_or(false) || minor.value_or(false)) return true;
  const auto& dirs = view.dir_usage_ratio;
  return view.status == 0 ||
         std::any_of(dirs.begin(), dirs.end(), [](const auto& dir) { return dir.second >= kNearlyFull; });
}

struct Document {
  Endpoint endpoint;
  std::string (*path)();
};
// The first one tells whether it is a bookie that answers there, and so whether the others are asked for.
constexpr std::array kDocuments{
    Document{Endpoint::kBookieMetrics, pulsar::bookie_metrics_path},
    Document{Endpoint::kBookieConfiguration, pulsar::bookie_configuration_path},
    Document{Endpoint::kBookieInfo, pulsar::bookie_info_path},
    Document{Endpoint::kBookieSuspension, pulsar::bookie_suspension_path},
};

}  // namespace

void Bookies::begin_poll(TimeMs now) {
  now_ = now;
  for (auto& [name, bookie] : bookies_) {
    bookie.view.reachable = false;
    bookie.blank_dirs.clear();
  }
}

void Bookies::remember(const std::string& name, int status, TimeMs since_ms) {
  auto& view = bookies_[name].view;
  view.name = name;
  view.status = status;
  view.status_since_ms = since_ms;
}

bool Bookies::is_due(const Bookie& bookie, Endpoint endpoint) const {
  const auto asked = bookie.asked_ms.find(endpoint);
  if (asked == bookie.asked_ms.end()) return true;
  if (asked->second == now_) return false;
  // It was started a moment ago and answers there: how full its disks are is known all the same.
  if (endpoint == Endpoint::kBookieInfo && bookie.info && !bookie.blank_dirs.empty()) return true;
  if (endpoint == Endpoint::kBookieSuspension && may_be_suspended(bookie.view)) return true;
  return endpoint == Endpoint::kBookieMetrics || now_ - asked->second >= kSlow.count();
}

std::vector<Ask> Bookies::due(const std::vector<std::string>& names) {
  std::vector<Ask> asks;
  for (const auto& name : names) {
    auto& bookie = bookies_[name];
    bookie.view.name = name;
    for (const auto& [endpoint, path] : kDocuments) {
      if (endpoint != Endpoint::kBookieMetrics && !bookie.view.reachable) break;
      if (!is_due(bookie, endpoint)) continue;
      bookie.asked_ms[endpoint] = now_;
      asks.push_back({endpoint, model::Target::kBookie, name, path()});
    }
  }
  if (asks.empty()) add_registrations(asks, names);
  return asks;
}

// Once all others have answered or not: hourly, and in each poll in which one is silent. The first with an admin API.
void Bookies::add_registrations(std::vector<Ask>& asks, const std::vector<std::string>& names) {
  if (registrations_asked_ms_ == now_) return;
  const auto is_silent = [&](const std::string& name) { return !bookies_.at(name).view.reachable; };
  const bool due = registrations_asked_ms_ == 0 || now_ - registrations_asked_ms_ >= kSlow.count();
  if (!due && std::none_of(names.begin(), names.end(), is_silent)) return;
  for (const auto& name : names) {
    if (is_silent(name) || !bookies_.at(name).info || names.size() < 2) continue;
    registrations_asked_ms_ = now_;
    for (const bool read_only : {false, true}) {
      asks.push_back(
          {Endpoint::kBookiesRegistered, model::Target::kBookie, name, pulsar::bookies_registered_path(read_only)});
    }
    return;
  }
}

Result<void> Bookies::take_registered(const model::Exchange& exchange) {
  if (exchange.status != 200) return {};
  const auto decoded = bookie::decode_registered(exchange.body);
  if (!decoded) return decoded.error();
  registrations_.take(now_, exchange.name, pulsar::asks_for_read_only(exchange.path), *decoded);
  return {};
}

Result<void> Bookies::take(const model::Exchange& exchange, Endpoint endpoint) {
  if (endpoint == Endpoint::kBookiesRegistered) return take_registered(exchange);
  const auto is_this = [&](const Document& document) { return document.endpoint == endpoint; };
  if (std::none_of(kDocuments.begin(), kDocuments.end(), is_this)) return {};
  auto& bookie = bookies_[exchange.name];
  bookie.view.name = exchange.name;
  if (endpoint == Endpoint::kBookieMetrics) return take_metrics(bookie, exchange);
  if (endpoint == Endpoint::kBookieInfo) return take_info(bookie, exchange);
  if (endpoint == Endpoint::kBookieSuspension) return take_suspension(bookie, exchange);
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
  const bool blind = decoded->unchecked() && view.status == kWritable && before.status.value_or(kWritable) != kWritable;
  if (!blind) bookie.unchecked_since_ms = 0;
  if (blind && bookie.unchecked_since_ms == 0) bookie.unchecked_since_ms = now_;
  if (blind && now_ - bookie.unchecked_since_ms < kFirstDiskCheck.count()) {
    view.status = before.status;
    view.writable_dirs = before.writable_dirs;
  }
  if (!view.status) view.status = before.status;
  view.status_since_ms = view.status == before.status && before.status_since_ms != 0 ? before.status_since_ms : now_;
  view.name = exchange.name;
  view.reachable = true;
  view.usage_threshold = before.usage_threshold;
  view.compaction = before.compaction;
  if (decoded->unchecked()) bookie.blank_dirs = std::move(decoded->blank_dirs);
  before = std::move(view);
  if (decoded->more_dirs == 0) return {};
  return Error{Errc::kTooLarge, fmt::format("{} ledger directories more than {}: the first ones are watched",
                                            decoded->more_dirs, bookie::kMostDirs)};
}

Result<void> Bookies::take_configuration(Bookie& bookie, const model::Exchange& exchange) {
  if (exchange.status != 200) return {};
  const auto decoded = bookie::decode_configuration(exchange.body);
  if (!decoded) return decoded.error();
  bookie.view.usage_threshold = decoded->disk_usage_threshold;
  bookie.view.compaction.suspends_at = decoded->disk_usage_warn_threshold;
  bookie.view.compaction.forced_when_full = decoded->forced_when_full;
  return {};
}

Result<void> Bookies::take_suspension(Bookie& bookie, const model::Exchange& exchange) {
  auto& compaction = bookie.view.compaction;
  if (exchange.status == 404) compaction.major_suspended = compaction.minor_suspended = std::nullopt;
  if (exchange.status != 200) return {};
  const auto decoded = bookie::decode_suspension(exchange.body);
  if (!decoded) return decoded.error();
  compaction.major_suspended = decoded->major;
  compaction.minor_suspended = decoded->minor;
  return {};
}

Result<void> Bookies::take_info(Bookie& bookie, const model::Exchange& exchange) {
  // It keeps the size of its disks while it does not answer, or answers that it is busy.
  if (exchange.status == 404) bookie.info.reset();
  if (exchange.status != 200) return {};
  const auto decoded = bookie::decode_info(exchange.body);
  if (!decoded) return decoded.error();
  bookie.info = *decoded;
  bookie.info_ms = now_;
  return {};
}

void Bookies::keep_only(const std::vector<std::string>& names) {
  std::erase_if(bookies_,
                [&](const auto& item) { return std::find(names.begin(), names.end(), item.first) == names.end(); });
}

bool Bookies::is_alone_at_its_host(std::string_view name) const {
  const auto same = [&](const auto& item) { return host_of(item.first) == host_of(name); };
  return std::count_if(bookies_.begin(), bookies_.end(), same) == 1;
}

model::BookieView Bookies::view_of(const Bookie& bookie) const {
  auto view = bookie.view;
  const auto missing_since = registrations_.missing_since_ms(view.name);
  if (!view.reachable && missing_since != 0 && is_alone_at_its_host(view.name)) {
    view.status = kUnregistered;
    view.status_since_ms = missing_since;
  }
  if (!bookie.info) return view;
  view.capacity_bytes = bookie.info->total_bytes;
  // Of several directories nobody knows which is on which disk.
  const auto usage = bookie.info->usage_ratio();
  if (bookie.blank_dirs.size() == 1 && bookie.info_ms == now_ && usage > 0) {
    view.dir_usage_ratio.emplace(bookie.blank_dirs.front(), usage);
  }
  return view;
}

std::vector<model::BookieView> Bookies::views() const {
  std::vector<model::BookieView> views;
  for (const auto& [name, bookie] : bookies_) views.push_back(view_of(bookie));
  return views;
}

}  // namespace tidemark::survey
