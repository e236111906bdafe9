// The course of a poll and the documents about the cluster; documents of topics are in topic_documents.cc, queues in
// queues.cc.
#include "survey/survey.h"

#include <algorithm>
#include <utility>

#include "pulsar/cluster_documents.h"
#include "pulsar/sweep_reader.h"

namespace tidemark::survey {
namespace {

constexpr Duration kDefaultStatsPeriod{60000};
constexpr std::size_t kMaxRecordedTopicBytes = std::size_t{64} << 20;

// A broker is left alone after more than this share of its topics was loaded anew or went away.
bool is_disturbance(std::int64_t count, std::int64_t topics, std::int64_t one_in) {
  return count > std::max<std::int64_t>(1, topics / one_in);
}

}  // namespace

Survey::Survey(Options options)
    : options_(std::move(options)),
      times_(options_.abandoned_after, options_.stuck_after),
      topology_(options_),
      census_(options_) {}

Duration Survey::stats_period() const {
  const auto seconds = topology_.defaults().stats_period_seconds;
  return seconds ? std::chrono::seconds{*seconds} : kDefaultStatsPeriod;
}

AssembleContext Survey::context() const {
  AssembleContext made{
      now_, stats_period(), clock_offset_, !brokers_.empty(), sweeps_exist_, topology_.defaults().cursor_names};
  for (const auto& [name, broker] : brokers_) made.sweeps_conclusive = made.sweeps_conclusive && broker.conclusive;
  return made;
}

void Survey::begin_poll(TimeMs now) {
  before_ = now_;
  now_ = now;
  sweeps_ended_ = false;
  topology_.begin_poll(now);
  for (auto& [name, broker] : brokers_) {
    broker.swept = broker.conclusive = broker.reachable = false;
    broker.problem.clear();
    broker.topics = broker.reloaded = broker.failed = broker.answered = 0;
    broker.shrunk = false;
    if (broker.quiet_polls > 0) --broker.quiet_polls;
    broker.calls.begin_poll(now);
  }
  bookies_.begin_poll(now);
  census_.begin_poll(now);
}

std::vector<Ask> Survey::sweeps() const {
  std::vector<Ask> asks;
  const bool whole = options_.share.sees_loaded_topics();
  const auto endpoint = whole ? pulsar::Endpoint::kSweep : pulsar::Endpoint::kLoadedTopics;
  for (const auto& broker : topology_.brokers()) {
    asks.push_back(
        {endpoint, model::Target::kBroker, broker, whole ? pulsar::sweep_path() : pulsar::loaded_topics_path()});
  }
  return asks;
}

void Survey::begin_sweep(const std::string& broker) { brokers_[broker].topics = 0; }

void Survey::sweep_topic(const std::string& broker, pulsar::SweepTopic topic) {
  sweeps_exist_ = true;
  ++brokers_[broker].topics;
  auto* facts = facts_for(topic.name);
  if (facts != nullptr && !options_.share.sees_loaded_topics()) return facts->take_name(broker, now_);
  if (facts == nullptr) return;
  if (facts->is_leftover_listing(broker, before_)) {
    held_.push_back({facts, broker, std::move(topic)});
  } else {
    believe(*facts, broker, std::move(topic));
  }
}

void Survey::believe(TopicFacts& facts, const std::string& broker, pulsar::SweepTopic topic) {
  const auto epoch = facts.epoch;
  const bool fresh = !facts.sweep.document && facts.former_ms == 0;
  const bool ask_now = facts.take_sweep(std::move(topic), broker, now_, stats_period());
  if (options_.replay) return;
  if (facts.epoch != epoch) ++brokers_[broker].reloaded;
  plan_after_sweep(facts, ask_now, now_, times_);
  if (fresh && facts.schedule.suspicion != Suspicion::kNone) ++newcomers_;
}

// Whoever had it last does not list it any more: it came back to whom it had before.
void Survey::take_held() {
  for (auto& [facts, broker, topic] : std::exchange(held_, {})) {
    if (facts->sweep.at_ms != now_) believe(*facts, broker, std::move(topic));
  }
}

void Survey::end_sweep(const std::string& broker, std::optional<Error> problem, std::int64_t left_out) {
  sweeps_exist_ = true;
  auto& from = brokers_[broker];
  // Damage among topics is a broker's; without any it may be anybody who listens on that port.
  const bool damaged = problem && (problem->code() == Errc::kMalformed || problem->code() == Errc::kTruncated);
  from.reachable = !problem || (damaged && from.topics + left_out > 0);
  from.swept = !problem;
  if (from.reachable) reached_ms_ = now_;
  from.problem = problem ? problem->text() : std::string{};
  judge_sweep(from);
}

void Survey::judge_sweep(Broker& broker) {
  if (!broker.swept) return;
  // For up to a minute after its start a broker answers {}, and a broker that lost most of its topics may be on its way
  // down.
  const bool blank = broker.topics == 0 || 2 * broker.topics < broker.topics_before;
  if (!blank) {
    broker.blank_since_ms.reset();
    broker.conclusive = true;
  } else {
    if (!broker.blank_since_ms) broker.blank_since_ms = now_;
    broker.conclusive = options_.replay ? broker.topics_before == 0 && broker.topics > 0
                                        : now_ - *broker.blank_since_ms >= 2 * stats_period().count();
    if (!broker.conclusive)
      broker.problem = "its sweep is empty or lost most of its topics: just started, or about to stop";
  }
  broker.shrunk = is_disturbance(broker.topics_before - broker.topics, broker.topics_before, 10);
  if (broker.conclusive) broker.topics_before = broker.topics;
}

void Survey::list_topic(const std::string& topic) {
  if (auto* facts = facts_for(topic)) facts->listed_ms = now_;
}

void Survey::end_list(const std::string& ns, bool whole) {
  if (!whole) return;
  listed_ms_[ns] = now_;
  lists_.take_topics(ns, now_);
}

void Survey::end_sweeps() {
  if (sweeps_ended_) return;
  sweeps_ended_ = true;
  // A broker that is no longer listed is gone with its sweep.
  if (!options_.replay) {
    const auto& listed = topology_.brokers();
    const auto is_listed = [&](const std::string& name) {
      return std::find(listed.begin(), listed.end(), name) != listed.end();
    };
    std::erase_if(brokers_, [&](const auto& item) { return !is_listed(item.first); });
    clocks_.keep_only([&](const std::string& name) { return name == options_.seed || is_listed(name); });
  }
  take_held();
  for (auto& [name, broker] : brokers_) {
    if (broker.swept && (broker.shrunk || is_disturbance(broker.reloaded, broker.topics, 100)))
      broker.quiet_polls = kQuietPolls;
  }
  mark_missing();
  drop_gone();
  hand_over();
  compare_lists();
  if (options_.replay) return;
  queue_suspects();
  queue_audits();
  queue_infos();
  queue_references();
  queue_partitions();
}

void Survey::take_clock_offset() {
  const auto offset = clocks_.value();
  if (offset == clock_offset_) return;
  clock_offset_ = offset;
  for (auto& [name, facts] : topics_) facts.view.reset();
}

std::shared_ptr<const model::Snapshot> Survey::end_poll() {
  end_sweeps();
  auto snapshot = std::make_shared<model::Snapshot>();
  snapshot->at_ms = now_;
  snapshot->reached_ms = reached_ms_;
  snapshot->interval = options_.interval;
  if (options_.replay && before_ != 0) snapshot->interval = std::max(options_.interval, Duration{now_ - before_});
  topology_.fix_label();
  snapshot->cluster = topology_.cluster();
  snapshot->share = options_.share;
  snapshot->version = topology_.version();
  snapshot->namespaces = topology_.namespaces();
  lists_.tell(snapshot->namespaces);
  snapshot->topic_policies = topic_policies_;
  snapshot->defaults = topology_.defaults();
  take_clock_offset();
  snapshot->clock_offset = clock_offset_;
  const auto now = context();
  for (auto& [name, facts] : topics_) {
    const auto ns = snapshot->namespaces.find(facts.ns);
    if (ns != snapshot->namespaces.end() && ns->second.deleted) continue;
    if (!facts.ours) {
      if (ns != snapshot->namespaces.end() && facts.listed_ms != 0) ++ns->second.judged_elsewhere;
      continue;
    }
    if (!facts.view || facts.view->loaded != loaded_state(facts, now)) facts.view = assemble(facts, now);
    snapshot->topics.push_back(facts.view);
  }
  for (const auto& [name, broker] : brokers_) {
    snapshot->brokers.push_back({name, broker.reachable, !broker.conclusive, broker.problem, broker.topics,
                                 broker.calls.p90(), broker.calls.timeouts()});
  }
  if (!options_.replay) bookies_.keep_only(topology_.bookies());
  snapshot->bookies = bookies_.views();
  conclude_ledgers();
  snapshot->ledgers = ledgers_;
  snapshot->ledgers_before = ledgers_before_;
  snapshot->topics_loaded_by_us = loaded_by_us_;
  snapshot->suspects_waiting = static_cast<std::int64_t>(suspects_waiting());
  for (const auto& [name, broker] : brokers_) {
    for (const auto& topic : broker.suspects) {
      const auto since = topics_.at(topic).schedule.waiting_since_ms;
      if (!snapshot->oldest_suspect_ms || since < *snapshot->oldest_suspect_ms) snapshot->oldest_suspect_ms = since;
    }
  }
  return snapshot;
}

Result<void> Survey::take(const model::Exchange& exchange) {
  const auto route = pulsar::parse_path(exchange.path);
  note_call(exchange, route.endpoint);
  if (route.endpoint == pulsar::Endpoint::kLedgerList) return take_ledger_page(exchange);
  if (exchange.target == model::Target::kBookie) return bookies_.take(exchange, route.endpoint);
  switch (route.endpoint) {
    case pulsar::Endpoint::kStats:
    case pulsar::Endpoint::kInternalStats:
    case pulsar::Endpoint::kInternalInfo:
      return take_topic_document(exchange, route);
    case pulsar::Endpoint::kPartitions:
      return take_partitions(exchange, route);
    case pulsar::Endpoint::kSchemaMetadata:
      return census_.take_schema(route.topic, exchange);
    case pulsar::Endpoint::kTopicRetention:
    case pulsar::Endpoint::kTopicTtl:
    case pulsar::Endpoint::kTopicQuotas:
    case pulsar::Endpoint::kTopicCompaction:
      return take_topic_policy(exchange, route);
    case pulsar::Endpoint::kSweep:
    case pulsar::Endpoint::kLoadedTopics:
      return take_sweep_body(exchange);
    case pulsar::Endpoint::kTopics:
      return take_list_body(exchange, route);
    default: {
      auto taken = take_cluster_document(exchange, route);
      topology_answered(exchange.path, exchange.status, taken.has_value());
      return taken;
    }
  }
}

// What is streamed takes as long as it is large: of that only that it did not come counts.
void Survey::note_call(const model::Exchange& exchange, pulsar::Endpoint endpoint) {
  if (exchange.target != model::Target::kBroker) return;
  if (exchange.timed_out) return saw_timeout(exchange.name);
  const bool streamed = endpoint == pulsar::Endpoint::kSweep || endpoint == pulsar::Endpoint::kTopics;
  const auto broker = brokers_.find(exchange.name);
  if (broker == brokers_.end() || streamed || !exchange.took || exchange.status == 0) return;
  broker->second.calls.add(now_, *exchange.took);
}

void Survey::saw_timeout(const std::string& broker) {
  if (const auto known = brokers_.find(broker); known != brokers_.end()) known->second.calls.add_timeout();
}

void Survey::topology_answered(const std::string& path, int status, bool usable) {
  const bool passing = status == 0 || status == 429 || status >= 500 || (status == 200 && !usable);
  topology_.answered(path, !passing);
}

// Recordings and direct answers carry a sweep in one piece; live ones arrive through begin_sweep.
Result<void> Survey::take_sweep_body(const model::Exchange& exchange) {
  begin_sweep(exchange.name);
  if (exchange.status != 200) {
    end_sweep(exchange.name, Error{Errc::kHttpStatus, exchange.path + " answered " + std::to_string(exchange.status)});
    return {};
  }
  pulsar::SweepReader reader(
      kMaxRecordedTopicBytes, [&](pulsar::SweepTopic topic) { sweep_topic(exchange.name, std::move(topic)); }, {},
      options_.share.sees_loaded_topics() ? pulsar::SweepOf::kStatistics : pulsar::SweepOf::kNames);
  auto done = reader.feed(exchange.body);
  if (done) done = reader.finish();
  end_sweep(exchange.name, done ? std::nullopt : std::optional(done.error()), reader.whole() ? reader.rejected() : 0);
  return done;
}

Result<void> Survey::take_list_body(const model::Exchange& exchange, const pulsar::Route& route) {
  if (exchange.status != 200) return {};
  pulsar::StringListReader reader([&](const std::string& topic) { list_topic(topic); });
  auto done = reader.feed(exchange.body);
  if (done) done = reader.finish();
  end_list(route.ns, done.has_value());
  return done;
}

Result<void> Survey::take_cluster_document(const model::Exchange& exchange, const pulsar::Route& route) {
  if (exchange.status != 200) return {};
  const auto list = [&](auto&& use) -> Result<void> {
    auto names = pulsar::decode_string_list(exchange.body);
    if (!names) return names.error();
    use(std::move(*names));
    return {};
  };
  switch (route.endpoint) {
    case pulsar::Endpoint::kVersion: {
      auto version = pulsar::decode_version(exchange.body);
      if (!pulsar::is_version(version)) return Error{Errc::kMalformed, "broker version: no version number"};
      topology_.take_version(std::move(version));
      return {};
    }
    case pulsar::Endpoint::kClusters:
      return list([&](const auto& names) { topology_.take_clusters(names); });
    case pulsar::Endpoint::kBrokers:
      return list([&](auto names) { topology_.take_brokers(std::move(names)); });
    case pulsar::Endpoint::kTenants:
      return list([&](auto names) { topology_.take_tenants(std::move(names)); });
    case pulsar::Endpoint::kNamespaces:
      return list([&](auto names) { topology_.take_namespaces(route.tenant, std::move(names)); });
    case pulsar::Endpoint::kPartitionedTopics:
      return list([&](const auto& names) { lists_.take_partitioned(route.ns, names, now_); });
    case pulsar::Endpoint::kBookies: {
      auto names = pulsar::decode_bookies(exchange.body);
      if (!names) return names.error();
      topology_.take_bookies(std::move(*names));
      return {};
    }
    case pulsar::Endpoint::kPolicies: {
      auto policies = pulsar::decode_policies(exchange.body);
      if (!policies) return policies.error();
      policies->policies_at_ms = metadata_read_ms_ = now_;
      topology_.take_policies(route.ns, std::move(*policies));
      return {};
    }
    case pulsar::Endpoint::kRuntimeConfiguration: {
      auto defaults = pulsar::decode_runtime_configuration(exchange.body);
      if (!defaults) return defaults.error();
      if (defaults->cursor_names != topology_.defaults().cursor_names) {
        for (auto& [name, facts] : topics_) facts.view.reset();
      }
      topology_.take_defaults(std::move(*defaults));
      return {};
    }
    default:
      return {};
  }
}

}  // namespace tidemark::survey
