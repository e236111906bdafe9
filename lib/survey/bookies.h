#pragma once
// What the bookies say of themselves: metrics at each poll and, where the admin API is on, the configuration once an
// hour. Pure like the rest of the survey.

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/exchange.h"
#include "model/snapshot.h"
#include "pulsar/paths.h"
#include "survey/ask.h"

namespace tidemark::survey {

class Bookies {
 public:
  void begin_poll(TimeMs now);

  // What to ask of those in `names`, "host:port".
  std::vector<Ask> due(const std::vector<std::string>& names) const;

  Result<void> take(const model::Exchange& exchange, pulsar::Endpoint endpoint);

  // Forgets those that are not in `names`: they were taken out of the cluster.
  void keep_only(const std::vector<std::string>& names);

  std::vector<model::BookieView> views() const;

 private:
  struct Bookie {
    model::BookieView view;
    TimeMs configuration_asked_ms = 0;
    TimeMs unchecked_since_ms = 0;  // says 1 and knows no usage since then; 0 = does not
  };

  Result<void> take_metrics(Bookie& bookie, const model::Exchange& exchange);
  static Result<void> take_configuration(Bookie& bookie, const model::Exchange& exchange);

  TimeMs now_ = 0;
  std::map<std::string, Bookie> bookies_;
};

}  // namespace tidemark::survey
