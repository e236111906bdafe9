#pragma once
// Runs a coroutine to its end on a loop of its own, for commands that do one thing and exit. SIGINT and SIGTERM end it
// early.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace tidemark::daemon {

// `on_signal` should make `task` end soon. Exceptions of the task come out here.
template <class T>
T run_to_end(boost::asio::io_context& io, boost::asio::awaitable<T> task, std::function<void()> on_signal) {
  std::optional<T> result;
  std::exception_ptr failed;
  boost::asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (!error) on_signal();
  });
  boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr error, T value) {
    failed = error;
    if (!error) result.emplace(std::move(value));
    signals.cancel();
    io.stop();
  });
  io.run();
  if (failed) std::rethrow_exception(failed);
  return std::move(*result);
}

}  // namespace tidemark::daemon
