#pragma once
// How coroutines are started, counted, waited for and put to sleep. co_spawn with `detached` would swallow exceptions,
// and a coroutine still suspended at exit would be destroyed after the objects it points to: so all are spawned here,
// and shutdown waits for Tasks::idle. io thread only.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/time.h"

namespace tidemark::http {

// Starts `task`. What it throws is logged under `name` and counted in failed_tasks(). `name` must hold no secret.
void spawn(boost::asio::any_io_executor executor, std::string name, boost::asio::awaitable<void> task);

// Coroutines of this process that ended with an exception: a bug each. Any thread.
std::uint64_t failed_tasks();

// Sleeps that nobody can end early; for the few places without a Timers.
boost::asio::awaitable<void> sleep_for(Duration length);

// Coroutines that belong together. May be destroyed while some still run: the count is shared with them.
class Tasks {
 public:
  explicit Tasks(boost::asio::any_io_executor executor);
  ~Tasks();

  void spawn(std::string name, boost::asio::awaitable<void> task);
  std::size_t running() const;

  // True when none is running any more, false when `deadline` passed first. Do not await it from one of the tasks.
  boost::asio::awaitable<bool> idle(Duration deadline);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Sleeps that shutdown can end.
class Timers {
 public:
  explicit Timers(boost::asio::any_io_executor executor);
  ~Timers();  // as close()

  // True after the full length, false when close() ended it (at once, if it was called before).
  boost::asio::awaitable<bool> sleep_for(Duration length);

  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tidemark::http
