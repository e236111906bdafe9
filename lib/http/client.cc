// The path of one request: a kept connection if there is one, else a new one; write; feed what comes to the reader.
// Errors of every layer below get the URL in front here and nowhere else.

#include "http/client.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/units.h"
#include "http/connection.h"
#include "http/connection_pool.h"
#include "http/echo_guard.h"
#include "http/resolver.h"
#include "http/response_reader.h"
#include "http/tls.h"

namespace tidemark::http {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

struct Call {
  Call(Origin origin_in, std::string path_in, GetOptions options_in, BodySink sink_in)
      : origin(std::move(origin_in)),
        path(std::move(path_in)),
        options(std::move(options_in)),
        sink(std::move(sink_in)),
        connect_by(started + std::min(options.connect, options.total)),
        done_by(started + options.total) {}

  Origin origin;
  std::string path;
  GetOptions options;
  BodySink sink;
  Clock::time_point started = Clock::now();
  Deadline connect_by;
  Deadline done_by;

  // Without the query: it is the part of a URL where secrets are put.
  std::string where() const { return "GET " + origin.url() + path.substr(0, path.find('?')); }

  Result<void> check() const {
    if (path.empty() || path.front() != '/' || !printable(path)) {
      return Error{Errc::kMalformed, "GET " + origin.url() + ": the path cannot stand on a request line"};
    }
    if (has_control(options.authorization)) return Error{Errc::kConfig, where() + ": line break in the credentials"};
    return {};
  }

