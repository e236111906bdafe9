// What the client says when the other side is slow, gone, lying or too large. Limits are short, and only error codes
// are asserted: a busy machine may be late, but not wrong.

#include <boost/asio/io_context.hpp>

#include "http/client.h"
#include "http/io_run.h"
#include "http/samples.h"
#include "http/scripted_server.h"
#include "http/server.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using namespace tidemark::test;

namespace {

using Sizes = std::initializer_list<std::size_t>;

struct Pair {
  Pair()
      : server(
            Server::listen(io.executor(), "127.0.0.1", 0, [this](const ServerRequest&) { return response; }).value()),
        client(Client::create(io.executor(), TlsOptions{}).value()) {}

  Origin origin() const { return {false, "127.0.0.1", server->port()}; }
  Error failure(const GetOptions& options = {}, const std::string& path = "/") {
    const auto got = io.run(client->get(origin(), path, options));
    REQUIRE(got.has_error());
    CHECK(got.error().text().find('\n') == std::string::npos);
    return got.error();
  }

  Io io;
  ServerResponse response;
  std::unique_ptr<Server> server;
  std::unique_ptr<Client> client;
};

GetOptions within(int connect, int idle, int total) {
  GetOptions options;
  options.connect = Duration{connect};
  options.idle = Duration{idle};
  options.total = Duration{total};
  return options;
}

bool has(const Error& error, const std::string& text) { return error.text().find(text) != std::string::npos; }

}  // namespace

TEST_CASE("a server that accepts and never answers") {
  Pair pair;
  pair.response.hang = true;
  const auto idle = pair.failure(within(5000, 60, 5000), "/x?token=hunter2");
  CHECK(idle.code() == Errc::kTimeout);
  CHECK(has(idle, "GET http://127.0.0.1:"));
  CHECK(has(idle, "no byte for 60ms"));
  CHECK_FALSE(has(idle, "hunter2"));
  const auto total = pair.failure(within(5000, 5000, 60));
  CHECK(total.code() == Errc::kTimeout);
  CHECK(has(total, "not complete within 60ms"));
}

