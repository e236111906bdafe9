#pragma once
// One look after another through all ledgers of the cluster: the list of a bookie, page by page, then the documents of
// whoever its ledgers name. Off unless Options::ledger_list_interval is set; a replay takes what was recorded. Says
// what to ask and remembers what came; who owns what is ledger_owners.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "model/exchange.h"
#include "model/stored_ledgers.h"
#include "survey/ask.h"
#include "survey/options.h"

namespace tidemark::survey {

class LedgerCensus {
 public:
  explicit LedgerCensus(const Options& options) : options_(options) {}

  // Starts a pass when one is due.
  void begin_poll(TimeMs now);

  // The next page; empty when the list is whole, none is wanted, or enough were read in this poll.
  std::optional<Ask> next_page(const std::vector<std::string>& bookies);
  // A page. True when the list became whole by it.
  Result<bool> take_page(const model::Exchange& exchange);

  // From here on only while is_whole().
  bool is_whole() const { return open_ && whole_; }
  TimeMs began_ms() const { return pass_.at_ms; }
  // By the topic that they name; those that name none under "".
  const std::map<std::string, std::vector<model::StoredLedger>>& ledgers() const { return pass_.by_topic; }

  // Documents that are needed to prove anything about a topic. An answer, whatever it is, ends the waiting.
  void want_info(const std::string& topic) { pass_.infos.insert(topic); }
  void want_schema(const std::string& topic) { pass_.schemas.insert(topic); }
  void want_stats(const std::string& topic) { pass_.stats.insert(topic); }
  const std::set<std::string>& infos() const { return pass_.infos; }
  const std::set<std::string>& schemas() const { return pass_.schemas; }
  std::set<std::string>& stats() { return pass_.stats; }

  void saw_info(const std::string& topic, int status);
  void saw_stats(const std::string& topic);
  Result<void> take_schema(const std::string& topic, const model::Exchange& exchange);

  // The metadata store does not know it.
  bool was_refused(const std::string& topic) const { return refused_.contains(topic); }
  // Null: was not read.
  const std::vector<std::int64_t>* schema_ledgers(const std::string& topic) const;

  // All that is wanted came, or was waited for long enough.
  bool is_complete() const;
  void close() { open_ = false; }

 private:
  struct Pass {
    TimeMs at_ms = 0;
    std::map<std::string, std::vector<model::StoredLedger>> by_topic;
    std::set<std::string> infos;
    std::set<std::string> schemas;
    std::set<std::string> stats;
  };
  struct Refs {
    TimeMs at_ms = 0;
    std::vector<std::int64_t> ledgers;
  };
  struct Page {
    TimeMs at_ms = 0;
    bool last = false;
    std::vector<model::StoredLedger> ledgers;
  };

  void begin();
  void forget_before(TimeMs at);
  void add(Page page);
  void failed();

  const Options& options_;
  TimeMs now_ = 0;
  TimeMs started_ms_ = 0;      // newest pass; 0 = none yet
  std::size_t allowance_ = 0;  // pages left in this poll
  bool open_ = false;
  bool whole_ = false;
  TimeMs whole_ms_ = 0;
  TimeMs answered_ms_ = 0;  // newest poll that brought something that was wanted
  int next_page_ = 1;
  int failures_ = 0;        // in a row
  std::size_t bookie_ = 0;  // who is asked
  Pass pass_;
  // Of this poll and of the pass: in a recording a poll's documents may stand in any order.
  std::map<std::string, TimeMs> refused_;
  std::map<std::string, Refs> schema_ledgers_;
  std::map<int, Page> early_;  // by their numbers; in a replay only
};

}  // namespace tidemark::survey
