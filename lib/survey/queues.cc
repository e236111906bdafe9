// Which topics are asked for next, in what order, and which are gone.
#include <algorithm>
#include <cmath>
#include <utility>

#include "model/policies.h"
#include "model/version.h"
#include "survey/survey.h"

namespace tidemark::survey {
namespace {

constexpr int kKeptPolls = 2;
constexpr Duration kForgotten{30LL * 24 * 3600000};
constexpr Duration kEarliestAge{24LL * 3600000};
constexpr model::Version kTellsEarliest{2, 10, 0};

}  // namespace

void Survey::mark_missing() {
  if (!sweeps_exist_ || !context().sweeps_conclusive) return;
  for (auto& [name, facts] : topics_) {
    if (std::max(facts.sweep.at_ms, facts.elsewhere_ms) == now_) continue;
    if (!facts.missing_since_ms) facts.missing_since_ms = now_;
    facts.missing_ms = now_;
    facts.view.reset();
  }
}

// One that was read since the topic went missing.
bool Survey::has_list(const TopicFacts& facts) const {
  const auto list = listed_ms_.find(facts.ns);
  return list != listed_ms_.end() && list->second >= facts.missing_since_ms.value_or(0);
}

// At two looks, while other metadata can be read.
bool Survey::is_unknown(const TopicFacts& facts) const {
  const bool twice = facts.unknown_ms > facts.unknown_since_ms && facts.unknown_since_ms != 0;
  return twice && metadata_read_ms_ >= facts.unknown_since_ms;
}

// Where nobody lets us list topics: no sweep has it, and two looks an hour apart find no metadata of it, while other
// metadata can be read. What cannot be looked up is forgotten when its history would be.
bool Survey::left_for_good(const TopicFacts& facts) const {
  if (!facts.missing_since_ms || options_.replay || has_list(facts)) return false;
  if (is_unknown(facts)) return true;
  return facts.info.at_ms < *facts.missing_since_ms && now_ - *facts.missing_since_ms >= kForgotten.count();
}

void Survey::drop_gone() {
  // What is not listed any more has no topics either.
  for (auto& [ns, at] : listed_ms_) {
    if (options_.share.discovers() && !options_.replay && !topology_.lists(ns)) at = now_;
  }
  std::erase_if(topics_, [&](const auto& item) {
    const auto& facts = item.second;
    const auto seen = std::max({facts.sweep.at_ms, facts.stats.at_ms, facts.internal.at_ms, facts.elsewhere_ms});
    if (!options_.share.discovers()) {
      return facts.missing_since_ms && now_ - *facts.missing_since_ms >= hand_over_time().count();
    }
    const auto list = listed_ms_.find(facts.ns);
    const bool unlisted = list != listed_ms_.end() && facts.listed_ms < list->second && seen < list->second;
    return unlisted || left_for_good(facts);
  });
  if (options_.replay) return;
  const auto used = [&](const std::string& ns) {
    const auto front = "persistent://" + ns + '/';
    const auto first = topics_.lower_bound(front);
    return first != topics_.end() && first->first.starts_with(front);
  };
  topology_.keep_namespaces(used);
  std::erase_if(listed_ms_, [&](const auto& item) { return !topology_.lists(item.first) && !used(item.first); });
  lists_.keep_only([&](const std::string& ns) { return topology_.lists(ns); });
}

// Of a single topic that is looked at its siblings are not known.
void Survey::compare_lists() {
  if (!options_.filter.topic.empty()) return;
  for (const auto& ns : lists_.due()) {
    const auto listed_ms = lists_.listed_ms(ns);
    const auto front = "persistent://" + ns + '/';
    std::vector<ComparedTopic> topics;
    for (auto at = topics_.lower_bound(front); at != topics_.end() && at->first.starts_with(front); ++at) {
      const auto& facts = at->second;
      const bool loaded = options_.share.sees_loaded_topics() && facts.sweep.document && facts.sweep.at_ms == now_;
      if (!facts.system) topics.push_back({facts.name, facts.listed_ms >= listed_ms, loaded, is_unknown(facts)});
    }
    lists_.compare(ns, topics, now_);
  }
}

// Who lost a topic keeps it for so long: whoever has it now sees it by statistics that are up to a period old, in its
// next poll, and what it says of it then is scraped before this ends.
Duration Survey::hand_over_time() const { return kKeptPolls * options_.interval + stats_period(); }

// Beside sidecars: what no broker has loaded at two polls becomes ours, what is loaded again a sidecar's.
void Survey::hand_over() {
  if (options_.share.sees_loaded_topics()) return;
  for (auto& [name, facts] : topics_) {
    if (facts.missing_since_ms) {
      const bool waited = now_ - *facts.missing_since_ms >= options_.interval.count();
      if (facts.ours || (!waited && !options_.one_pass)) continue;
      facts.ours = true;
      ++newcomers_;
    } else if (facts.elsewhere_ms == now_ && now_ - facts.elsewhere_since_ms >= hand_over_time().count()) {
      facts.ours = false;
    }
  }
}

void Survey::queue_suspects() {
  for (auto& [name, broker] : brokers_) broker.suspects.clear();
  for (const auto& [name, facts] : topics_) {
    const bool due = facts.schedule.due_ms != 0 && facts.schedule.due_ms <= now_;
    // Only what its broker listed in this very poll: asking for an unloaded topic would load it.
    if (due && facts.sweep.at_ms == now_) brokers_[facts.owner].suspects.push_back(name);
    if (options_.load_topics && facts.missing_since_ms && facts.listed_ms != 0 && facts.schedule.asked_ms == 0) {
      brokers_[options_.seed].suspects.push_back(name);
    }
  }
  for (auto& [name, broker] : brokers_) {
    std::stable_sort(broker.suspects.begin(), broker.suspects.end(), [&](const auto& a, const auto& b) {
      return topics_.at(a).schedule.waiting_since_ms < topics_.at(b).schedule.waiting_since_ms;
    });
  }
}

// A few healthy topics each poll, in turn, so that a rewind or a slow loss is noticed on what looks well.
void Survey::queue_audits() {
  if (options_.one_pass || topics_.empty() || options_.audit_share == 0) return;
  const auto seconds = static_cast<double>(options_.interval.count()) / 1000;
  auto left = std::max(1L, std::lround(options_.audit_share * options_.suspect_rate * seconds));
  auto at = topics_.upper_bound(audit_after_);
  for (std::size_t looked = 0; looked < topics_.size() && left > 0; ++looked) {
    if (at == topics_.end()) at = topics_.begin();
    const auto& facts = at->second;
    if (facts.sweep.at_ms == now_ && facts.schedule.suspicion == Suspicion::kNone && facts.schedule.due_ms == 0 &&
        facts.stats.at_ms != now_) {
      brokers_[facts.owner].suspects.push_back(facts.name);
      audit_after_ = facts.name;
      --left;
    }
    ++at;
  }
}

void Survey::queue_infos() {
  infos_.clear();
  schemas_.clear();
  std::vector<std::pair<TimeMs, std::string>> due;
  // What a broker just loaded is read once it is asked again itself: its places are being written now.
  const auto is_quiet = [&](const std::string& owner) {
    const auto broker = brokers_.find(owner);
    return broker != brokers_.end() && broker->second.quiet_polls > 0 && !options_.one_pass;
  };
  for (const auto& [name, facts] : topics_) {
    const auto& schedule = facts.info_schedule;
    const bool never = schedule.asked_ms == 0 && !is_quiet(facts.owner);
    const bool unloaded = facts.missing_since_ms && (facts.listed_ms != 0 || !has_list(facts));
    // Once since it went missing, then by the schedule; of a suspect once, for its creation and its ledgers' close
    // times.
    const bool again =
        unloaded && (schedule.asked_ms < *facts.missing_since_ms || now_ - schedule.asked_ms >= schedule.reask.count());
    if (again || (never && facts.schedule.suspicion != Suspicion::kNone)) {
      due.emplace_back(schedule.asked_ms, name);
    }
  }
  std::sort(due.begin(), due.end());
  for (auto& [asked, name] : due) infos_.push_back(std::move(name));
}

// A single pass compares nothing, so it asks for none.
void Survey::queue_partitions() {
  partitions_.clear();
  if (options_.one_pass) return;
  for (auto& topic : lists_.uncounted(now_)) partitions_.push_back(std::move(topic));
}

std::size_t Survey::suspects_waiting() const {
  std::size_t count = 0;
  for (const auto& [name, broker] : brokers_) count += broker.suspects.size();
  return count;
}

// How old the oldest message that waits is matters where a TTL applies; the broker reads entries for it, so once a day.
bool Survey::wants_earliest(const TopicFacts& facts) const {
  if (facts.earliest_ms != 0 && now_ - facts.earliest_ms < kEarliestAge.count()) return false;
  const auto version = model::parse_version(topology_.version());
  const auto ns = topology_.namespaces().find(facts.ns);
  if (!version || *version < kTellsEarliest || ns == topology_.namespaces().end()) return false;
  return model::ttl_seconds_of(ns->second, topology_.defaults()).value.value_or(0) > 0;
}

std::vector<Ask> Survey::next_suspect(const std::string& broker) {
  const auto at = brokers_.find(broker);
  if (at == brokers_.end() || at->second.suspects.empty()) return {};
  if (at->second.quiet_polls > 0 && !options_.one_pass) return {};
  const auto topic = at->second.suspects.front();
  at->second.suspects.pop_front();
  const auto stats =
      wants_earliest(topics_.at(topic)) ? pulsar::stats_with_earliest_path(topic) : pulsar::stats_path(topic);
  return {{pulsar::Endpoint::kInternalStats, model::Target::kBroker, broker, pulsar::internal_stats_path(topic)},
          {pulsar::Endpoint::kStats, model::Target::kBroker, broker, stats}};
}

std::optional<Ask> Survey::next_info() {
  using pulsar::Endpoint;
  struct Queue {
    std::deque<std::string>& topics;
    Endpoint endpoint;
    std::string (*path)(std::string_view);
  };
  for (const auto& [topics, endpoint, path] : {Queue{infos_, Endpoint::kInternalInfo, pulsar::internal_info_path},
                                               Queue{schemas_, Endpoint::kSchemaMetadata, pulsar::schema_metadata_path},
                                               Queue{partitions_, Endpoint::kPartitions, pulsar::partitions_path}}) {
    if (topics.empty()) continue;
    const auto topic = std::move(topics.front());
    topics.pop_front();
    return Ask{endpoint, model::Target::kBroker, options_.seed, path(topic)};
  }
  return std::nullopt;
}

}  // namespace tidemark::survey
