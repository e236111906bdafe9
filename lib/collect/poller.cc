#include "collect/poller.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "pulsar/cluster_documents.h"
#include "pulsar/sweep_reader.h"

namespace tidemark::collect {
namespace {

namespace asio = boost::asio;

constexpr const char* kInfoPace = "internal-info";  // any broker answers these: one pace for the cluster
constexpr Duration kForever = std::chrono::hours{24 * 365};

std::int64_t steady_ms() {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What a status means for the person who gave us the token.
Error refusal(const std::string& url, int status) {
  const auto where = fmt::format("GET {}: {}", url, status);
  if (status == 401) return {Errc::kUnauthorized, where + ", not authenticated or not allowed; see `tidemark check`"};
  if (status == 403) return {Errc::kForbidden, where + ", the role may not read this; see `tidemark check`"};
  return {Errc::kHttpStatus, where};
}

bool is_damage(const Error& error) {
  return error.code() == Errc::kMalformed || error.code() == Errc::kTruncated || error.code() == Errc::kTooLarge;
}

bool is_metadata(pulsar::Endpoint endpoint) {
  return endpoint == pulsar::Endpoint::kInternalInfo || endpoint == pulsar::Endpoint::kSchemaMetadata ||
         endpoint == pulsar::Endpoint::kPartitions;
}

// Of whom which kind of question was asked.
std::string kind_of(const survey::Ask& ask) { return fmt::format("{} {}", ask.name, pulsar::name_of(ask.endpoint)); }

// Who cannot be reached at all says so once, not once for each kind of question.
std::string reaching(const survey::Ask& ask) { return ask.name + " connection"; }

std::string kind_of(const survey::Ask& ask, const Error& error) {
  const bool unreached = error.code() == Errc::kNetwork || error.code() == Errc::kTls;
  return unreached ? reaching(ask) : kind_of(ask);
}

}  // namespace

Poller::Poller(asio::any_io_executor executor, Fetcher& fetcher, survey::Survey& survey, Observer& observer,
               PollOptions options)
    : executor_(executor),
      fetcher_(fetcher),
      survey_(survey),
      observer_(observer),
      options_(options),
      timers_(executor) {}

Poller::~Poller() = default;

void Poller::stop() {
  stopped_ = true;
  timers_.close();
}

asio::awaitable<std::shared_ptr<const model::Snapshot>> Poller::poll(TimeMs at) {
  at_ = at;
  started_ms_ = steady_ms();
  asked_ = 0;
  problems_now_.clear();
  asked_kinds_.clear();
  survey_.begin_poll(at);
  co_await topology();
  co_await sweeps();
  survey_.end_sweeps();
  co_await topology();  // what the sweeps brought up: namespaces of a broker that is watched alone
  for (auto asks = survey_.bookies(); !asks.empty() && !stopped_; asks = survey_.bookies()) co_await all(asks);
  co_await ledger_list();
  co_await suspects();
  conclude_problems();
  co_return survey_.end_poll();
}

asio::awaitable<void> Poller::topology() {
  for (auto asks = survey_.topology(); !asks.empty() && !stopped_; asks = survey_.topology()) {
    co_await all(std::move(asks));
    fetcher_.know_brokers(survey_.known().brokers());  // whom what comes next may be redirected to
  }
}

asio::awaitable<void> Poller::all(std::vector<survey::Ask> asks) {
  http::Tasks tasks(executor_);
  auto shared = std::make_shared<std::vector<survey::Ask>>(std::move(asks));
  auto next = std::make_shared<std::size_t>(0);
  for (int i = 0; i < options_.requests_in_flight; ++i) tasks.spawn("ask", ask_from(shared, next));
  co_await tasks.idle(kForever);
}

asio::awaitable<void> Poller::ask_from(std::shared_ptr<std::vector<survey::Ask>> asks,
                                       std::shared_ptr<std::size_t> next) {
  while (*next < asks->size() && !stopped_) {
    auto mine = (*asks)[(*next)++];
    if (mine.endpoint == pulsar::Endpoint::kTopics) {
      co_await list(std::move(mine));
    } else {
      co_await ask(std::move(mine));
    }
  }
}

asio::awaitable<void> Poller::ask(survey::Ask ask) {
  const auto underway = begin(ask);
  const auto before = steady_ms();
  survey_.asks(ask, at_ + static_cast<TimeMs>(static_cast<double>(before - started_ms_) * options_.time_scale));
  auto response = co_await fetcher_.get(ask);
  const Duration took{steady_ms() - before};
  model::Exchange exchange{at_, ask.target, ask.name, ask.path, 0, {}};
  exchange.took = took;
  if (!response) {
    failed(ask, response.error(), took);
    exchange.timed_out = response.error().code() == Errc::kTimeout;
  } else {
    observer_.answered(ask.endpoint, response->head.status, took);
    note_clock(ask, response->head, before, before + took.count());
    exchange.status = response->head.status;
    exchange.body = std::move(response->body);
    note_status(ask, exchange.status);
  }
  // For a topic that is gone internal-info answers 500 on every version: no trouble of the broker's.
  const bool gone = ask.endpoint == pulsar::Endpoint::kInternalInfo && exchange.status == 500;
  auto& pace = is_metadata(ask.endpoint) ? pace_of(kInfoPace, options_.internal_info_rate)
                                         : pace_of(ask.name, options_.suspect_rate);
  pace.answered(gone ? 404 : exchange.status, took);
  observer_.exchange(exchange);
  if (auto taken = survey_.take(exchange); !taken) {
    const auto error = taken.error().at("GET " + fetcher_.url_of(ask));
    observer_.rejected(ask.endpoint, error, 1);
    note(ask, error);
  }
}

// Our own clock at `at_`, and how far it went since by the one that nobody sets.
void Poller::note_clock(const survey::Ask& ask, const http::Head& head, TimeMs sent, TimeMs received) {
  if (ask.target != model::Target::kBroker || !head.date) return;
  survey_.saw_clock(ask.name, *head.date, at_ + sent - started_ms_, at_ + received - started_ms_);
}

asio::awaitable<void> Poller::list(survey::Ask ask) {
  const auto underway = begin(ask);
  const auto before = steady_ms();
  const auto ns = pulsar::parse_path(ask.path).ns;
  auto* survey = &survey_;
  auto reader = std::make_shared<pulsar::StringListReader>([survey](std::string topic) { survey->list_topic(topic); });
  std::string recorded;
  auto* tee = observer_.records() ? &recorded : nullptr;
  http::BodySink sink = [reader, tee](std::string_view chunk) {
    if (tee != nullptr) tee->append(chunk);
    return reader->feed(chunk);
  };
  auto head = co_await fetcher_.stream(ask, std::move(sink));
  const Duration took{steady_ms() - before};
  if (!head) {
    failed(ask, head.error(), took);
    survey_.topology_answered(ask.path, 0, false);
    if (head.error().code() == Errc::kTimeout) survey_.saw_timeout(ask.name);
    co_return;
  }
  observer_.answered(ask.endpoint, head->status, took);
  note_status(ask, head->status);
  Result<void> whole;
  if (head->status == 200) whole = reader->finish();
  if (!whole) {
    const auto error = whole.error().at("GET " + fetcher_.url_of(ask));
    observer_.rejected(ask.endpoint, error, 1);
    note(ask, error);
  }
  survey_.end_list(ns, head->status == 200 && whole.has_value());
  survey_.topology_answered(ask.path, head->status, whole.has_value());
  const model::Exchange exchange{at_, ask.target, ask.name, ask.path, head->status, std::move(recorded)};
  observer_.exchange(exchange);
}

asio::awaitable<void> Poller::sweeps() {
  auto asks = survey_.sweeps();
  if (observer_.records()) {
    for (auto& one : asks) co_await sweep(std::move(one));
    co_return;
  }
  http::Tasks tasks(executor_);
  for (auto& one : asks) tasks.spawn("sweep", sweep(std::move(one)));
  co_await tasks.idle(kForever);
}

asio::awaitable<void> Poller::sweep(survey::Ask ask) {
  const auto underway = begin(ask);
  const auto before = steady_ms();
  const model::Exchange line{at_, ask.target, ask.name, ask.path, 200, {}};
  survey_.begin_sweep(ask.name);
  auto* survey = &survey_;
  auto* observer = &observer_;
  const auto* filter = &survey_.options().filter;
  const auto broker = ask.name;
  const bool tees = ask.endpoint == pulsar::Endpoint::kSweep;
  bool teed = false;
  pulsar::SweepReader reader(
      options_.max_topic_bytes,
      [survey, broker](pulsar::SweepTopic topic) { survey->sweep_topic(broker, std::move(topic)); },
      [observer, filter](std::span<const std::string> path, std::string_view object, const std::string& topic) {
        if (filter->lets_topic(topic)) observer->sweep_topic(path, object);
      },
      ask.endpoint == pulsar::Endpoint::kLoadedTopics ? pulsar::SweepOf::kNames : pulsar::SweepOf::kStatistics);
  http::BodySink sink = [&](std::string_view chunk) {
    if (tees && !std::exchange(teed, true)) observer->sweep_begins(line);
    return reader.feed(chunk);
  };
  auto head = co_await fetcher_.stream(ask, std::move(sink));
  const Duration took{steady_ms() - before};
  std::optional<Error> problem;
  if (!head) {
    problem = head.error();
    observer_.failed(ask.endpoint, *problem, took);
    if (problem->code() == Errc::kTimeout) survey_.saw_timeout(ask.name);
  } else {
    observer_.answered(ask.endpoint, head->status, took);
    if (head->status != 200) {
      problem = refusal(fetcher_.url_of(ask), head->status);
    } else if (auto done = reader.finish(); !done) {
      problem = done.error().at("GET " + fetcher_.url_of(ask));
    }
  }
  if (teed) observer_.sweep_ends();
  if (problem) {
    note(ask, *problem);
    if (is_damage(*problem)) observer_.rejected(ask.endpoint, *problem, std::max<std::int64_t>(1, reader.rejected()));
  }
  survey_.end_sweep(ask.name, std::move(problem), reader.whole() ? reader.rejected() : 0);
}

// One page after the other: a bookie's admin port answers its probes, too.
asio::awaitable<void> Poller::ledger_list() {
  while (!time_is_up()) {
    auto next = survey_.next_ledger_page();
    if (!next) co_return;
    co_await ask(std::move(*next));
  }
}

asio::awaitable<void> Poller::suspects() {
  http::Tasks tasks(executor_);
  for (const auto& broker : survey_.known().brokers()) {
    for (int i = 0; i < options_.requests_in_flight; ++i) tasks.spawn("suspects", suspects_of(broker));
  }
  tasks.spawn("internal-info", infos());
  co_await tasks.idle(kForever);
}

asio::awaitable<void> Poller::suspects_of(std::string broker) {
  auto& pace = pace_of(broker, options_.suspect_rate);
  while (!time_is_up() && !is_in_vain(pace)) {
    auto asks = survey_.next_suspect(broker);
    if (asks.empty()) co_return;
    for (auto& one : asks) {
      const bool mine = co_await wait_turn(pace);
      if (!mine) co_return;
      co_await ask(std::move(one));
    }
    observer_.progress(++asked_, survey_.suspects_waiting() + survey_.infos_waiting());
  }
}

asio::awaitable<void> Poller::infos() {
  auto& pace = pace_of(kInfoPace, options_.internal_info_rate);
  while (!time_is_up() && !is_in_vain(pace)) {
    auto next = survey_.next_info();
    if (!next) co_return;
    const bool mine = co_await wait_turn(pace);
    if (!mine) co_return;
    co_await ask(std::move(*next));
    observer_.progress(++asked_, survey_.suspects_waiting() + survey_.infos_waiting());
  }
}

asio::awaitable<bool> Poller::wait_turn(BrokerPace& pace) {
  const auto now = steady_ms();
  const auto slot = pace.next_slot(now);
  if (slot > now) co_return co_await timers_.sleep_for(Duration{slot - now});
  co_return !stopped_;
}

bool Poller::time_is_up() const {
  return stopped_ || (!options_.until_done && steady_ms() - started_ms_ >= options_.suspects_until.count());
}

// A daemon's poll ends in time, and the next one tries again; a single pass would wait for ever.
bool Poller::is_in_vain(const BrokerPace& pace) const { return options_.until_done && pace.is_dead(); }

BrokerPace& Poller::pace_of(const std::string& name, double rate) {
  return paces_.try_emplace(name, rate, std::hash<std::string>{}(name)).first->second;
}

Poller::Underway Poller::begin(const survey::Ask& ask) {
  asked_kinds_.insert({kind_of(ask), reaching(ask)});
  return Underway(observer_, ask);
}

void Poller::failed(const survey::Ask& ask, const Error& error, Duration took) {
  observer_.failed(ask.endpoint, error, took);
  if (is_damage(error)) observer_.rejected(ask.endpoint, error, 1);
  note(ask, error);
}

// What was asked in this poll counts anew, what was not asked stays as it was, unless nobody asks that one any more.
void Poller::conclude_problems() {
  std::set<std::string> present{survey_.options().seed};
  for (const auto* names : {&survey_.known().brokers(), &survey_.known().bookies()}) {
    present.insert(names->begin(), names->end());
  }
  std::erase_if(problems_, [&](const auto& item) {
    return asked_kinds_.contains(item.first) || !present.contains(item.first.substr(0, item.first.rfind(' ')));
  });
  problems_.insert(problems_now_.begin(), problems_now_.end());
  std::erase_if(paces_, [&](const auto& item) { return item.first != kInfoPace && !present.contains(item.first); });
}

void Poller::note(const survey::Ask& ask, const Error& error) {
  // Bookies that nobody configured are tried at the usual port; that they do not answer there is no news, but that
  // somebody else does is. Their list of ledgers was asked for.
  const bool unasked = survey_.options().bookies.empty() && ask.endpoint != pulsar::Endpoint::kLedgerList;
  if (ask.target == model::Target::kBookie && unasked && !is_damage(error)) return;
  problems_now_.try_emplace(kind_of(ask, error), error.text());
}

void Poller::note_status(const survey::Ask& ask, int status) {
  // A topic may be gone between two questions; everything else that is refused is worth a line.
  const bool of_topic = ask.endpoint == pulsar::Endpoint::kStats || ask.endpoint == pulsar::Endpoint::kInternalStats ||
                        is_metadata(ask.endpoint);
  const bool gone = of_topic && (status == 404 || (status == 500 && ask.endpoint == pulsar::Endpoint::kInternalInfo));
  // Most bookies have no admin API.
  const bool optional =
      ask.target == model::Target::kBookie && ask.endpoint != pulsar::Endpoint::kBookieMetrics && status == 404;
  if (status != 200 && !gone && !optional) note(ask, refusal(fetcher_.url_of(ask), status));
}

}  // namespace tidemark::collect
