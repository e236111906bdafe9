#pragma once
// Holds the topic list of each namespace against its list of partitioned topics and what else is known of its topics,
// once both came anew. Pure like the rest of the survey.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/listed_topics.h"
#include "model/snapshot.h"

namespace tidemark::survey {

// Of a namespace that is compared. System topics are left out: their lists have ways of their own.
struct ComparedTopic {
  std::string_view name;
  bool listed = false;   // in the newest list
  bool loaded = false;   // by a sweep of this poll
  bool unknown = false;  // no metadata has it, at two rounds
};

class ListCheck {
 public:
  // Whole lists; each counts until the next one.
  void take_topics(const std::string& ns, TimeMs at) { namespaces_[ns].topics_ms = at; }
  void take_partitioned(const std::string& ns, const std::vector<std::string>& topics, TimeMs at);

  // Partitioned topics whose number of partitions was not asked for in the last day.
  std::vector<std::string> uncounted(TimeMs now) const;
  // The question was put, and answered with `partitions` if that is not empty.
  void take_count(const std::string& ns, const std::string& topic, std::optional<int> partitions, TimeMs at);

  // Namespaces both of whose lists came since they were compared.
  std::vector<std::string> due() const;
  TimeMs listed_ms(const std::string& ns) const;
  void compare(const std::string& ns, const std::vector<ComparedTopic>& topics, TimeMs at);

  void keep_only(const std::function<bool(const std::string& ns)>& there);
  // Into the views of the namespaces that are there.
  void tell(std::map<std::string, model::NamespaceView>& namespaces) const;

 private:
  struct Count {
    int partitions = 0;  // 0 = not known
    TimeMs asked_ms = 0;
  };
  struct Namespace {
    TimeMs topics_ms = 0;
    TimeMs partitioned_ms = 0;
    std::set<std::string, std::less<>> partitioned;
    std::map<std::string, Count, std::less<>> counts;  // one may come before the list that has its topic
    std::shared_ptr<const model::ListPass> now;
    std::shared_ptr<const model::ListPass> before;
  };

  std::map<std::string, Namespace> namespaces_;
};

}  // namespace tidemark::survey
