#include "recorded_cluster.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "folded_sweep.h"
#include "model/names.h"
#include "pulsar/internal_info.h"
#include "pulsar/sweep_reader.h"
#include "survey/recording.h"

namespace tidemark::cases {
namespace {

using model::Target;
using pulsar::Endpoint;

constexpr const char* kNobody = "recording:8080";
constexpr std::size_t kNoCap = std::numeric_limits<std::size_t>::max();

// Spellings of one path are one key: escapes and queries differ between recorders.
std::string key_of(Target target, std::string_view path) {
  const auto route = pulsar::parse_path(path);
  const std::string front = std::string(model::name_of(target)) + '\n';
  // Pages differ by their query alone.
  if (route.endpoint == Endpoint::kOther || route.endpoint == Endpoint::kLedgerList) return front + std::string(path);
  return front + pulsar::name_of(route.endpoint) + '\n' + route.tenant + '\n' + route.ns + '\n' + route.topic;
}

bool is_of_topic(Endpoint endpoint) {
  return endpoint == Endpoint::kStats || endpoint == Endpoint::kInternalStats || endpoint == Endpoint::kInternalInfo;
}

bool is_of_topic(const std::string& key) {
  return key.starts_with("broker\nstats\n") || key.starts_with("broker\ninternal_");
}

// What does not change unless it is recorded again.
bool stays(Endpoint endpoint) {
  return !is_of_topic(endpoint) && endpoint != Endpoint::kSweep && endpoint != Endpoint::kBookieMetrics &&
         endpoint != Endpoint::kOther;
}

// A recording has a few topics of a broker that has many. Without the others, a case that unloads its topics would look
// like a broker that goes down. They are in a namespace that nobody judges.
void add_bystanders(const std::string& broker, std::map<std::string, std::string>& topics) {
  constexpr int kBystanders = 1000;
  for (int i = 0; i < kBystanders; ++i) {
    topics["persistent://pulsar/" + broker + "/healthcheck-" + std::to_string(i)] =
        R"({"publishers":[],"replication":{},"subscriptions":{},"producerCount":0,"msgInCount":0,"storageSize":0})";
  }
}

template <class Names>
std::string json_list(const Names& names) {
  std::string list = "[";
  for (const auto& name : names) list += (list.size() > 1 ? "," : "") + json_text(name);
  return list + "]";
}

}  // namespace

Result<RecordedCluster> RecordedCluster::load(const std::string& file, std::optional<TimeMs> until, Sweeps sweeps) {
  RecordedCluster made;
  made.sweeps_ = sweeps;
  auto done = survey::RecordingReader::read_file(
      file,
      [&](const auto& head) -> Result<void> {
        made.cluster_ = head.cluster;
        made.version_ = head.version;
        return {};
      },
      [&](model::Exchange exchange) -> Result<bool> {
        if (!until || exchange.at_ms <= *until) made.add(std::move(exchange));
        return true;
      });
  if (!done) return done.error();
  if (made.polls_.empty()) return Error{Errc::kMalformed, file + ": no exchange in it"};
  made.now_ = made.polls_.front();
  return made;
}

void RecordedCluster::add(model::Exchange exchange) {
  const auto at = exchange.at_ms;
  if (polls_.empty() || polls_.back() != at) polls_.push_back(at);
  if (exchange.target == Target::kBookie) {
    bookies_.insert(exchange.name);
  } else {
    brokers_at_[at].insert(exchange.name);
  }
  const auto route = pulsar::parse_path(exchange.path);
  if (is_of_topic(route.endpoint)) {
    if (exchange.status == 200) note_topic(route.topic, at);
    if (auto known = topics_.find(route.topic); known != topics_.end()) {
      known->second.answers[at] = known->second.answers[at] || exchange.status == 200;
    }
  } else if (!route.ns.empty() && exchange.status == 200) {
    namespaces_[route.tenant].insert(route.ns);
  } else if (route.endpoint == Endpoint::kSweep && exchange.status == 200) {
    pulsar::SweepReader reader(kNoCap, [&](const pulsar::SweepTopic& topic) { note_topic(topic.name, at); });
    if (reader.feed(exchange.body)) (void)reader.finish();
  }
  documents_[key_of(exchange.target, exchange.path)].push_back(
      {at, exchange.name, exchange.status, std::move(exchange.body)});
}

void RecordedCluster::note_topic(const std::string& name, TimeMs at) {
  const auto parsed = model::parse_topic(name);
  if (!parsed) return;
  auto& topic = topics_[name];
  topic.tenant = parsed->tenant;
  topic.ns = parsed->ns;
  topic.answers[at] = true;
}

std::vector<std::string> RecordedCluster::brokers() const {
  std::set<std::string> names;
  for (const auto& [at, here] : brokers_at_) names.insert(here.begin(), here.end());
  if (names.empty()) names.insert(kNobody);
  return {names.begin(), names.end()};
}

std::vector<std::string> RecordedCluster::bookies() const { return {bookies_.begin(), bookies_.end()}; }

// All that were heard of by now: one that a poll does not have is silent, which is not the same as gone.
std::vector<std::string> RecordedCluster::brokers_now() const {
  std::set<std::string> names;
  for (const auto& [at, here] : brokers_at_) {
    if (at <= now_) names.insert(here.begin(), here.end());
  }
  if (names.empty()) return brokers();
  return {names.begin(), names.end()};
}

// The newest not older than `from_ms`; of one poll what was answered, and by this name, if there is a choice.
const RecordedCluster::Document* RecordedCluster::find(const std::string& key, const std::string& name,
                                                       TimeMs from_ms) const {
  const auto all = documents_.find(key);
  if (all == documents_.end()) return nullptr;
  const Document* found = nullptr;
  const auto rank = [&](const Document& document) { return 2 * (document.status == 200) + (document.name == name); };
  for (const auto& document : all->second) {
    if (document.at_ms > now_ || document.at_ms < from_ms) continue;
    const bool newer = found == nullptr || document.at_ms > found->at_ms;
    if (newer || rank(document) > rank(*found)) found = &document;
  }
  return found;
}

model::Exchange RecordedCluster::answer(Target target, const std::string& name, std::string_view path) const {
  model::Exchange exchange{now_, target, name, std::string(path), 404, {}};
  if (target == Target::kBroker) {
    auto answer = broker_answer(name == kService ? brokers_now().front() : name, path);
    exchange.status = answer.status;
    exchange.body = std::move(answer.body);
    return exchange;
  }
  const auto all = documents_.find(key_of(target, path));
  if (all == documents_.end()) return exchange;
  for (const auto& document : all->second) {
    if (document.at_ms != now_ || document.name != name) continue;
    exchange.status = document.status;
    exchange.body = document.body;
  }
  return exchange;
}

RecordedCluster::Answer RecordedCluster::broker_answer(const std::string& name, std::string_view path) const {
  const auto route = pulsar::parse_path(path);
  if (route.endpoint == Endpoint::kSweep) return sweep_of(name);
  // Recorded addresses are nobody's here.
  if (route.endpoint == Endpoint::kBrokers || route.endpoint == Endpoint::kBookies) return made_up(route);
  const auto* document = find(key_of(Target::kBroker, path), name, stays(route.endpoint) ? 0 : now_);
  if (document != nullptr) return {document->status, document->body};
  return made_up(route);
}

// Every topic of a recorded sweep; false when it cannot be read.
bool RecordedCluster::read_sweep(const Document& recorded, std::map<std::string, std::string>& topics) {
  pulsar::SweepReader reader(
      kNoCap, [](const auto&) {},
      [&](std::span<const std::string>, std::string_view object, const std::string& name) {
        topics[name] = std::string(object);
      });
  return reader.feed(recorded.body).has_value() && reader.finish().has_value();
}

// Its metadata of this poll shows every cursor's place put down, as an unload does.
bool RecordedCluster::is_closed(const std::string& topic) const {
  const auto* document = find(key_of(Target::kBroker, pulsar::internal_info_path(topic)), {}, now_);
  const auto info = pulsar::decode_internal_info(document == nullptr ? "" : document->body);
  return info && std::all_of(info->cursors.begin(), info->cursors.end(),
                             [](const auto& cursor) { return cursor.cursor_ledger == -1; });
}

// Puts what this poll's documents of `broker` say of each topic in the place of what a sweep says, which may be older.
// False when they say nothing of any.
bool RecordedCluster::fold(const std::string& broker, std::map<std::string, std::string>& topics) const {
  bool any = false;
  std::map<std::string, std::string> folded;
  for (const auto& [key, documents] : documents_) {
    if (!is_of_topic(key)) continue;
    const auto topic = key.substr(key.rfind('\n') + 1);
    const bool stats = key.starts_with("broker\nstats\n");
    bool had_stats = false;
    bool has_now = false;
    for (const auto& document : documents) {
      if (document.name != broker || document.at_ms > now_) continue;
      has_now = has_now || document.at_ms == now_;
      if (!stats) continue;
      had_stats = had_stats || document.status == 200;
      if (document.at_ms == now_) topics.erase(topic);
      if (document.at_ms == now_ && document.status == 200) folded[topic] = folded_topic(document.body);
    }
    const bool unloaded = had_stats && !has_now && is_closed(topic);
    if (unloaded) topics.erase(topic);
    any = any || has_now || unloaded;
  }
  std::erase_if(folded, [](const auto& item) { return item.second.empty(); });
  topics.merge(folded);
  return any;
}

RecordedCluster::Answer RecordedCluster::sweep_of(const std::string& broker) const {
  std::map<std::string, std::string> topics;
  const Document* recorded = nullptr;
  const auto sweeps = documents_.find(key_of(Target::kBroker, pulsar::sweep_path()));
  if (sweeps != documents_.end()) {
    for (const auto& document : sweeps->second) {
      if (document.at_ms <= now_ && document.name == broker) recorded = &document;
    }
  }
  const bool is_new = recorded != nullptr && recorded->at_ms == now_;
  if (is_new && (sweeps_ == Sweeps::kAsRecorded || recorded->status != 200)) return {recorded->status, recorded->body};
  if (recorded != nullptr && recorded->status == 200 && !read_sweep(*recorded, topics) && is_new)
    return {recorded->status, recorded->body};
  const bool blank = topics.empty();
  const bool spoken_of = fold(broker, topics);
  // Empty as recorded: just started, its statistics are not there yet. Without a word about any topic it is silent.
  if (!spoken_of && is_new && blank) return {recorded->status, recorded->body};
  if (!spoken_of && !is_new) return {0, {}};
  add_bystanders(broker, topics);
  return {200, sweep_document(topics)};
}

RecordedCluster::Answer RecordedCluster::made_up(const pulsar::Route& route) const {
  std::set<std::string> names;
  switch (route.endpoint) {
    case Endpoint::kVersion:
      return {200, version_};
    case Endpoint::kClusters:
      return {200, json_list(std::vector<std::string>{cluster_})};
    case Endpoint::kBrokers:
      for (const auto& name : brokers_now()) {
        const auto address = addresses_.find(name);
        names.insert(address == addresses_.end() ? name : address->second);
      }
      break;
    case Endpoint::kBookies:
      return {200, R"({"bookies":[]})"};
    case Endpoint::kTenants:
      for (const auto& [tenant, all] : namespaces_) names.insert(tenant);
      for (const auto& [name, topic] : topics_) names.insert(topic.tenant);
      break;
    case Endpoint::kNamespaces:
      if (const auto own = namespaces_.find(route.tenant); own != namespaces_.end()) names = own->second;
      for (const auto& [name, topic] : topics_) {
        if (topic.tenant == route.tenant) names.insert(topic.ns);
      }
      break;
    case Endpoint::kTopics:
      for (const auto& [name, topic] : topics_) {
        const auto after = topic.answers.upper_bound(now_);
        const bool there = after != topic.answers.begin() && std::prev(after)->second;
        if (topic.ns == route.ns && there) names.insert(name);
      }
      break;
    default:
      return {};
  }
  return {200, json_list(names)};
}

}  // namespace tidemark::cases
