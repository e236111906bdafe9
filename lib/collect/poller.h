#pragma once
// Carries out what a Survey wants to know, politely: bounded rate, bounded requests in flight, bounded time. One poll
// is topology, sweeps, bookies, the list of ledgers where it is wanted, then suspects and internal-info until the
// budget of the poll is used up.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/result.h"
#include "collect/broker_pace.h"
#include "collect/fetch.h"
#include "collect/observer.h"
#include "http/spawn.h"
#include "model/snapshot.h"
#include "survey/survey.h"

namespace tidemark::collect {

struct PollOptions {
  double suspect_rate = 5;  // calls a second to one broker; 0 = as fast as it answers
  double internal_info_rate = 20;
  int requests_in_flight = 2;  // to one broker
  std::size_t max_topic_bytes = std::size_t{8} << 20;
  Duration suspects_until{54000};  // after the poll's start; what is left waits for the next poll
  double time_scale = 1;           // of the clock that polls are told by, to the one that passes here
  bool until_done = false;         // scan: no end but an empty queue
};

// io thread only. All references must outlive the poller, and the poller every poll() that runs.
class Poller {
 public:
  Poller(boost::asio::any_io_executor executor, Fetcher& fetcher, survey::Survey& survey, Observer& observer,
         PollOptions options);
  ~Poller();

  // One whole poll. Never fails: what could not be had is in the snapshot's brokers and in problems().
  boost::asio::awaitable<std::shared_ptr<const model::Snapshot>> poll(TimeMs at);

  // Ends waiting at once; running requests end by the client's close().
  void stop();

  // One line for each kind of question to each broker that was refused or failed when it was last asked: what is asked
  // rarely stays here until it is answered. One line for all questions to a broker that could not be reached.
  const std::map<std::string, std::string>& problems() const { return problems_; }

 private:
  boost::asio::awaitable<void> topology();
  boost::asio::awaitable<void> sweeps();
  boost::asio::awaitable<void> sweep(survey::Ask ask);
  boost::asio::awaitable<void> list(survey::Ask ask);
  boost::asio::awaitable<void> ask(survey::Ask ask);
  boost::asio::awaitable<void> all(std::vector<survey::Ask> asks);
  boost::asio::awaitable<void> ask_from(std::shared_ptr<std::vector<survey::Ask>> asks,
                                        std::shared_ptr<std::size_t> next);
  boost::asio::awaitable<void> ledger_list();
  boost::asio::awaitable<void> suspects();
  boost::asio::awaitable<void> suspects_of(std::string broker);
  boost::asio::awaitable<void> infos();
  boost::asio::awaitable<bool> wait_turn(BrokerPace& pace);
  bool time_is_up() const;
  bool is_in_vain(const BrokerPace& pace) const;
  // For the time of a request; `ask` lives as long.
  class Underway {
   public:
    Underway(Observer& observer, const survey::Ask& ask) : observer_(observer), ask_(ask) {
      observer_.begins(ask_.endpoint, ask_.name);
    }
    ~Underway() { observer_.ends(ask_.endpoint, ask_.name); }
    Underway(const Underway&) = delete;
    Underway& operator=(const Underway&) = delete;

   private:
    Observer& observer_;
    const survey::Ask& ask_;
  };

  Underway begin(const survey::Ask& ask);
  void failed(const survey::Ask& ask, const Error& error, Duration took);
  void conclude_problems();
  void note(const survey::Ask& ask, const Error& error);
  void note_clock(const survey::Ask& ask, const http::Head& head, TimeMs sent, TimeMs received);
  void note_status(const survey::Ask& ask, int status);
  BrokerPace& pace_of(const std::string& name, double rate);

  boost::asio::any_io_executor executor_;
  Fetcher& fetcher_;
  survey::Survey& survey_;
  Observer& observer_;
  PollOptions options_;
  http::Timers timers_;
  std::map<std::string, BrokerPace> paces_;
  std::map<std::string, std::string> problems_;
  std::map<std::string, std::string> problems_now_;  // of the poll that runs
  std::set<std::string> asked_kinds_;
  TimeMs at_ = 0;
  std::int64_t started_ms_ = 0;
  std::size_t asked_ = 0;
  bool stopped_ = false;
};

}  // namespace tidemark::collect
