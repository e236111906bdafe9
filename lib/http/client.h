#pragma once
// The only way out of the process: GET requests over kept connections, each bounded in time and size. There is no means
// to send another method, by design. Redirects are not followed; the caller reads Head::location and decides.
//
// Everything runs on the io thread of the given executor. Never write `co_await client.stream(..., [copied]{...})` or
// pass a temporary aggregate there: g++ 12 frees such a temporary twice. Name the sink and move it in.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "http/url.h"

namespace tidemark::http {

struct TlsOptions {
  std::string ca_file;    // PEM; empty = the system's authorities
  bool verify = true;     // chain and host name
  std::string cert_file;  // PEM chain of a client certificate; needs key_file
  std::string key_file;
};

struct GetOptions {
  GetOptions() = default;  // not an aggregate, see above

  Duration connect{10'000};                      // name lookup, TCP and TLS together
  Duration idle{30'000};                         // longest wait without a byte
  Duration total{30'000};                        // everything from the call to the last byte
  std::size_t max_body = std::size_t{64} << 20;  // decoded bytes of a 2xx body
  bool accept_gzip = false;
  std::string authorization;  // header value, or "" for none; never logged, never in an Error
};

struct Head {
  int status = 0;
  std::string content_type;
  std::string location;        // as sent, may be relative
  std::optional<TimeMs> date;  // the server's own clock
  std::size_t body_bytes = 0;  // decoded
  Duration elapsed{0};         // call to last byte
  std::string reason;          // first 2 KiB of the body when the status is not 2xx
};

struct Response {
  Head head;
  std::string body;  // of a 2xx answer only; otherwise see Head::reason
};

// Gets decoded bytes as they arrive, in pieces of any size. An Error ends the request; the caller gets it with the URL
// in front. Must not block and must not call into the Client.
using BodySink = std::function<Result<void>(std::string_view)>;

// Errors carry one line that starts with "GET http://host:port/path" (the query is left out):
//   kNetwork    name not resolved, refused, reset, closed before an answer
//   kTls        handshake, untrusted certificate, wrong host name
//   kTimeout    connect, idle or total, the text says which
//   kTooLarge   over max_body
//   kMalformed  not HTTP, not the gzip it claims to be, or an answer that repeats the credentials it was sent; also a
//               path that cannot stand on a request line
//   kTruncated  the body ended before its length, its final chunk or its gzip trailer
//   kCancelled  close() was called
// Any status is a success here, with its Head.
class Client {
 public:
  // kConfig when a TLS file cannot be used; the text names the key (tls.ca_file, tls.cert_file, tls.key_file).
  static Result<std::unique_ptr<Client>> create(boost::asio::any_io_executor executor, const TlsOptions& tls);
  ~Client();  // as close(); requests still running end with kCancelled

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // `path` starts with '/' and may hold a query; it must be encoded already.
  boost::asio::awaitable<Result<Response>> get(Origin origin, std::string path, GetOptions options);
  boost::asio::awaitable<Result<Head>> stream(Origin origin, std::string path, GetOptions options, BodySink sink);

  void close();

 private:
  struct State;  // shared with running requests, so that they may outlive the Client
  explicit Client(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace tidemark::http
