#pragma once
// Runs coroutines to their end, or until something holds, on an io_context of the test's own. The limit is there for
// tests that would hang; nothing waits for it otherwise. Declare it before the clients and servers that run on it.

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/result.h"

namespace tidemark::test {

class Io {
 public:
  boost::asio::any_io_executor executor() { return context_.get_executor(); }
  boost::asio::io_context& context() { return context_; }

  // What is ready now, without waiting.
  void poll() {
    context_.restart();
    context_.poll();
  }

  // False when `condition` did not come true in time.
  bool until(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + kLimit;
    while (!condition() && std::chrono::steady_clock::now() < limit) {
      context_.restart();
      context_.run_one_for(std::chrono::milliseconds(50));
    }
    return condition();
  }

  // Throws what the coroutine throws, and when it does not end in time.
  template <class T>
  T run(boost::asio::awaitable<T> task) {
    std::optional<T> value;
    std::exception_ptr thrown;
    bool ended = false;
    boost::asio::co_spawn(context_, std::move(task), [&](std::exception_ptr e, T got) {
      thrown = std::move(e);
      value = std::move(got);
      ended = true;
    });
    finish(ended, thrown);
    return std::move(*value);
  }

  void run(boost::asio::awaitable<void> task) {
    std::exception_ptr thrown;
    bool ended = false;
    boost::asio::co_spawn(context_, std::move(task), [&](std::exception_ptr e) {
      thrown = std::move(e);
      ended = true;
    });
    finish(ended, thrown);
  }

 private:
  static constexpr std::chrono::seconds kLimit{30};

  void finish(const bool& ended, const std::exception_ptr& thrown) {
    if (!until([&] { return ended; })) throw std::runtime_error("the coroutine did not end in time");
    if (thrown) std::rethrow_exception(thrown);
  }

  boost::asio::io_context context_{1};
};

}  // namespace tidemark::test
