// The acceptor, and one coroutine a connection: read a request, ask the handler, write, again. All of them are counted
// by a Tasks, which is what drained() waits for.

#include "http/server.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <exception>
#include <set>
#include <string_view>

#include "base/log.h"
#include "http/read_buffer.h"
#include "http/request_reader.h"
#include "http/response_text.h"
#include "http/spawn.h"

namespace tidemark::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kMinBuffer = std::size_t{16} * 1024;
constexpr Duration kAcceptPause{100};  // after a failed accept, e.g. no file descriptor left
constexpr Duration kLinger{1'000};
constexpr Duration kCloseGrace{1'000};
constexpr std::size_t kMaxDropped = std::size_t{1} << 20;
constexpr int kMethodNotAllowed = 405;
constexpr int kHeadTooLarge = 431;

// A connection and what is done on it; Server::State has the order of things.
struct Session {
  Session(tcp::socket socket, const ServerLimits& limits_in)
      : limits(limits_in),
        stream(std::move(socket)),
        timer(stream.get_executor()),
        buffer(std::max(limits.head_bytes, kMinBuffer)) {}

  asio::awaitable<error_code> read();
  asio::awaitable<bool> write(std::string_view bytes);
  asio::awaitable<bool> send(ServerResponse response, Framing framing);
  asio::awaitable<void> refuse(int status);
  asio::awaitable<void> linger();
  asio::awaitable<void> stay_silent();
  asio::awaitable<void> pause(Duration length);

  void close() {
    closed = true;
    stream.close();
    timer.cancel();
  }

  ServerLimits limits;
  beast::tcp_stream stream;
  asio::steady_timer timer;  // for ServerResponse::delay
  ReadBuffer buffer;
  bool at_rest = false;  // nobody would miss it: no byte of a request yet, or an answer that never comes
  bool closed = false;
};

ServerResponse plain(int status, const std::string& text) {
  ServerResponse response;
  response.status = status;
  response.body = std::make_shared<const std::string>(text + "\n");
  return response;
}

asio::awaitable<error_code> Session::read() {
  error_code ec;
  buffer.compact();
  const auto space = asio::buffer(buffer.free_space(), buffer.free_size());
  const auto got = co_await stream.async_read_some(space, asio::redirect_error(asio::use_awaitable, ec));
  buffer.commit(got);
  co_return ec;
}

asio::awaitable<bool> Session::write(std::string_view bytes) {
  error_code ec;
  const auto data = asio::buffer(bytes.data(), bytes.size());
  stream.expires_after(limits.idle);
  co_await asio::async_write(stream, data, asio::redirect_error(asio::use_awaitable, ec));
  co_return !ec;
}

// False when the connection cannot carry on.
asio::awaitable<bool> Session::send(ServerResponse response, Framing framing) {
  const auto head = response_head(response, framing, SystemClock().now());
  if (!co_await write(head)) co_return false;
  BodyPieces pieces(response, framing);
  for (auto piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    if (!co_await write(piece)) co_return false;
  }
  if (!pieces.cut()) co_return true;
  error_code ec;
  stream.socket().shutdown(tcp::socket::shutdown_both, ec);
  co_return false;
}

asio::awaitable<void> Session::refuse(int status) {
  auto response = plain(status, "request refused");
  if (status == kMethodNotAllowed) response.headers.emplace_back("Allow", "GET, HEAD, POST, PUT");
  Framing framing;
  framing.keep_alive = false;
  if (co_await send(std::move(response), framing)) co_await linger();
}

// Reads and drops what still comes, so that closing does not destroy an answer that is under way.
asio::awaitable<void> Session::linger() {
  error_code ec;
  stream.socket().shutdown(tcp::socket::shutdown_send, ec);
  stream.expires_after(kLinger);
  std::size_t dropped = 0;
  while (!ec && dropped < kMaxDropped) {
    dropped += buffer.data().size();
    buffer.consume(buffer.data().size());
    ec = co_await read();
  }
}

// Until the client gives up or the server closes.
asio::awaitable<void> Session::stay_silent() {
  at_rest = true;
  stream.expires_never();
  error_code ec;
  while (!ec) {
    buffer.consume(buffer.data().size());
    ec = co_await read();
  }
}

asio::awaitable<void> Session::pause(Duration length) {
  error_code ec;
  timer.expires_after(length);
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
}

Error cannot_listen(const std::string& where, const error_code& ec) {
  if (ec == asio::error::address_in_use) {
    return {Errc::kNetwork, "cannot listen on " + where + ": address in use; set listen to a free one"};
  }
  return {Errc::kNetwork, "cannot listen on " + where + ": " + ec.message() +
                              "; set listen to an address of this host and a port that this user may open"};
}

}  // namespace

struct Server::State : std::enable_shared_from_this<Server::State> {
  State(const asio::any_io_executor& executor, Handler handler_in, ServerLimits limits_in)
      : acceptor(executor), tasks(executor), handler(std::move(handler_in)), limits(limits_in) {}

  tcp::acceptor acceptor;
  Tasks tasks;
  Handler handler;
  ServerLimits limits;
  std::uint16_t port = 0;
  std::set<std::shared_ptr<Session>> sessions;
  bool stopping = false;

  error_code open(const tcp::endpoint& endpoint);
  void stop();
  void close_all();
  ServerResponse answer(const ServerRequest& request) const;

  static asio::awaitable<void> accept_loop(std::shared_ptr<State> self);
  static asio::awaitable<void> serve(std::shared_ptr<State> self, std::shared_ptr<Session> session);
  asio::awaitable<bool> serve_one(std::shared_ptr<Session> session);
  asio::awaitable<bool> read_request(std::shared_ptr<Session> session, std::shared_ptr<RequestReader> reader);
};

error_code Server::State::open(const tcp::endpoint& endpoint) {
  error_code ec;
  acceptor.open(endpoint.protocol(), ec);
  if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec) acceptor.bind(endpoint, ec);
  if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
  if (!ec) port = acceptor.local_endpoint(ec).port();
  return ec;
}

