// Starting, counting and sleeping, over shared state: a coroutine that ends after its Tasks or Timers are gone must
// find something to count down.

#include "http/spawn.h"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <functional>
#include <set>
#include <utility>

#include "base/log.h"

namespace tidemark::http {
namespace {

namespace asio = boost::asio;

std::atomic<std::uint64_t> failures{0};

void report(const std::string& name, const std::exception_ptr& thrown) {
  if (!thrown) return;
  ++failures;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    log::error("http", "task '" + name + "' ended with an exception: " + e.what());
  } catch (...) {
    log::error("http", "task '" + name + "' ended with an exception of unknown type");
  }
}

void start(const asio::any_io_executor& executor, std::string name, asio::awaitable<void> task,
           std::function<void()> ended) {
  asio::co_spawn(executor, std::move(task),
                 [name = std::move(name), ended = std::move(ended)](const std::exception_ptr& thrown) {
                   report(name, thrown);
                   if (ended) ended();
                 });
}

// A timer that others may cancel while it is awaited. Leaves their list even when the coroutine that holds it is
// destroyed instead of resumed.
class ListedTimer {
 public:
  using List = std::set<asio::steady_timer*>;

  ListedTimer(const asio::any_io_executor& executor, List& list) : timer_(executor), list_(list) {
    list_.insert(&timer_);
  }
  ~ListedTimer() { list_.erase(&timer_); }
  ListedTimer(const ListedTimer&) = delete;
  ListedTimer& operator=(const ListedTimer&) = delete;

  // True when the time came, false when it was cancelled before.
  asio::awaitable<bool> wait_until(asio::steady_timer::time_point at) {
    boost::system::error_code ec;
    timer_.expires_at(at);
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    co_return !ec;
  }

 private:
  asio::steady_timer timer_;
  List& list_;
};

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): executors are passed by value, as Asio does it
void spawn(asio::any_io_executor executor, std::string name, asio::awaitable<void> task) {
  start(executor, std::move(name), std::move(task), {});
}

std::uint64_t failed_tasks() { return failures; }

asio::awaitable<void> sleep_for(Duration length) {
  boost::system::error_code ec;
  asio::steady_timer timer(co_await asio::this_coro::executor, length);
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
}

struct Tasks::State {
  explicit State(asio::any_io_executor executor_in) : executor(std::move(executor_in)) {}

  asio::any_io_executor executor;
  std::size_t running = 0;
  ListedTimer::List waiters;  // of idle() calls

  void ended() {
    if (--running > 0) return;
    for (auto* waiter : waiters) waiter->cancel();
  }
};

Tasks::Tasks(asio::any_io_executor executor) : state_(std::make_shared<State>(std::move(executor))) {}
Tasks::~Tasks() = default;

void Tasks::spawn(std::string name, asio::awaitable<void> task) {
  ++state_->running;
  start(state_->executor, std::move(name), std::move(task), [state = state_] { state->ended(); });
}

std::size_t Tasks::running() const { return state_->running; }

asio::awaitable<bool> Tasks::idle(Duration deadline) {
  const auto state = state_;
  const auto until = asio::steady_timer::clock_type::now() + deadline;
  ListedTimer timer(state->executor, state->waiters);
  bool late = false;
  while (state->running > 0 && !late) {  // a task may start another one while this one is waking up
    late = co_await timer.wait_until(until);
  }
  co_return state->running == 0;
}

struct Timers::State {
  explicit State(asio::any_io_executor executor_in) : executor(std::move(executor_in)) {}

  asio::any_io_executor executor;
  bool closed = false;
  ListedTimer::List sleeping;
};

Timers::Timers(asio::any_io_executor executor) : state_(std::make_shared<State>(std::move(executor))) {}
Timers::~Timers() { close(); }

asio::awaitable<bool> Timers::sleep_for(Duration length) {
  const auto state = state_;
  if (state->closed) co_return false;
  ListedTimer timer(state->executor, state->sleeping);
  const bool full = co_await timer.wait_until(asio::steady_timer::clock_type::now() + length);
  co_return full && !state->closed;
}

void Timers::close() {
  state_->closed = true;
  for (auto* timer : state_->sleeping) timer->cancel();
}

}  // namespace tidemark::http
