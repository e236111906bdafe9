#pragma once
// A small HTTP/1.1 server: metrics, API and web page of the daemon, and the simulated brokers of `demo` and the tests.
// One coroutine a connection, all on the io thread of the given executor. No TLS: put a proxy in front.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace tidemark::http {

struct ServerRequest {
  std::string
      method;  // GET, HEAD, POST, PUT, and DELETE with ServerLimits::simulates; anything else was answered with 405
  std::string path;   // as sent, still encoded, without the query
  std::string query;  // as sent, without the '?'
  bool accepts_gzip = false;
  std::string accept;
  std::string authorization;  // for simulated brokers that want a token; never log it
  std::string body;           // with ServerLimits::simulates
};

struct ServerResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;  // null = empty
  bool gzip_body = false;                   // `body` is gzip already: sets Content-Encoding and Vary
  std::vector<std::pair<std::string, std::string>> headers;

  // For simulated brokers.
  bool dated = true;                     // false: no Date, for who lives in another time
  std::size_t chunk_bytes = 0;           // > 0: chunked, in pieces of this size
  std::optional<std::size_t> cut_after;  // close the socket after so many body bytes
  Duration delay{0};                     // before the first byte
  bool hang = false;                     // never answer
};

struct ServerLimits {
  std::size_t connections = 512;  // one more is closed at once
  std::size_t head_bytes = std::size_t{16} << 10;
  std::size_t body_bytes = std::size_t{64} << 10;  // bodies are read and dropped
  bool simulates = false;                          // a broker or bookie: takes DELETE, and bodies are kept
  Duration idle{60'000};  // a whole request must arrive within it, and each 64 KiB of an answer must leave within it
};

// Called on the io thread: must not block. What it throws becomes a 500 and a log line. HEAD gets the handler's headers
// without the body.
using Handler = std::function<ServerResponse(const ServerRequest&)>;

class Server {
 public:
  // `address` is an IPv4 or IPv6 literal; port 0 takes any free one. kNetwork when it cannot listen, kConfig when
  // `address` is not one; the text says what to set.
  static Result<std::unique_ptr<Server>> listen(boost::asio::any_io_executor executor, std::string address,
                                                std::uint16_t port, Handler handler, ServerLimits limits = {});
  ~Server();  // closes every socket; the handler is not called any more

  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::size_t connections() const;

  // Stops accepting, closes connections without a request and lets running answers end.
  void stop();

  // After stop(): waits until every connection ended; those left at the deadline are closed.
  boost::asio::awaitable<void> drained(Duration deadline);

 private:
  struct State;
  explicit Server(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace tidemark::http
