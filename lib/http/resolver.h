#pragma once
// Names to addresses, remembered until a connection fails. A running getaddrinfo cannot be cancelled, so callers wait
// beside it and leave at their deadline; a second caller for the same name joins the lookup under way. Private to this
// room.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace tidemark::http {

using Addresses = std::vector<std::string>;  // textual IPv4 and IPv6 addresses, in the resolver's order

class Resolver {
 public:
  explicit Resolver(boost::asio::any_io_executor executor);
  ~Resolver();

  // kNetwork when the name has no address, kTimeout at the deadline, kCancelled after close(). The Resolver must stay
  // until the answer is there.
  boost::asio::awaitable<Result<Addresses>> find(std::string host, std::chrono::steady_clock::time_point deadline);

  bool knows(const std::string& host) const;
  void forget(const std::string& host);
  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tidemark::http
