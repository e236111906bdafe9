// stats, internalStats and internal-info of one topic into its facts.
#include <algorithm>
#include <optional>
#include <utility>

#include "pulsar/cluster_documents.h"
#include "survey/survey.h"

namespace tidemark::survey {
namespace {

constexpr TimeMs kClockError = 2000;  // an offset of a clock below that is taken for none

bool positions_moved(const pulsar::InternalStats& before, const pulsar::InternalStats& now) {
  if (before.cursors.size() != now.cursors.size()) return true;
  for (const auto& cursor : now.cursors) {
    const auto same = [&](const auto& old) { return old.name == cursor.name && old.mark_delete == cursor.mark_delete; };
    if (std::none_of(before.cursors.begin(), before.cursors.end(), same)) return true;
  }
  return false;
}

// When the topic was loaded last at the latest: since then the ledger of every subscription that the sweep had listed
// was made anew. Nothing where that cannot be told.
std::optional<TimeMs> loaded_at(const TopicFacts& facts) {
  if (!facts.sweep.document || !facts.internal.document) return std::nullopt;
  std::optional<TimeMs> oldest;
  for (const auto& subscription : facts.sweep.document->subscriptions) {
    for (const auto& cursor : facts.internal.document->cursors) {
      if (cursor.name != subscription.name) continue;
      const auto made = cursor.ledger_switched_ms.value_or(0);
      oldest = std::min(oldest.value_or(made), made);
    }
  }
  return oldest;
}

}  // namespace

TopicFacts* Survey::facts_for(const std::string& topic) {
  const auto known = topics_.find(topic);
  if (known != topics_.end()) return &known->second;
  const auto name = model::parse_topic(topic);
  if (!name || model::is_excluded_topic(*name) || !options_.filter.lets_topic(topic)) return nullptr;
  if (!options_.share.owns_namespace(name->ns)) return nullptr;
  auto& facts = topics_[topic];
  facts.name = topic;
  facts.ns = name->ns;
  facts.tenant = name->tenant;
  facts.system = model::is_system_topic(*name);
  facts.ours = options_.share.sees_loaded_topics();
  topology_.note_namespace(facts.ns);
  return &facts;
}

void Survey::remember(FormerTopic topic) {
  auto* facts = facts_for(topic.name);
  if (facts == nullptr) return;
  facts->ours = true;
  facts->epoch = topic.epoch;
  facts->former_ms = topic.seen_ms;
  facts->former_messages_in = topic.messages_in;
  facts->former_delays = topic.delays;
  facts->former_ledger = topic.last_ledger;
  facts->former_cursors = std::move(topic.cursors);
}

void Survey::remember_bookie(const std::string& name, int status, TimeMs since_ms) {
  topology_.remember_bookie(name);
  bookies_.remember(name, status, since_ms);
}

// True: it is an internal-info, which a census may wait for.
bool Survey::note_for_census(const model::Exchange& exchange, const pulsar::Route& route) {
  if (route.endpoint == pulsar::Endpoint::kInternalStats) {
    census_.saw_stats(route.topic);
    if (const auto name = model::parse_topic(route.topic)) census_.saw_stats(std::string(name->parent));
  }
  if (route.endpoint != pulsar::Endpoint::kInternalInfo) return false;
  census_.saw_info(route.topic, exchange.status);
  return true;
}

void Survey::asks(const Ask& ask, TimeMs sent) {
  if (ask.endpoint != pulsar::Endpoint::kStats && ask.endpoint != pulsar::Endpoint::kInternalStats) return;
  const auto known = topics_.find(pulsar::parse_path(ask.path).topic);
  if (known != topics_.end() && known->second.asked_ms < now_) known->second.asked_ms = sent;
}

Result<void> Survey::take_topic_document(const model::Exchange& exchange, const pulsar::Route& route) {
  const bool of_census = note_for_census(exchange, route);
  // Asked for a ledger's sake alone: that no list has the topic is not undone by that.
  if (of_census && !options_.replay && !topics_.contains(route.topic)) return {};
  auto* facts = facts_for(route.topic);
  if (facts == nullptr) return {};
  if (exchange.status != 200) {
    refused(*facts, exchange, route.endpoint);
    return {};
  }
  switch (route.endpoint) {
    case pulsar::Endpoint::kStats:
      return take_stats(*facts, exchange);
    case pulsar::Endpoint::kInternalStats:
      return take_internal(*facts, exchange);
    default:
      return take_info(*facts, exchange);
  }
}

// 204 or an empty body: it has none of its own, any more.
Result<void> Survey::take_topic_policy(const model::Exchange& exchange, const pulsar::Route& route) {
  if (exchange.status != 200 && exchange.status != 204) return {};
  const auto name = model::parse_topic(route.topic);
  if (!name || !options_.filter.lets_topic(route.topic)) return {};
  return pulsar::decode_topic_policy(route.endpoint, exchange.body, topic_policies_[std::string(name->parent)]);
}

Result<void> Survey::take_stats(TopicFacts& facts, const model::Exchange& exchange) {
  auto document = pulsar::decode_topic_stats(exchange.body);
  if (!document) ++facts.schedule.failures;
  // Whatever came, the question was asked: a document that never decodes must not be asked for at every poll.
  // In a replay too, where nobody asks: a document is good for as long as it was when it was recorded.
  plan_after_documents(facts, false, now_, times_);
  if (!document) return document.error();
  if (pulsar::asks_for_earliest(exchange.path)) facts.earliest_ms = now_;
  facts.take_stats(std::move(*document), now_);
  return {};
}

Result<void> Survey::take_internal(TopicFacts& facts, const model::Exchange& exchange) {
  auto document = pulsar::decode_internal_stats(exchange.body);
  if (!document) {
    ++facts.schedule.failures;
    return document.error();
  }
  facts.schedule.failures = 0;
  ++brokers_[exchange.name].answered;
  // A cursor that moved is asked for again as soon as a new one: the doubling starts over.
  if (facts.internal.document && positions_moved(*facts.internal.document, *document))
    facts.schedule.reask = Duration{0};
  facts.take_internal(std::move(*document), now_);
  // What this poll's sweep listed was loaded already when the poll began.
  const auto sent = std::max(now_, facts.asked_ms - kClockError) + clock_offset_.count();
  const auto loaded = loaded_at(facts);
  const bool known = facts.loaded_by_us_ms && loaded <= facts.loaded_by_us_ms;  // polls may be closer than clocks agree
  if (!options_.replay && facts.sweep.at_ms == now_ && loaded && *loaded >= sent && !known) {
    facts.loaded_by_us_ms = loaded;
    ++loaded_by_us_;
  }
  return {};
}

Result<void> Survey::take_info(TopicFacts& facts, const model::Exchange& exchange) {
  plan_after_info(facts, now_, times_);
  auto document = pulsar::decode_internal_info(exchange.body);
  if (!document) return document.error();
  facts.take_info(std::move(*document), now_);
  metadata_read_ms_ = now_;
  return {};
}

void Survey::refused(TopicFacts& facts, const model::Exchange& exchange, pulsar::Endpoint endpoint) {
  if (endpoint == pulsar::Endpoint::kInternalInfo) {
    if (!options_.replay) plan_after_info(facts, now_, times_);
    // Unknown topics answer 500 or 404: the list will tell, where there is one.
    if (exchange.status != 404 && exchange.status != 500) return;
    topology_.refresh_soon();
    if (facts.unknown_since_ms == 0) facts.unknown_since_ms = now_;
    facts.unknown_ms = now_;
    return;
  }
  if (options_.replay) return;
  if (endpoint == pulsar::Endpoint::kStats) plan_after_documents(facts, false, now_, times_);
  if (endpoint == pulsar::Endpoint::kInternalStats && exchange.status >= 500) failed(facts, brokers_[exchange.name]);
}

// A broker in trouble is left alone; topics that are broken, perhaps for ever, are no trouble of their broker.
void Survey::failed(TopicFacts& facts, Broker& broker) {
  if (facts.schedule.failures++ > 0) return;
  ++broker.failed;
  if (broker.failed > kMostFailures && broker.failed > broker.answered) broker.quiet_polls = kQuietPolls;
}

Result<void> Survey::take_partitions(const model::Exchange& exchange, const pulsar::Route& route) {
  if (exchange.status == 0) return {};  // not answered: asked again in the next poll
  std::optional<int> count;
  Result<void> done;
  if (exchange.status == 200) {
    const auto decoded = pulsar::decode_partitions(exchange.body);
    if (decoded) {
      count = *decoded;
    } else {
      done = decoded.error();
    }
  }
  lists_.take_count(route.ns, route.topic, count, now_);
  return done;
}

}  // namespace tidemark::survey
