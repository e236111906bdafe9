#pragma once
// What the bookies say of themselves, and one of all that are registered: metrics at each poll and, where the admin API
// is on, its documents once an hour. Pure like the rest of the survey.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "bookie/info.h"
#include "model/exchange.h"
#include "model/snapshot.h"
#include "pulsar/paths.h"
#include "survey/ask.h"
#include "survey/registrations.h"

namespace tidemark::survey {

class Bookies {
 public:
  void begin_poll(TimeMs now);

  // What an earlier run last knew of one: its `bookie_SERVER_STATUS`, and since when.
  void remember(const std::string& name, int status, TimeMs since_ms);

  // What to ask next of those in `names`, "host:port", each question once in a poll.
  std::vector<Ask> due(const std::vector<std::string>& names);

  Result<void> take(const model::Exchange& exchange, pulsar::Endpoint endpoint);

  // Forgets those that are not in `names`: they were taken out of the cluster.
  void keep_only(const std::vector<std::string>& names);

  std::vector<model::BookieView> views() const;

 private:
  struct Bookie {
    model::BookieView view;
    std::map<pulsar::Endpoint, TimeMs> asked_ms;
    TimeMs unchecked_since_ms = 0;        // says 1 and knows no usage since then; 0 = does not
    std::vector<std::string> blank_dirs;  // all of its directories, if in this poll it did not look at them yet

    std::optional<bookie::Info> info;  // while it answers
    TimeMs info_ms = 0;                // of its newest answer
  };

  bool is_due(const Bookie& bookie, pulsar::Endpoint endpoint) const;
  void add_registrations(std::vector<Ask>& asks, const std::vector<std::string>& names);
  bool is_alone_at_its_host(std::string_view name) const;
  Result<void> take_registered(const model::Exchange& exchange);
  Result<void> take_metrics(Bookie& bookie, const model::Exchange& exchange);
  Result<void> take_info(Bookie& bookie, const model::Exchange& exchange);
  static Result<void> take_configuration(Bookie& bookie, const model::Exchange& exchange);
  static Result<void> take_suspension(Bookie& bookie, const model::Exchange& exchange);
  model::BookieView view_of(const Bookie& bookie) const;

  TimeMs now_ = 0;
  std::map<std::string, Bookie> bookies_;
  Registrations registrations_;
  TimeMs registrations_asked_ms_ = 0;
};

}  // namespace tidemark::survey
