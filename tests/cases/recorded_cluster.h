#pragma once
// A cluster made of a recording: it answers every GET of a survey as of one poll. What was recorded is answered as it
// was; what a recording may lack because nobody needed it is made from what it has, by its names alone: the lists of
// brokers, tenants, namespaces and topics, and a broker's sweep, which is folded from its topics' `stats`. Everything
// else is 404, so whoever does not ask for a document does not know it.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/exchange.h"
#include "pulsar/paths.h"

namespace tidemark::cases {

enum class Sweeps {
  kAsRecorded,  // folded only where a poll has none
  kFolded       // of each topic whose `stats` the poll has; the recorded entry of the others
};

// The address that a configuration has, behind which some broker answers.
inline constexpr const char* kService = "pulsar:8080";

class RecordedCluster {
 public:
  // Polls after `until` are left out. Errors are the recording reader's; kMalformed without any poll.
  static Result<RecordedCluster> load(const std::string& file, std::optional<TimeMs> until, Sweeps sweeps);

  const std::string& cluster() const { return cluster_; }
  const std::vector<TimeMs>& polls() const { return polls_; }
  // Everybody who answers anywhere in it. There is always a broker.
  std::vector<std::string> brokers() const;
  std::vector<std::string> bookies() const;

  // Answers are as of this poll from now on.
  void go_to(TimeMs poll) { now_ = poll; }
  // Under which address a broker is listed; its recorded name without.
  void publish(const std::string& broker, std::string address) { addresses_[broker] = std::move(address); }

  // `name` as recorded, `path` with or without its query. Status 0 = nobody answers.
  model::Exchange answer(model::Target target, const std::string& name, std::string_view path) const;

 private:
  struct Document {
    TimeMs at_ms = 0;
    std::string name;
    int status = 0;
    std::string body;
  };
  struct Topic {
    std::string tenant;
    std::string ns;
    std::map<TimeMs, bool> answers;  // whether a poll that asked for it got anything
  };
  struct Answer {
    int status = 404;
    std::string body;
  };

  void add(model::Exchange exchange);
  void note_topic(const std::string& name, TimeMs at);
  const Document* find(const std::string& key, const std::string& name, TimeMs from_ms) const;
  Answer broker_answer(const std::string& name, std::string_view path) const;
  static bool read_sweep(const Document& recorded, std::map<std::string, std::string>& topics);
  bool is_closed(const std::string& topic) const;
  bool fold(const std::string& broker, std::map<std::string, std::string>& topics) const;
  Answer sweep_of(const std::string& broker) const;
  Answer made_up(const pulsar::Route& route) const;
  std::vector<std::string> brokers_now() const;

  Sweeps sweeps_ = Sweeps::kAsRecorded;
  std::string cluster_;
  std::string version_;
  TimeMs now_ = 0;
  std::vector<TimeMs> polls_;
  std::map<std::string, std::vector<Document>> documents_;  // by what is asked, in order of time
  std::map<std::string, Topic> topics_;
  std::map<std::string, std::set<std::string>> namespaces_;  // by tenant, of documents that are not about topics
  std::map<TimeMs, std::set<std::string>> brokers_at_;
  std::set<std::string> bookies_;
  std::map<std::string, std::string> addresses_;
};

}  // namespace tidemark::cases
