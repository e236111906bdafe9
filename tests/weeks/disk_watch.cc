#include "disk_watch.h"

#include <iterator>
#include <utility>

#include "sim/random.h"

namespace tidemark::weeks {
namespace {

constexpr TimeMs kDayMs = 86'400'000;
constexpr TimeMs kHourMs = 3'600'000;
constexpr Duration kFirstCheck{std::chrono::minutes{10}};  // of a bookie's disks, and of its garbage
constexpr std::size_t kOddBookie = 0;                      // of Leak::kThrash
constexpr std::size_t kLostBookie = 2;
constexpr std::size_t kSlowBroker = 1;

}  // namespace

DiskWatch::DiskWatch(std::uint64_t seed, Leak leak)
    : seed_(seed),
      leak_(leak),
      world_(scene_options(seed, leak)),
      sky_(seed),
      patterns_(*detect::OriginPatterns::compile({})),
      caches_(world_.bookies().list().size(), model::ReadCache{0, 0, 0, 0}) {
  tell_scene(world_, leak);
  watcher_ = std::make_unique<BySnapshots>(world_, kLook);
}

bool DiskWatch::leaks() const { return world_.now() >= kYearBegins + kLeakDay * kDayMs; }

void DiskWatch::run(int days, const Look& look) {
  for (std::int64_t i = 1; i <= days * (kDayMs / kLook.count()); ++i) {
    const TimeMs at = kYearBegins + i * kLook.count();
    const auto weather = sky_.next(world_);
    if (weather.away) {
      world_.advance_to(at);
      continue;
    }
    ++polls_;
    const auto seen = watcher_->poll(at, weather, sky_);
    model::Snapshot snapshot = *seen;
    add_policies(snapshot);
    add_bookies(snapshot);
    add_calls(snapshot);
    if (leak_ == Leak::kMarkers && leaks()) add_markers(snapshot);
    const auto verdicts = detect::judge(snapshot, history_, patterns_, limits_);
    history_.forget_unseen(snapshot.at_ms);
    leaked_[snapshot.at_ms] = leaked_bytes();
    look(at, verdicts);
  }
}

std::int64_t DiskWatch::leaked(TimeMs from, TimeMs to) const {
  const auto first = leaked_.lower_bound(from);
  const auto last = leaked_.upper_bound(to);
  return first == leaked_.end() || last == leaked_.begin() ? 0 : std::prev(last)->second - first->second;
}

std::int64_t DiskWatch::leaked_bytes() const {
  const auto& bookies = world_.bookies().list();
  std::int64_t sum = 0;
  if (leak_ == Leak::kGarbage) {
    for (const auto& bookie : bookies) sum += bookie.garbage_bytes();
  }
  if (leak_ == Leak::kUnexplained && leaks()) {
    const auto hours = (world_.now() - kYearBegins - kLeakDay * kDayMs) / kHourMs;
    sum += hours * kUnknownPerHour * static_cast<std::int64_t>(bookies.size());
  }
  const auto* topic = world_.find(kLeakingTopic);
  return topic == nullptr ? sum : sum + world_.settings().write_quorum * topic->backlog_bytes();
}

void DiskWatch::add_policies(model::Snapshot& snapshot) const {
  snapshot.namespaces[kQuotaNamespace].quota =
      model::BacklogQuota{kQuotaBytes, false, std::nullopt, false, true, false};
  const auto leaking = snapshot.namespaces.find(kLeakingNamespace);
  if (leaking == snapshot.namespaces.end()) return;
  auto& ns = leaking->second;
  // The broker of the simulator does not know of it, and so expires nothing.
  if (leak_ == Leak::kExpiry) ns.ttl_seconds = kTtlSeconds;
  if (leak_ == Leak::kPinned) {
    ns.quota = model::BacklogQuota{std::nullopt, false, kAgeQuotaSeconds, false, false, true};
  }
  if (leak_ != Leak::kReplication) return;
  ns.policies_at_ms = snapshot.at_ms;
  ns.replication_clusters = {snapshot.cluster};
  if (world_.now() < kYearBegins + kUnlistedDay * kDayMs) ns.replication_clusters.emplace_back("west");
}

// What their metrics and the admin API would say.
void DiskWatch::add_bookies(model::Snapshot& snapshot) {
  const auto& bookies = world_.bookies().list();
  for (std::size_t i = 0; i < bookies.size(); ++i) {
    auto view = view_of(bookies[i], snapshot.at_ms);
    read(i, caches_[i]);
    view.read_cache = caches_[i];
    if (leak_ == Leak::kLost && leaks() && i == kLostBookie) {
      view.reachable = false;
      view.status = -1;
    }
    snapshot.bookies.push_back(std::move(view));
  }
}

model::BookieView DiskWatch::view_of(const sim::SimBookie& bookie, TimeMs now) const {
  model::BookieView view;
  view.name = bookie.address();
  view.reachable = true;
  view.status = bookie.writable() ? 1 : 0;
  view.status_since_ms = now;
  view.capacity_bytes = bookie.options().capacity_bytes;
  if (world_.now() - bookie.started_ms() >= kFirstCheck.count()) {
    view.dir_usage_ratio["_ledgers"] = bookie.usage_percent() / 100;
  }
  if (bookie.active_bytes() > 0) view.live_bytes = bookie.active_bytes();
  view.recovered_bytes = bookie.recovered_bytes();
  view.logs.reclaimed_bytes = bookie.reclaimed_bytes();
  view.logs.collections = bookie.collections();
  return view;
}

// Since the look before. Each night somebody catches up, and uses what is read ahead.
void DiskWatch::read(std::size_t bookie, model::ReadCache& cache) const {
  constexpr std::int64_t kSeconds = kLook.count() / 1000;
  constexpr std::int64_t kAhead = 100;  // entries that each read from the disk brings
  const bool thrashes = leak_ == Leak::kThrash && leaks() && bookie == kOddBookie;
  const bool night = world_.now() / kHourMs % 24 == 3;
  const std::int64_t misses = kSeconds * (thrashes ? 500 : night ? 300 : 2);
  *cache.misses += misses;
  *cache.fills += misses;
  *cache.entries += misses * kAhead;
  *cache.hits += thrashes ? misses / 2 : misses * kAhead * 9 / 10;
}

// One hour in 25 has a poll that meets a pause; three in a row would be none.
void DiskWatch::add_calls(model::Snapshot& snapshot) const {
  const auto hour = snapshot.at_ms / kHourMs;
  const auto quarter = static_cast<std::uint64_t>(snapshot.at_ms % kHourMs / kLook.count());
  for (std::size_t i = 0; i < snapshot.brokers.size(); ++i) {
    auto& broker = snapshot.brokers[i];
    if (!broker.reachable) continue;
    const auto luck = sim::mix(seed_ ^ static_cast<std::uint64_t>(hour) ^ i << 7);
    const bool pause = luck % 25 == 0 && luck / 25 % 4 == quarter;
    const bool slow = leak_ == Leak::kSlowBroker && leaks() && i == kSlowBroker;
    const auto usual = sim::mix(luck ^ quarter) % 40;
    broker.calls_p90_ms = slow || pause ? 1500 : 20 + static_cast<std::int64_t>(usual);
  }
}

// Half of what comes to it nobody published.
void DiskWatch::add_markers(model::Snapshot& snapshot) {
  for (auto& topic : snapshot.topics) {
    if (topic->name != kBusyTopic) continue;
    auto marked = std::make_shared<model::TopicView>(*topic);
    if (marked->bytes_in) *marked->bytes_in /= 2;
    topic = std::move(marked);
  }
}

}  // namespace tidemark::weeks
