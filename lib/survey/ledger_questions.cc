// Which ledgers nothing refers to: what is asked for it, and what comes of it. Off where no list of ledgers is read.
#include <algorithm>
#include <memory>
#include <utility>

#include "model/names.h"
#include "model/version.h"
#include "survey/ledger_owners.h"
#include "survey/survey.h"

namespace tidemark::survey {
namespace {

using model::LedgerUse;

constexpr model::Version kTellsSchemas{4, 0, 0};
constexpr std::string_view kPartition = "-partition-";

}  // namespace

std::optional<Ask> Survey::next_ledger_page() { return census_.next_page(topology_.bookies()); }

Result<void> Survey::take_ledger_page(const model::Exchange& exchange) {
  auto whole = census_.take_page(exchange);
  if (!whole) return whole.error();
  if (*whole) {
    want_references();
    queue_references();
  }
  return {};
}

// Its own facts; of a partitioned topic's name those of the partitions, since a schema is of all of them.
std::vector<const TopicFacts*> Survey::facts_of(const std::string& topic) const {
  std::vector<const TopicFacts*> found;
  if (const auto own = topics_.find(topic); own != topics_.end()) found.push_back(&own->second);
  const auto front = topic + std::string(kPartition);
  for (auto at = topics_.lower_bound(front); at != topics_.end() && at->first.starts_with(front); ++at) {
    if (const auto name = model::parse_topic(at->first); name && name->parent == topic) found.push_back(&at->second);
  }
  return found;
}

bool Survey::is_gone(const std::string& topic, const std::vector<const TopicFacts*>& facts) const {
  const auto name = model::parse_topic(topic);
  if (!name || !census_.was_refused(topic)) return false;
  const auto list = listed_ms_.find(std::string(name->ns));
  const bool lacks_namespace = topology_.lacks_namespace(std::string(name->tenant), std::string(name->ns));
  if (!lacks_namespace && list == listed_ms_.end()) return false;
  return std::none_of(facts.begin(), facts.end(), [&](const auto* one) {
    return (!lacks_namespace && one->listed_ms >= list->second) || one->sweep.at_ms >= census_.began_ms();
  });
}

TopicPapers Survey::papers_of(const std::string& topic) const {
  TopicPapers papers;
  papers.since_ms = census_.began_ms();
  papers.facts = facts_of(topic);
  papers.gone = is_gone(topic, papers.facts);
  papers.schema_ledgers = census_.schema_ledgers(topic);
  return papers;
}

// What is not judged, by its name or because nobody asked for it, proves nothing of its ledgers.
bool Survey::asks_about(const std::string& topic) const {
  const auto name = model::parse_topic(topic);
  return name && !model::is_excluded_topic(*name) && options_.filter.lets_topic(topic);
}

void Survey::want_references() {
  const auto version = model::parse_version(topology_.version());
  const bool tells_schemas = version && *version >= kTellsSchemas;
  for (const auto& [topic, ledgers] : census_.ledgers()) {
    if (!asks_about(topic)) continue;
    const auto papers = papers_of(topic);
    for (const auto& ledger : ledgers) {
      if (!model::is_settled(ledger, census_.began_ms()) || why_loose(ledger, papers) != model::Unreferenced::kUnproven)
        continue;
      const bool schema = ledger.use == LedgerUse::kSchema;
      if (schema && tells_schemas) census_.want_schema(topic);
      if (!schema || papers.facts.empty()) census_.want_info(topic);
      if (ledger.use == LedgerUse::kCompacted || (schema && !tells_schemas)) census_.want_stats(topic);
    }
  }
}

// Statistics only of what is loaded, whose documents load nothing; of a schema's partitions the first one's do.
void Survey::queue_references() {
  if (options_.replay || !census_.is_whole()) return;
  const std::set<std::string> queued(infos_.begin(), infos_.end());
  for (const auto& topic : census_.infos()) {
    if (!queued.contains(topic)) infos_.push_back(topic);
  }
  schemas_.assign(census_.schemas().begin(), census_.schemas().end());
  std::erase_if(census_.stats(), [&](const auto& topic) {
    for (const auto* facts : facts_of(topic)) {
      if (facts->sweep.at_ms != now_) continue;
      auto& suspects = brokers_[facts->owner].suspects;
      if (std::find(suspects.begin(), suspects.end(), facts->name) == suspects.end()) {
        auto& schedule = topics_.at(facts->name).schedule;
        if (schedule.due_ms == 0) schedule.due_ms = schedule.waiting_since_ms = now_;
        suspects.push_back(facts->name);
      }
      return false;
    }
    return true;
  });
}

// A pass ends with the newest of each document that it needs; its ledgers in the order of their numbers, each once.
void Survey::conclude_ledgers() {
  if (!census_.is_complete()) return;
  auto pass = std::make_shared<model::LedgerPass>();
  pass->at_ms = census_.began_ms();
  for (const auto& [topic, ledgers] : census_.ledgers()) {
    pass->ledgers += static_cast<std::int64_t>(ledgers.size());
    if (!topic.empty() && !options_.filter.lets_topic(topic)) continue;
    const auto papers = papers_of(topic);
    for (const auto& ledger : ledgers) {
      if (const auto why = why_loose(ledger, papers)) pass->loose.push_back({ledger, *why});
    }
  }
  auto& loose = pass->loose;
  std::sort(loose.begin(), loose.end(), [](const auto& a, const auto& b) { return a.ledger.id < b.ledger.id; });
  const auto same = [](const auto& a, const auto& b) { return a.ledger.id == b.ledger.id; };
  loose.erase(std::unique(loose.begin(), loose.end(), same), loose.end());
  ledgers_before_ = std::exchange(ledgers_, std::move(pass));
  census_.close();
}

}  // namespace tidemark::survey