  std::string request() const {
    const bool usual_port = origin.port == (origin.tls ? 443 : 80);
    auto host = origin.authority();
    if (usual_port) host.resize(host.rfind(':'));
    std::string text = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: tidemark\r\nAccept: */*\r\n";
    text += options.accept_gzip ? "Accept-Encoding: gzip\r\n" : "Accept-Encoding: identity\r\n";
    if (!options.authorization.empty()) text += "Authorization: " + options.authorization + "\r\n";
    return text + "\r\n";
  }

  // The next byte must come by then.
  Deadline next_by() const { return std::min(Clock::now() + options.idle, done_by); }

  Error timeout() const {
    if (Clock::now() >= done_by) return {Errc::kTimeout, "not complete within " + format_duration(options.total)};
    return {Errc::kTimeout, "no byte for " + format_duration(options.idle)};
  }
};

using CallPointer = std::shared_ptr<const Call>;

// What became of a request on one connection.
struct Outcome {
  Result<Head> result = Error{};
  bool unanswered = false;  // the connection died before the first byte of an answer
};

// An error of the connection, seen from a response that has come so far.
Error interrupted(const Error& error, const Call& call, const ResponseReader& reader) {
  if (error.code() == Errc::kTimeout) return call.timeout();
  if (error.code() == Errc::kNetwork && reader.started()) {
    return {Errc::kTruncated, "the answer ended early: " + error.text()};
  }
  return error;
}

asio::awaitable<Result<void>> read_response(std::shared_ptr<Connection> connection, CallPointer call,
                                            std::shared_ptr<ResponseReader> reader) {
  Result<void> complete;  // named: g++ 12 with ASan takes a temporary in co_return for uninitialized
  auto& buffer = connection->buffer();
  while (!reader->done()) {
    const auto got = co_await connection->read(call->next_by());
    if (!got) co_return interrupted(got.error(), *call, *reader);
    if (*got == 0) co_return reader->end_of_stream();
    const auto used = reader->feed(buffer.data());
    if (!used) co_return used.error();
    buffer.consume(*used);
    if (*used == 0 && buffer.full()) {
      co_return Error{Errc::kMalformed, "a line of the answer is longer than the read buffer"};
    }
  }
  co_return complete;
}

}  // namespace

struct Client::State {
  State(const asio::any_io_executor& executor, TlsContext tls_in)
      : resolver(executor), pool(executor), tls(std::move(tls_in)) {}

  Resolver resolver;
  ConnectionPool pool;
  TlsContext tls;
  bool closed = false;

  asio::awaitable<Result<std::shared_ptr<Connection>>> connect(CallPointer call);
  asio::awaitable<Outcome> exchange(std::shared_ptr<Connection> connection, CallPointer call);
  static asio::awaitable<Result<Head>> run(std::shared_ptr<State> self, CallPointer call);
  static asio::awaitable<Result<Response>> collect(std::shared_ptr<State> self, std::shared_ptr<Call> call);
};

// A remembered address that no longer answers is looked up afresh, once, in the second half of the time.
asio::awaitable<Result<std::shared_ptr<Connection>>> Client::State::connect(CallPointer call) {
  for (;;) {
    const bool remembered = resolver.knows(call->origin.host);
    const auto addresses = co_await resolver.find(call->origin.host, call->connect_by);
    if (!addresses) co_return addresses.error();
    const auto now = Clock::now();
    const auto deadline = remembered ? now + (call->connect_by - now) / 2 : call->connect_by;
    auto connection = pool.create(call->origin);
    const auto connected = co_await connection->connect(*addresses, tls, deadline);
    if (connected) co_return connection;
    resolver.forget(call->origin.host);
    const auto code = connected.error().code();
    const bool may_have_moved = code == Errc::kNetwork || code == Errc::kTimeout;
    if (!remembered || !may_have_moved) co_return connected.error();
  }
}

asio::awaitable<Outcome> Client::State::exchange(std::shared_ptr<Connection> connection, CallPointer call) {
  Outcome outcome;
  const auto& authorization = call->options.authorization;
  const auto reader = std::make_shared<ResponseReader>(call->options.max_body, guarded(authorization, call->sink));
  const auto request = call->request();
  auto ok = co_await connection->write(request, call->next_by());
  if (!ok) {
    ok = interrupted(ok.error(), *call, *reader);
  } else {
    ok = co_await read_response(connection, call, reader);
  }
  if (!ok) {
    outcome.unanswered = ok.error().code() == Errc::kNetwork && !reader->started();
    outcome.result = ok.error();
    co_return outcome;
  }
  // Bytes behind the answer belong to nothing we asked for.
  if (reader->keep_alive() && connection->buffer().data().empty()) pool.put(std::move(connection));
  auto& head = reader->head();
  if (repeats(authorization, head.reason)) head.reason.clear();
  if (repeats(authorization, head.location)) head.location.clear();
  outcome.result = std::move(head);
  co_return outcome;
}

asio::awaitable<Result<Head>> Client::State::run(std::shared_ptr<State> self, CallPointer call) {
  if (auto ok = call->check(); !ok) co_return ok.error();
  if (self->closed) co_return Error(Errc::kCancelled, call->where() + ": shutting down");
  Outcome outcome;
  if (auto kept = self->pool.take(call->origin)) {
    outcome = co_await self->exchange(std::move(kept), call);
  } else {
    outcome.unanswered = true;
  }
  // The server may close a kept connection at the very moment we use it. Such a request was not answered by anyone.
  if (outcome.unanswered) {
    auto fresh = co_await self->connect(call);
    if (!fresh) co_return fresh.error().at(call->where());
    outcome = co_await self->exchange(std::move(*fresh), call);
  }
  if (!outcome.result) co_return outcome.result.error().at(call->where());
  outcome.result->elapsed = std::chrono::duration_cast<Duration>(Clock::now() - call->started);
  co_return std::move(outcome.result);
}

asio::awaitable<Result<Response>> Client::State::collect(std::shared_ptr<State> self, std::shared_ptr<Call> call) {
  Response response;
  call->sink = [&response](std::string_view bytes) -> Result<void> {
    response.body.append(bytes);
    return {};
  };
  auto head = co_await run(std::move(self), std::move(call));
  if (!head) co_return head.error();
  response.head = std::move(*head);
  co_return response;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): executors are passed by value, as Asio does it
Result<std::unique_ptr<Client>> Client::create(asio::any_io_executor executor, const TlsOptions& tls) {
  auto context = make_tls_context(tls);
  if (!context) return context.error();
  return std::unique_ptr<Client>(new Client(std::make_shared<State>(executor, std::move(*context))));
}

Client::Client(std::shared_ptr<State> state) : state_(std::move(state)) {}
Client::~Client() { close(); }

asio::awaitable<Result<Response>> Client::get(Origin origin, std::string path, GetOptions options) {
  return State::collect(state_,
                        std::make_shared<Call>(std::move(origin), std::move(path), std::move(options), nullptr));
}

asio::awaitable<Result<Head>> Client::stream(Origin origin, std::string path, GetOptions options, BodySink sink) {
  return State::run(state_,
                    std::make_shared<Call>(std::move(origin), std::move(path), std::move(options), std::move(sink)));
}

void Client::close() {
  state_->closed = true;
  state_->resolver.close();
  state_->pool.close();
}

}  // namespace tidemark::http
