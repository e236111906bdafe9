#pragma once
// One outgoing TCP or TLS connection, every step of it bounded by a deadline. Cancelling is closing: Beast and Asio
// leave a stream unusable after any other kind. Private to this room.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "http/read_buffer.h"
#include "http/resolver.h"
#include "http/tls.h"
#include "http/url.h"

namespace tidemark::http {

using Deadline = std::chrono::steady_clock::time_point;

// Errors: kNetwork (refused, reset, closed), kTls, kTimeout (the deadline), kCancelled (close()). Await one operation
// at a time; the Connection and what is passed by view must stay until it ends.
class Connection {
 public:
  Connection(boost::asio::any_io_executor executor, Origin origin);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Tries the addresses in turn, sharing the time among those left.
  boost::asio::awaitable<Result<void>> connect(Addresses addresses, TlsContext tls, Deadline deadline);
  boost::asio::awaitable<Result<void>> write(std::string_view bytes, Deadline deadline);
  // Reads into buffer(); 0 = the peer closed in good order.
  boost::asio::awaitable<Result<std::size_t>> read(Deadline deadline);

  const Origin& origin() const { return origin_; }
  ReadBuffer& buffer() { return buffer_; }
  void close();

 private:
  struct Streams;

  boost::asio::awaitable<Result<void>> connect_to(std::string address, Deadline deadline);
  boost::asio::awaitable<Result<void>> handshake(TlsContext tls, Deadline deadline);

  Origin origin_;
  ReadBuffer buffer_{std::size_t{64} * 1024};
  std::unique_ptr<Streams> streams_;
};

}  // namespace tidemark::http
