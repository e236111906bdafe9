// beast::tcp_stream gives the deadlines: when one passes it closes the socket, which ends even an operation that no
// cancellation would reach. Asio's `operation || timer` does not (it waits for the loser).

#include "http/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <optional>
#include <string>
#include <utility>

namespace tidemark::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

bool passed(Deadline deadline) { return std::chrono::steady_clock::now() >= deadline; }

Error too_late() { return {Errc::kTimeout, "timeout"}; }

}  // namespace

struct Connection::Streams {
  explicit Streams(asio::any_io_executor executor_in) : executor(std::move(executor_in)) {}

  asio::any_io_executor executor;
  std::optional<beast::tcp_stream> tcp;  // a new one for each address tried
  std::optional<asio::ssl::stream<beast::tcp_stream&>> tls;
  bool closed = false;

  Error error_of(const error_code& ec) const {
    if (closed) return {Errc::kCancelled, "shutting down"};
    if (ec == beast::error::timeout) return too_late();
    if (ec.category() == asio::error::get_ssl_category()) return {Errc::kTls, "TLS: " + ec.message()};
    if (ec == asio::ssl::error::stream_truncated || ec == asio::error::eof) {
      return {Errc::kNetwork, "the server closed the connection"};
    }
    return {Errc::kNetwork, ec.message()};
  }
};

Connection::Connection(asio::any_io_executor executor, Origin origin)
    : origin_(std::move(origin)), streams_(std::make_unique<Streams>(std::move(executor))) {}
Connection::~Connection() = default;

void Connection::close() {
  streams_->closed = true;
  if (streams_->tcp) streams_->tcp->close();
}

asio::awaitable<Result<void>> Connection::connect(Addresses addresses, TlsContext tls, Deadline deadline) {
  Error last{Errc::kNetwork, "the name has no address"};
  bool connected = false;
  for (std::size_t i = 0; i < addresses.size() && !connected; ++i) {
    const auto now = std::chrono::steady_clock::now();
    const auto share = (deadline - now) / static_cast<std::int64_t>(addresses.size() - i);
    const auto tried = co_await connect_to(addresses[i], now + share);
    connected = tried.has_value();
    if (tried) break;
    last = tried.error();
    if (last.code() == Errc::kCancelled) break;
  }
  if (!connected) co_return last;
  if (!origin_.tls) co_return Result<void>{};
  co_return co_await handshake(std::move(tls), deadline);
}

asio::awaitable<Result<void>> Connection::connect_to(std::string address, Deadline deadline) {
  error_code ec;
  const auto ip = asio::ip::make_address(address, ec);
  const tcp::endpoint endpoint(ip, origin_.port);
  if (!ec && streams_->closed) ec = asio::error::operation_aborted;
  if (!ec) {
    auto& stream = streams_->tcp.emplace(streams_->executor);
    stream.expires_at(deadline);
    co_await stream.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, ec));
    // A request is one small write: waiting for more to fill a segment would only delay it.
    if (!ec) stream.socket().set_option(tcp::no_delay(true), ec);
  }
  if (!ec) co_return Result<void>{};
  const auto error = streams_->error_of(ec);
  if (error.code() == Errc::kTimeout) co_return Error{Errc::kTimeout, "no connection to " + address + " in time"};
  co_return error.at("connect to " + address);
}

asio::awaitable<Result<void>> Connection::handshake(TlsContext tls, Deadline deadline) {
  auto& stream = streams_->tls.emplace(*streams_->tcp, *tls);
  if (auto set = expect_host(stream.native_handle(), origin_.host); !set) co_return set;
  error_code ec;
  streams_->tcp->expires_at(deadline);
  co_await stream.async_handshake(asio::ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, ec));
  if (!ec) co_return Result<void>{};
  const auto error = streams_->error_of(ec);
  if (error.code() == Errc::kCancelled) co_return error;
  if (error.code() == Errc::kTimeout) co_return Error{Errc::kTimeout, "no TLS handshake in time"};
  co_return explain_handshake(stream.native_handle(), origin_.host, ec);
}

asio::awaitable<Result<void>> Connection::write(std::string_view bytes, Deadline deadline) {
  if (passed(deadline)) co_return too_late();
  error_code ec;
  const auto buffer = asio::buffer(bytes.data(), bytes.size());
  streams_->tcp->expires_at(deadline);
  if (streams_->tls) {
    co_await asio::async_write(*streams_->tls, buffer, asio::redirect_error(asio::use_awaitable, ec));
  } else {
    co_await asio::async_write(*streams_->tcp, buffer, asio::redirect_error(asio::use_awaitable, ec));
  }
  if (ec) co_return streams_->error_of(ec);
  co_return Result<void>{};
}

asio::awaitable<Result<std::size_t>> Connection::read(Deadline deadline) {
  // Checked here as well: a socket that always has data ready could win against the timer for ever.
  if (passed(deadline)) co_return too_late();
  error_code ec;
  std::size_t got = 0;
  buffer_.compact();
  const auto buffer = asio::buffer(buffer_.free_space(), buffer_.free_size());
  streams_->tcp->expires_at(deadline);
  if (streams_->tls) {
    got = co_await streams_->tls->async_read_some(buffer, asio::redirect_error(asio::use_awaitable, ec));
  } else {
    got = co_await streams_->tcp->async_read_some(buffer, asio::redirect_error(asio::use_awaitable, ec));
  }
  if (ec == asio::error::eof && !streams_->closed) co_return std::size_t{0};
  if (ec) co_return streams_->error_of(ec);
  buffer_.commit(got);
  co_return got;
}

}  // namespace tidemark::http
