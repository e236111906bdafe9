// Steps through time. In each: clients whose time has come act, then every topic lives through the step, then the disks
// take what changed.
#include "sim/world.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/names.h"
#include "sim/documents.h"
#include "sim/random.h"

namespace tidemark::sim {
namespace {

constexpr TimeMs kDayMs = 86'400'000;

// A day's traffic from -1 at midnight to 1 at noon, in straight lines.
double day_shape_at(TimeMs now) {
  const TimeMs from_noon = std::abs(now % kDayMs - kDayMs / 2);
  return 1 - static_cast<double>(from_noon) * 4 / static_cast<double>(kDayMs);
}

TimeMs floor_to(TimeMs at, Duration step) { return at / step.count() * step.count(); }

std::vector<double> weights_of(const std::vector<BookieOptions>& bookies) {
  std::vector<double> weights;
  for (const auto& bookie : bookies) weights.push_back(bookie.weight);
  return weights;
}

}  // namespace

World::World(const WorldOptions& options)
    : options_(options),
      now_(options.start_ms),
      last_step_ms_(floor_to(options.start_ms, options.step)),
      storage_(weights_of(options.bookies), options.settings.write_quorum),
      bookies_(options.bookies, options.bookie_settings, options.start_ms) {
  for (int i = 0; i < options.brokers; ++i) {
    // Brokers have run for a while, and no two render their statistics at the same second.
    const auto phase = static_cast<TimeMs>(mix(options.seed + static_cast<std::uint64_t>(i)) % 50'000);
    brokers_.emplace_back("broker-" + std::to_string(i) + ":8080", options.start_ms - 3'600'000 - phase);
  }
}

World::~World() = default;

Topic& World::create_topic(const std::string& name) {
  if (auto* there = find(name)) return *there;
  freeze_sweeps();
  Slot slot;
  const TimeMs at = now_ - static_cast<TimeMs>(mix(hash_of(name) ^ options_.seed) % 1000);
  slot.topic = std::make_unique<Topic>(name, storage_, options_.settings, at);
  slot.last_ms = at;
  slot.policies = &ns(slot.topic->ns());
  auto& made = *slot.topic;
  topics_.emplace(name, std::move(slot));
  return made;
}

void World::create_partitioned(const std::string& parent, int partitions) {
  partitioned_[parent] = partitions;
  for (int i = 0; i < partitions; ++i) create_topic(parent + "-partition-" + std::to_string(i));
}

void World::delete_topic(const std::string& name) {
  freeze_sweeps();
  topics_.erase(name);
}

World::Slot* World::slot_of(std::string_view name) {
  const auto at = topics_.find(name);
  return at == topics_.end() ? nullptr : &at->second;
}

Topic* World::find(std::string_view name) {
  auto* slot = slot_of(name);
  return slot == nullptr ? nullptr : slot->topic.get();
}

const Topic* World::find(std::string_view name) const {
  const auto at = topics_.find(name);
  return at == topics_.end() ? nullptr : at->second.topic.get();
}

std::vector<const Topic*> World::topics() const {
  std::vector<const Topic*> list;
  list.reserve(topics_.size());
  for (const auto& [name, slot] : topics_) list.push_back(slot.topic.get());
  return list;
}

Effective World::policies_of(const Topic& topic) const {
  const auto own = namespaces_.find(topic.ns());
  return effective(options_.settings, own == namespaces_.end() ? NamespacePolicies{} : own->second);
}

TimeMs World::at(const Topic& topic) const { return at(topics_.find(topic.name())->second); }

TimeMs World::at(const Slot& slot) const {
  const auto spread = static_cast<std::uint64_t>(options_.step.count() / 4 + 1);
  const auto early = mix(slot.topic->seed() ^ static_cast<std::uint64_t>(now_) ^ options_.seed) % spread;
  return std::max(now_ - static_cast<TimeMs>(early), slot.last_ms + 1);
}

std::size_t World::owner_of(const Topic& topic) {
  return ownership_.owner_of(topic.ns(), bundle_of(topic.name(), options_.settings.bundles), brokers_);
}

void World::stop_broker(std::size_t broker, bool graceful) {
  freeze_sweeps();
  for (auto& [name, slot] : topics_) {
    if (slot.topic->loaded() && owner_of(*slot.topic) == broker) slot.topic->unload(at(*slot.topic), graceful);
  }
  ownership_.drop_broker(broker);
  brokers_.at(broker).stop();
}

void World::start_broker(std::size_t broker) {
  freeze_sweeps();
  brokers_.at(broker).start(now_);
}

void World::unload(Topic& topic) {
  freeze_sweeps();
  topic.unload(at(topic));
}

void World::move_bundle(const Topic& topic, std::size_t broker) {
  freeze_sweeps();
  const std::string bundle = bundle_of(topic.name(), options_.settings.bundles);
  for (auto& [name, slot] : topics_) {
    const bool inside = slot.topic->ns() == topic.ns() && bundle_of(name, options_.settings.bundles) == bundle;
    if (inside && slot.topic->loaded()) slot.topic->unload(at(*slot.topic));
  }
  ownership_.give(topic.ns(), bundle, broker);
}

void World::load_for_get(Topic& topic, TimeMs now) {
  if (topic.loaded()) return;
  freeze_sweeps();
  auto* slot = slot_of(topic.name());
  slot->last_ms = std::max(slot->last_ms, now);
  topic.load(now);
  topic.trim(policies_of(topic), now);
  ++loads_by_get_;
  if (now - topic.unloaded_ms() > options_.settings.stats_period.count()) ++loads_of_unlisted_;
}

void World::add_client(std::unique_ptr<Client> client) {
  clients_.push_back(std::move(client));
  wakes_.push({now_, clients_.size() - 1});
}

void World::advance_to(TimeMs target) {
  const auto length = options_.step.count();
  while (last_step_ms_ + length <= target) {
    keep_sweeps(target, last_step_ms_ + length);
    last_step_ms_ += length;
    now_ = std::max(now_, last_step_ms_);
    step();
  }
  now_ = std::max(now_, target);
}

void World::step() {
  wake_clients();
  const double shape = day_shape_at(now_);
  for (auto& [name, slot] : topics_) step_topic(slot, shape);
  bookies_.step(storage_, now_);
}

void World::wake_clients() {
  while (!wakes_.empty() && wakes_.top().at <= now_) {
    const auto due = wakes_.top();
    wakes_.pop();
    const TimeMs next = clients_[due.client]->wake(*this);
    if (next != kNever) wakes_.push({std::max(next, now_ + 1), due.client});
  }
}

void World::step_topic(Slot& slot, double day_shape) {
  auto& topic = *slot.topic;
  if (!topic.loaded()) {
    if (!topic.has_clients() || !brokers_[owner_of(topic)].up()) return;
    slot.last_ms = at(slot);
    topic.load(slot.last_ms);
    topic.trim(effective(options_.settings, *slot.policies), slot.last_ms);
    return;
  }
  const TimeMs now = at(slot);
  // A client may have loaded it since the last step; before that nothing was published.
  const TimeMs from = std::clamp(topic.loaded_ms(), slot.last_ms, now - 1);
  topic.step(effective(options_.settings, *slot.policies), from, now, day_shape);
  slot.last_ms = now;
}

// Before the step at `before`: a broker whose shown statistics, as of `target`, are older than that step renders them
// now, from the state that is about to change.
void World::keep_sweeps(TimeMs target, TimeMs before) {
  if (!options_.documents) return;
  for (std::size_t i = 0; i < brokers_.size(); ++i) {
    auto& broker = brokers_[i];
    if (!broker.up()) continue;
    const TimeMs shown = broker.statistics_at(options_.settings, target);
    if (shown == 0 || shown >= before || shown == broker.sweep_ms()) continue;
    if (shown < last_step_ms_) continue;  // an earlier step's business
    broker.keep_sweep(sweep_document(*this, i), shown);
  }
}

// Before a change in the middle of a step.
void World::freeze_sweeps() {
  if (!options_.documents) return;
  for (std::size_t i = 0; i < brokers_.size(); ++i) {
    auto& broker = brokers_[i];
    const TimeMs shown = broker.up() ? broker.statistics_at(options_.settings, now_) : 0;
    if (shown != 0 && shown != broker.sweep_ms()) broker.keep_sweep(sweep_document(*this, i), shown);
  }
}

std::string World::sweep_of(std::size_t broker) {
  auto& one = brokers_.at(broker);
  const TimeMs shown = one.statistics_at(options_.settings, now_);
  if (shown == 0) return "{}";
  if (!options_.documents) return sweep_document(*this, broker);
  if (!one.sweep() || one.sweep_ms() != shown) one.keep_sweep(sweep_document(*this, broker), shown);
  return *one.sweep();
}

std::string subject_of(const World& world, const Trouble& trouble) {
  if (!trouble.node) return trouble.subject;
  const bool broker = model::word_of(trouble.rule).level == model::Level::kBroker;
  return broker ? world.brokers().at(*trouble.node).address() : world.bookies().list().at(*trouble.node).address();
}

}  // namespace tidemark::sim