void Server::State::stop() {
  stopping = true;
  error_code ec;
  acceptor.close(ec);
  for (const auto& session : sessions) {
    if (session->at_rest) session->close();
  }
}

void Server::State::close_all() {
  for (const auto& session : sessions) session->close();
}

asio::awaitable<void> Server::State::accept_loop(std::shared_ptr<State> self) {
  bool warned = false;
  while (!self->stopping) {
    error_code ec;
    auto socket = co_await self->acceptor.async_accept(asio::redirect_error(asio::use_awaitable, ec));
    if (self->stopping) break;
    if (ec) {
      if (!warned) log::warning("http", "cannot accept a connection: " + ec.message());
      warned = true;
      co_await sleep_for(kAcceptPause);
      continue;
    }
    if (self->sessions.size() >= self->limits.connections) continue;  // closes it
    socket.set_option(tcp::no_delay(true), ec);
    auto session = std::make_shared<Session>(std::move(socket), self->limits);
    self->sessions.insert(session);
    self->tasks.spawn("http session", serve(self, std::move(session)));
  }
}

asio::awaitable<void> Server::State::serve(std::shared_ptr<State> self, std::shared_ptr<Session> session) {
  bool again = true;
  while (again) {
    again = co_await self->serve_one(session) && !self->stopping;
  }
  session->close();
  self->sessions.erase(session);
}

// True when the connection may carry another request.
asio::awaitable<bool> Server::State::serve_one(std::shared_ptr<Session> session) {
  const auto reader = std::make_shared<RequestReader>(limits);
  if (!co_await read_request(session, reader)) co_return false;
  auto response = answer(reader->request());
  if (response.hang) {
    co_await session->stay_silent();
    co_return false;
  }
  if (response.delay.count() > 0) co_await session->pause(response.delay);
  if (session->closed) co_return false;
  Framing framing;
  framing.head_only = reader->request().method == "HEAD";
  framing.keep_alive = reader->keep_alive() && !stopping;
  co_return co_await session->send(std::move(response), framing) && framing.keep_alive;
}

// False when there is no request to answer: closed, too slow, or refused.
asio::awaitable<bool> Server::State::read_request(std::shared_ptr<Session> session,
                                                  std::shared_ptr<RequestReader> reader) {
  session->at_rest = session->buffer.data().empty();
  // One deadline for the whole request: a sender of one byte a minute gets no extension.
  session->stream.expires_after(limits.idle);
  for (;;) {
    const auto used = reader->feed(session->buffer.data());
    if (used) session->buffer.consume(*used);
    if (used && reader->done()) break;
    if (!used || session->buffer.full()) {
      co_await session->refuse(used ? kHeadTooLarge : reader->refusal());
      co_return false;
    }
    const auto ec = co_await session->read();
    if (ec) co_return false;
    session->at_rest = false;
  }
  co_return true;
}

ServerResponse Server::State::answer(const ServerRequest& request) const {
  if (!handler) return plain(503, "shutting down");
  try {
    return handler(request);
  } catch (const std::exception& e) {
    log::error("http", "handler of " + request.method + " " + request.path + " failed: " + e.what());
  } catch (...) {
    log::error("http", "handler of " + request.method + " " + request.path + " failed");
  }
  return plain(500, "internal error; see the log");
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): executors are passed by value, as Asio does it
Result<std::unique_ptr<Server>> Server::listen(asio::any_io_executor executor, std::string address, std::uint16_t port,
                                               Handler handler, ServerLimits limits) {
  error_code ec;
  const auto ip = asio::ip::make_address(address, ec);
  if (ec) return Error{Errc::kConfig, "cannot listen on '" + address + "': set listen to an IP address and a port"};
  auto state = std::make_shared<State>(executor, std::move(handler), limits);
  const auto where = (ip.is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(port);
  ec = state->open(tcp::endpoint(ip, port));
  if (ec) return cannot_listen(where, ec);
  state->tasks.spawn("http accept on " + where, State::accept_loop(state));
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::Server(std::shared_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() {
  state_->handler = nullptr;  // it may point to things that end together with us
  state_->stop();
  state_->close_all();
}

std::uint16_t Server::port() const { return state_->port; }
std::size_t Server::connections() const { return state_->sessions.size(); }

void Server::stop() { state_->stop(); }

asio::awaitable<void> Server::drained(Duration deadline) {
  const auto state = state_;
  if (co_await state->tasks.idle(deadline)) co_return;
  state->close_all();
  co_await state->tasks.idle(kCloseGrace);
}

}  // namespace tidemark::http
