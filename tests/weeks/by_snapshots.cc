#include "by_snapshots.h"

#include <algorithm>
#include <utility>

#include "model/names.h"

namespace tidemark::weeks {
namespace {

constexpr Duration kHour{3'600'000};
constexpr std::int64_t kStatsPeriodMs = 60'000;

std::optional<TimeMs> told(TimeMs at) { return at == 0 ? std::nullopt : std::optional(at); }

model::CursorView* find(model::TopicView& view, const std::string& name) {
  const auto at = std::lower_bound(view.cursors.begin(), view.cursors.end(), name,
                                   [](const auto& cursor, const auto& wanted) { return cursor.name < wanted; });
  return at != view.cursors.end() && at->name == name ? &*at : nullptr;
}

model::CursorView& cursor_of(model::TopicView& view, const sim::SimSubscription& subscription) {
  if (auto* known = find(view, subscription.name())) return *known;
  model::CursorView made;
  made.name = subscription.name();
  made.kind = subscription.durable() ? model::kind_of_cursor(made.name, view.system, {}) : model::CursorKind::kReader;
  const auto at = std::lower_bound(view.cursors.begin(), view.cursors.end(), made.name,
                                   [](const auto& cursor, const auto& wanted) { return cursor.name < wanted; });
  return *view.cursors.insert(at, std::move(made));
}

// How long the answers of a topic's own documents are good for.
Duration reask_of(const model::TopicView& view, Duration before, bool moved) {
  bool deviates = false;
  bool frozen = false;
  for (const auto& cursor : view.cursors) {
    const bool waits = cursor.backlog_entries.value_or(0) > 0;
    const bool replicator = cursor.kind == model::CursorKind::kReplicator;
    if (!replicator && cursor.consumers == 0 && waits) frozen = true;
    if (cursor.acked_ranges > 0 || (replicator && waits)) deviates = true;
  }
  if (frozen) return moved ? kHour : std::min(std::max(2 * before, kHour), 6 * kHour);
  return deviates ? Duration{600'000} : 24 * kHour;
}

bool suspicious(const model::TopicView& view) {
  return std::any_of(view.cursors.begin(), view.cursors.end(), [](const auto& cursor) {
    return cursor.consumers == 0 || cursor.acked_ranges > 0 || (cursor.connected == false);
  });
}

model::Ledgers ledgers_of(const sim::Topic& topic, const model::TopicView& before, bool loaded) {
  std::vector<model::Ledger> list;
  const auto& all = topic.ledger().ledgers();
  list.reserve(all.size());
  for (const auto& one : all) {
    model::Ledger ledger;
    ledger.id = one.id;
    ledger.entries = one.entries;
    ledger.bytes = one.bytes;
    if (one.closed_ms != 0 && &one != &all.back()) ledger.closed_ms = one.closed_ms;
    ledger.offloaded = one.offloaded;
    list.push_back(ledger);
  }
  // The metadata does not tell the size of the last ledger; what its last load told still holds.
  if (!loaded && !list.empty()) {
    const auto* known = before.ledgers.find(list.back().id);
    list.back().entries = known != nullptr ? known->entries : std::nullopt;
    list.back().bytes = known != nullptr ? known->bytes : std::nullopt;
  }
  return model::Ledgers(std::move(list));
}

std::vector<model::AckRange> ranges_of(const sim::Topic& topic, const sim::Cursor& cursor) {
  std::vector<model::AckRange> ranges;
  for (const auto& one : cursor.printed(topic.ledger())) ranges.push_back({one.after, one.through});
  return ranges;
}

}  // namespace

BySnapshots::BySnapshots(sim::World& world, Duration interval)
    : world_(world), interval_(interval), random_(sim::mix(world.seed() ^ 0x7)), brokers_(world.brokers().size()) {
  for (const auto* topic : world.topics()) {
    Watched watched;
    watched.view = std::make_shared<model::TopicView>();
    auto& view = *watched.view;
    const auto name = model::parse_topic(topic->name());
    view.name = topic->name();
    view.ns = name->ns;
    view.tenant = name->tenant;
    view.system = model::is_system_topic(*name);
    view.listed = true;
    topics_.push_back(std::move(watched));
  }
  for (const auto& [name, policies] : world.namespaces()) {
    auto& view = namespaces_[name];
    view.name = name;
    view.policies_known = true;
    if (policies.retention)
      view.retention = model::Retention{policies.retention->minutes, policies.retention->megabytes};
    view.ttl_seconds = policies.ttl_seconds;
    view.expiration_minutes = policies.expiration_minutes;
    view.properties = policies.properties;
  }
}

std::shared_ptr<const model::Snapshot> BySnapshots::poll(TimeMs at, const Weather& weather, Sky& sky) {
  world_.advance_to(at);
  weather_ = weather;
  now_ = at + weather.skew.count();
  look_at_brokers(weather);
  // What moves while it is swept is in neither sweep: it is unloaded until its clients come back, at the next step.
  if (weather.moves_a_bundle) sky.move_a_bundle(world_);

  const auto topics = world_.topics();
  for (std::size_t i = 0; i < topics.size(); ++i) {
    const auto& topic = *topics[i];
    auto& broker = brokers_[world_.owner_of(*world_.find(topic.name()))];
    if (topic.loaded() && broker.sweeps) {
      sweep(topic, topics_[i], broker);
    } else {
      miss(topic, topics_[i]);
    }
  }
  for (std::size_t i = 0; i < topics.size(); ++i) {
    auto& watched = topics_[i];
    auto& broker = brokers_[world_.owner_of(*world_.find(topics[i]->name()))];
    if (broker.reloaded > std::max<std::int64_t>(1, broker.topics / 100)) broker.quiet_polls = 2;
    const bool due =
        watched.asked_ms == 0 ? suspicious(*watched.view) : now_ - watched.asked_ms >= watched.reask.count();
    const bool audited = i == audit_ % topics.size();
    if (watched.view->sweep_at_ms == now_ && broker.quiet_polls == 0 && (due || audited)) ask(*topics[i], watched);
  }
  ++audit_;

  auto snapshot = std::make_shared<model::Snapshot>();
  snapshot->at_ms = now_;
  snapshot->reached_ms = reached_ms_;
  snapshot->interval = interval_;
  snapshot->cluster = world_.settings().cluster;
  snapshot->version = world_.settings().version;
  snapshot->namespaces = namespaces_;
  snapshot->defaults.ttl_seconds = world_.settings().ttl_seconds;
  snapshot->defaults.retention = model::Retention{};
  snapshot->defaults.ensemble = world_.settings().ensemble;
  snapshot->defaults.write_quorum = world_.settings().write_quorum;
  for (std::size_t i = 0; i < brokers_.size(); ++i) {
    const auto& broker = brokers_[i];
    snapshot->brokers.push_back({world_.brokers()[i].address(), broker.sweeps, !broker.sweeps, {}, broker.topics});
  }
  snapshot->topics.reserve(topics_.size());
  for (const auto& watched : topics_) snapshot->topics.push_back(watched.view);
  return snapshot;
}

void BySnapshots::look_at_brokers(const Weather& weather) {
  conclusive_ = !weather.lost;
  for (std::size_t i = 0; i < brokers_.size(); ++i) {
    auto& broker = brokers_[i];
    const auto& real = world_.brokers()[i];
    if (broker.quiet_polls > 0) --broker.quiet_polls;
    broker.topics = broker.reloaded = 0;
    const bool fails = weather.failing_broker == i;
    // Statistics are of a moment within the last period, or there are none yet.
    broker.sweeps = !weather.lost && !fails && real.up() && real.statistics_at(world_.settings(), world_.now()) != 0 &&
                    !(weather.truncated > 0 && random_.fraction() < weather.truncated);
    if (fails) broker.quiet_polls = 2;
    if (broker.sweeps) reached_ms_ = now_;
    conclusive_ = conclusive_ && broker.sweeps;
  }
}

bool BySnapshots::spoiled_now() {
  const bool spoiled = random_.fraction() < weather_.errors + weather_.truncated;
  if (spoiled) ++spoiled_;
  return spoiled;
}

void BySnapshots::sweep(const sim::Topic& topic, Watched& watched, Broker& broker) {
  auto& view = *watched.view;
  ++broker.topics;
  const bool reloaded = watched.loaded_ms != 0 && watched.loaded_ms != topic.loaded_ms();
  if (reloaded) {
    ++view.epoch;
    ++broker.reloaded;
  }
  watched.loaded_ms = topic.loaded_ms();
  watched.missing_since.reset();
  view.loaded = model::Loaded::kYes;
  view.sweep_at_ms = now_;
  view.reask = watched.reask;
  view.read_since_absent = false;
  view.total_bytes = topic.ledger().total_bytes();
  view.backlog_bytes = topic.backlog_bytes();
  view.messages_in = topic.ledger().added_since_load();
  view.bytes_in = topic.ledger().bytes_since_load();
  view.publishers = static_cast<std::int64_t>(topic.publishers().size());
  view.rate_in = static_cast<double>(topic.in_period()) / topic.seconds_in_period();

  std::erase_if(view.cursors, [&](const auto& cursor) { return topic.find(cursor.name) == nullptr; });
  bool moved = reloaded;
  for (const auto& one : topic.subscriptions()) moved |= sweep_cursor(topic, *one, view, reloaded);
  if (moved) watched.asked_ms = 0;
}

// Whether the topic's own documents deserve a question.
bool BySnapshots::sweep_cursor(const sim::Topic& topic, const sim::SimSubscription& subscription,
                               model::TopicView& view, bool reloaded) const {
  const auto backlog = subscription.cursor.backlog(topic.ledger());
  if (subscription.internal()) {
    if (!subscription.replicator()) return false;
    auto& cursor = cursor_of(view, subscription);
    cursor.connected = !subscription.consumers.empty();
    cursor.backlog_entries = backlog;
    cursor.backlog_at_ms = now_;
    return false;
  }
  auto& cursor = cursor_of(view, subscription);
  const bool first = !cursor.consumers;
  const auto consumers = static_cast<int>(subscription.consumers.size());
  const bool fell = !first && backlog < cursor.backlog_entries.value_or(0) && consumers == 0;
  const bool moved = fell || (!first && cursor.consumers != consumers) || reloaded;
  if (fell) cursor.doubted = true;
  cursor.consumers = consumers;
  cursor.consumers_at_ms = now_;
  cursor.type = subscription.dispatcher ? sim::name_of(subscription.wanted_type) : "None";
  cursor.backlog_entries = backlog;
  cursor.backlog_at_ms = now_;
  cursor.rate_out = static_cast<double>(subscription.out_in_period) / topic.seconds_in_period();
  cursor.acked_ranges = static_cast<std::int64_t>(subscription.cursor.acked().size());
  return moved;
}

void BySnapshots::ask(const sim::Topic& topic, Watched& watched) {
  auto& view = *watched.view;
  const auto before_ms = view.internal_at_ms;
  if (!spoiled_now()) read_positions(topic, watched);
  const bool positions = view.internal_at_ms == now_;
  if (!spoiled_now()) {
    read_clocks(topic, view);
    view.stats_at_ms = now_;
  }
  // What was no good is asked for again at the next poll.
  watched.asked_ms = positions && view.stats_at_ms == now_ ? now_ : 0;
  const bool moved = watched.reask.count() == 0 || before_ms == 0 || view.read_since_absent;
  watched.reask = reask_of(view, watched.reask, moved);
  view.reask = watched.reask;
}

void BySnapshots::read_positions(const sim::Topic& topic, Watched& watched) {
  auto& view = *watched.view;
  view.ledgers = ledgers_of(topic, view, true);
  view.last_confirmed = topic.ledger().last_confirmed();
  view.ledger_open = true;
  view.internal_at_ms = now_;
  view.epoch_started_ms.reset();
  for (const auto& one : topic.subscriptions()) {
    auto& cursor = cursor_of(view, *one);
    if (cursor.mark_delete && *cursor.mark_delete != one->cursor.mark_delete()) watched.reask = Duration{0};
    cursor.mark_delete = one->cursor.mark_delete();
    cursor.read_position = topic.ledger().read_position_at(one->cursor.read_index());
    cursor.position_at_ms = now_;
    cursor.position_stale_by_rule = cursor.doubted = false;
    cursor.acked = ranges_of(topic, one->cursor);
    cursor.cursor_ledger = one->cursor.cursor_ledger();
    cursor.cursor_ledger_last_entry = one->cursor.cursor_ledger_last_entry();
    cursor.cursor_state = one->cursor.open() ? "Open" : "NoLedger";
    cursor.ledger_switched_ms = one->cursor.ledger_switched_ms();
    if (!view.epoch_started_ms || *cursor.ledger_switched_ms < *view.epoch_started_ms)
      view.epoch_started_ms = cursor.ledger_switched_ms;
    // Once, of the stored one.
    if (one->durable() && !cursor.created_ms) cursor.created_ms = one->cursor.stored().created_ms;
  }
}

void BySnapshots::read_clocks(const sim::Topic& topic, model::TopicView& view) const {
  view.open_transactions = topic.open_transaction() ? 1 : 0;
  for (const auto& one : topic.subscriptions()) {
    if (one->internal()) continue;
    auto& cursor = cursor_of(view, *one);
    cursor.consumer_list.clear();
    cursor.unacked_messages = 0;
    for (const auto& consumer : one->consumers) {
      cursor.consumer_list.push_back({consumer.name, consumer.permits(), consumer.unacked, false});
      cursor.unacked_messages += consumer.unacked;
    }
    cursor.messages_out = one->messages_out;
    cursor.delayed_entries = topic.delayed(*one, world_.now());
    cursor.flow_ms = told(one->flow_ms);
    cursor.mark_delete_advanced_ms = told(one->mark_delete_advanced_ms);
    cursor.expired_ms = told(one->expire_ms);
    cursor.expired_total = one->expired_total;
    cursor.stats_at_ms = now_;
    cursor.properties = one->properties;
  }
}

// In no sweep: unloaded when every sweep is there and it stays away.
void BySnapshots::miss(const sim::Topic& topic, Watched& watched) {
  auto& view = *watched.view;
  if (conclusive_) {
    if (!watched.missing_since) watched.missing_since = now_;
    view.absent_at_ms = now_;
  }
  if (!watched.missing_since) {
    view.loaded = model::Loaded::kUnknown;
    return;
  }
  const bool read = watched.info_ms >= *watched.missing_since;
  if (conclusive_ && !topic.loaded() && (!read || now_ - watched.info_ms >= kHour.count()) && !spoiled_now()) {
    watched.info_ms = view.info_at_ms = now_;
    read_stored(topic, watched);
  }
  const bool long_missing = now_ - *watched.missing_since >= kStatsPeriodMs;
  view.loaded = conclusive_ && long_missing ? model::Loaded::kNo : model::Loaded::kUnknown;
  view.read_since_absent = watched.info_ms >= *watched.missing_since;
  view.reask = kHour;
  if (view.loaded != model::Loaded::kNo) return;
  for (auto& cursor : view.cursors) {
    cursor.consumers = 0;
    cursor.consumers_at_ms = now_;
  }
}

void BySnapshots::read_stored(const sim::Topic& topic, Watched& watched) const {
  auto& view = *watched.view;
  view.ledgers = ledgers_of(topic, view, false);
  std::erase_if(view.cursors, [&](const auto& cursor) {
    const auto* there = topic.find(cursor.name);
    return there == nullptr || !there->durable();
  });
  for (const auto& one : topic.subscriptions()) {
    if (!one->durable()) continue;
    const auto& stored = one->cursor.stored();
    auto& cursor = cursor_of(view, *one);
    cursor.created_ms = stored.created_ms;
    cursor.modified_ms = stored.modified_ms;
    const bool exact = stored.cursors_ledger_id == -1;
    const bool known = cursor.mark_delete && !cursor.doubted && cursor.consumers.value_or(0) == 0;
    cursor.position_at_ms = now_;
    if (!exact && known) continue;
    cursor.mark_delete = stored.mark_delete;
    cursor.position_stale_by_rule = !exact;
    cursor.doubted = false;
    cursor.cursor_ledger = stored.cursors_ledger_id;
    cursor.acked.clear();
    for (const auto& range : stored.acked) cursor.acked.push_back({range.after, range.through});
    cursor.acked_ranges = static_cast<std::int64_t>(cursor.acked.size());
  }
}

}  // namespace tidemark::weeks