TEST_CASE("a server that answers too late") {
  Pair pair;
  pair.response.delay = Duration{10'000};
  CHECK(pair.failure(within(5000, 60, 5000)).code() == Errc::kTimeout);
  pair.response.delay = Duration{20};
  CHECK(pair.io.run(pair.client->get(pair.origin(), "/", within(5000, 5000, 5000))).has_value());
}

TEST_CASE("a listener whose connections nobody accepts") {
  Io io;
  boost::asio::ip::tcp::acceptor silent(io.context(), {boost::asio::ip::make_address("127.0.0.1"), 0});
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  Origin origin(false, "127.0.0.1", silent.local_endpoint().port());
  CHECK(io.run(client->get(origin, "/", within(5000, 60, 5000))).error().code() == Errc::kTimeout);
  origin.tls = true;  // waits in the handshake
  CHECK(io.run(client->get(origin, "/", within(60, 5000, 5000))).error().code() == Errc::kTimeout);
}

TEST_CASE("a body that trickles is bounded by the total only") {
  Io io;
  boost::asio::ip::tcp::acceptor acceptor(io.context(), {boost::asio::ip::make_address("127.0.0.1"), 0});
  const auto trickle = [&]() -> boost::asio::awaitable<void> {
    boost::system::error_code ec;
    auto socket = co_await acceptor.async_accept(boost::asio::use_awaitable);
    std::string bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    while (!ec) {
      co_await boost::asio::async_write(socket, boost::asio::buffer(bytes),
                                        boost::asio::redirect_error(boost::asio::use_awaitable, ec));
      bytes = "x";
      co_await sleep_for(Duration{5});
    }
  };
  spawn(io.executor(), "trickle", trickle());
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  const Origin origin(false, "127.0.0.1", acceptor.local_endpoint().port());
  const auto got = io.run(client->get(origin, "/", within(5000, 5000, 150)));
  REQUIRE(got.has_error());
  CHECK(got.error().code() == Errc::kTimeout);
  CHECK(has(got.error(), "not complete"));
}

TEST_CASE("bodies that are cut") {
  Pair pair;
  pair.response.body = shared(sample_text(100'000));
  for (const auto chunk : Sizes{0, 1000}) {
    for (const auto cut : Sizes{0, 1, 999, 1000, 50'000, 99'999}) {
      INFO("chunks of " << chunk << ", cut after " << cut);
      pair.response.chunk_bytes = chunk;
      pair.response.cut_after = cut;
      CHECK(pair.failure().code() == Errc::kTruncated);
    }
  }
  pair.response.cut_after = 100'000;  // all of it, but not the final chunk
  CHECK(pair.failure().code() == Errc::kTruncated);
}

TEST_CASE("a gzip body that is cut") {
  Pair pair;
  const auto packed = gzip(sample_text(10'000));
  pair.response.body = shared(packed.substr(0, packed.size() / 2));
  pair.response.gzip_body = true;
  CHECK(pair.failure().code() == Errc::kTruncated);
  pair.response.body = shared("not gzip");
  CHECK(pair.failure().code() == Errc::kMalformed);
}

TEST_CASE("bodies over the cap") {
  Pair pair;
  pair.response.body = shared(sample_text(100'000));
  GetOptions options;
  options.max_body = 99'999;
  CHECK(pair.failure(options).code() == Errc::kTooLarge);
  pair.response.chunk_bytes = 1000;
  CHECK(pair.failure(options).code() == Errc::kTooLarge);
  options.max_body = 100'000;
  CHECK(pair.io.run(pair.client->get(pair.origin(), "/", options)).has_value());
  pair.response.body = shared(gzip(std::string(std::size_t{4} << 20, 'x')));
  pair.response.gzip_body = true;
  CHECK(pair.failure(options).code() == Errc::kTooLarge);
}

TEST_CASE("an error page without an end does not hold the client") {
  Pair pair;
  pair.response.status = 500;
  pair.response.body = shared(std::string(std::size_t{5} << 20, 'e'));
  const auto got = pair.io.run(pair.client->get(pair.origin(), "/", GetOptions{}));
  REQUIRE(got.has_value());
  CHECK(got->head.status == 500);
  CHECK(got->head.reason.size() == 2048);
  CHECK(got->head.body_bytes < (std::size_t{1} << 20));
}

TEST_CASE("an error of the sink ends the request and reaches the caller") {
  Pair pair;
  pair.response.body = shared(sample_text(std::size_t{1} << 20));
  int calls = 0;
  BodySink sink = [&calls](std::string_view) -> Result<void> {
    ++calls;
    return Error{Errc::kMalformed, "byte 7: not a topic"};
  };
  const auto got = pair.io.run(pair.client->stream(pair.origin(), "/x", GetOptions{}, std::move(sink)));
  REQUIRE(got.has_error());
  CHECK(got.error().code() == Errc::kMalformed);
  CHECK(got.error().text() == "GET " + pair.origin().url() + "/x: byte 7: not a topic");
  CHECK(calls == 1);
}

TEST_CASE("nobody listens") {
  Io io;
  std::uint16_t port = 0;
  {
    boost::asio::ip::tcp::acceptor closed(io.context(), {boost::asio::ip::make_address("127.0.0.1"), 0});
    port = closed.local_endpoint().port();
  }
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  const auto refused = io.run(client->get({false, "127.0.0.1", port}, "/", GetOptions{}));
  REQUIRE(refused.has_error());
  CHECK(refused.error().code() == Errc::kNetwork);
  CHECK(has(refused.error(), "refused"));
  for (int i = 0; i < 2; ++i) {  // the second time with a remembered address
    CHECK(io.run(client->get({false, "localhost", port}, "/", GetOptions{})).error().code() == Errc::kNetwork);
  }
}

TEST_CASE("a name that does not exist") {
  Io io;
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  // ".invalid" never resolves (RFC 6761). Without a reachable name server the answer may come late: both are right.
  const auto got = io.run(client->get({false, "nowhere.invalid", 80}, "/", within(3000, 5000, 5000)));
  REQUIRE(got.has_error());
  CHECK((got.error().code() == Errc::kNetwork || got.error().code() == Errc::kTimeout));
  CHECK(has(got.error(), "nowhere.invalid"));
}

TEST_CASE("what is not HTTP") {
  Io io;
  ScriptedServer server(io,
                        {{"SSH-2.0-OpenSSH\r\n\r\n"}, {"HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x')}, {""}});
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  const auto code = [&] { return io.run(client->get(server.origin(), "/", GetOptions{})).error().code(); };
  CHECK(code() == Errc::kMalformed);
  CHECK(code() == Errc::kMalformed);
  CHECK(code() == Errc::kNetwork);  // closed without a byte, on a new connection: not tried again
  CHECK(server.connections() == 3);
}

TEST_CASE("paths and credentials that would break the request line") {
  Pair pair;
  for (const auto* path : {"", "x", "/a b", "/a\r\nX: y", "/\xc3\xa9", "*"}) {
    INFO(path);
    CHECK(pair.failure(GetOptions{}, path).code() == Errc::kMalformed);
  }
  GetOptions options;
  options.authorization = "Bearer hunter2\r\nX: y";
  const auto error = pair.failure(options);
  CHECK(error.code() == Errc::kConfig);
  CHECK_FALSE(has(error, "hunter2"));
}

TEST_CASE("close ends what is running and refuses what comes") {
  Pair pair;
  pair.response.hang = true;
  Errc code = Errc::kNone;
  const auto one = [&]() -> boost::asio::awaitable<void> {
    auto path = std::string("/");
    const auto got = co_await pair.client->get(pair.origin(), std::move(path), GetOptions{});
    code = got.has_error() ? got.error().code() : Errc::kNone;
  };
  SECTION("close") {
    spawn(pair.io.executor(), "one", one());
    REQUIRE(pair.io.until([&] { return pair.server->connections() == 1; }));
    pair.client->close();
    REQUIRE(pair.io.until([&] { return code != Errc::kNone; }));
    CHECK(code == Errc::kCancelled);
    CHECK(pair.failure().code() == Errc::kCancelled);
  }
  SECTION("destruction") {
    spawn(pair.io.executor(), "one", one());
    REQUIRE(pair.io.until([&] { return pair.server->connections() == 1; }));
    pair.client.reset();
    REQUIRE(pair.io.until([&] { return code != Errc::kNone; }));
    CHECK(code == Errc::kCancelled);
  }
  SECTION("in the middle of connecting") {
    // After each number of steps that it takes to connect, in turn.
    const int steps = GENERATE(range(0, 6));
    spawn(pair.io.executor(), "one", one());
    for (int i = 0; i < steps; ++i) pair.io.context().run_one();
    pair.client->close();
    REQUIRE(pair.io.until([&] { return code != Errc::kNone; }));
    CHECK(code == Errc::kCancelled);
  }
}

TEST_CASE("coroutines left behind at the end are destroyed without harm") {
  auto pair = std::make_unique<Pair>();
  pair->response.hang = true;
  const auto one = [](Client& client, Origin origin) -> boost::asio::awaitable<void> {
    auto path = std::string("/");
    co_await client.get(std::move(origin), std::move(path), GetOptions{});
  };
  spawn(pair->io.executor(), "one", one(*pair->client, pair->origin()));
  REQUIRE(pair->io.until([&] { return pair->server->connections() == 1; }));
  pair.reset();  // the client and the server first, then the io_context with what is still suspended
}
