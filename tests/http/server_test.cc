// The server seen from raw sockets, where our client is too polite, and how it stops.

#include "http/server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/log.h"
#include "http/client.h"
#include "http/io_run.h"
#include "http/samples.h"
#include "http/spawn.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using namespace tidemark::test;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

struct Fixture {
  explicit Fixture(ServerLimits limits = {})
      : server(Server::listen(
                   io.executor(), "127.0.0.1", 0, [this](const ServerRequest& r) { return handle(r); }, limits)
                   .value()) {}

  ServerResponse handle(const ServerRequest& request) {
    requests.push_back(request);
    if (request.path == "/throw") throw std::runtime_error("a bug");
    if (request.path == "/throw-int") throw 7;
    if (request.path == "/slow") response.delay = Duration{50};
    return response;
  }

  tcp::socket connect() {
    tcp::socket socket(io.context());
    socket.connect({asio::ip::make_address("127.0.0.1"), server->port()});
    return socket;
  }

  // Sends `text` and returns everything until the server closes.
  std::string talk(const std::string& text) {
    auto socket = connect();
    asio::write(socket, asio::buffer(text));
    return rest(socket);
  }

  std::string rest(tcp::socket& socket) {
    std::string got;
    io.run(read_all(socket, got));
    return got;
  }

  static asio::awaitable<void> read_all(tcp::socket& socket, std::string& got) {
    boost::system::error_code ec;
    co_await asio::async_read(socket, asio::dynamic_buffer(got), asio::redirect_error(asio::use_awaitable, ec));
  }

  Io io;
  ServerResponse response;
  std::vector<ServerRequest> requests;
  std::unique_ptr<Server> server;
};

std::string status_of(const std::string& answer) { return answer.substr(0, answer.find('\r')); }

std::string body_of(const std::string& answer) { return answer.substr(answer.find("\r\n\r\n") + 4); }

constexpr const char* kClose = "Host: h\r\nConnection: close\r\n\r\n";

}  // namespace

TEST_CASE("HEAD has the headers of GET and no body") {
  Fixture f;
  f.response.body = shared("hello");
  auto get = f.talk(std::string("GET / HTTP/1.1\r\n") + kClose);
  auto head = f.talk(std::string("HEAD / HTTP/1.1\r\n") + kClose);
  CHECK(body_of(get) == "hello");
  CHECK(body_of(head).empty());
  CHECK(head.find("Content-Length: 5\r\n") != std::string::npos);
  CHECK(status_of(head) == "HTTP/1.1 200 OK");
  f.response.chunk_bytes = 2;
  CHECK(body_of(f.talk(std::string("HEAD / HTTP/1.1\r\n") + kClose)).empty());
}

TEST_CASE("methods") {
  Fixture f;
  CHECK(status_of(f.talk(std::string("POST /-/reload HTTP/1.1\r\nContent-Length: 3\r\n") + kClose + "abc")) ==
        "HTTP/1.1 200 OK");
  CHECK(f.requests.back().method == "POST");
  CHECK(status_of(f.talk(std::string("PUT / HTTP/1.1\r\nContent-Length: 0\r\n") + kClose)) == "HTTP/1.1 200 OK");
  const auto refused = f.talk("DELETE / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(status_of(refused) == "HTTP/1.1 405 Method Not Allowed");
  CHECK(refused.find("Allow: GET, HEAD, POST, PUT\r\n") != std::string::npos);
  CHECK(f.requests.size() == 2);
}

TEST_CASE("requests on one connection, one after the other and all at once") {
  Fixture f;
  f.response.body = shared("hello");
  const std::string request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  const auto all = f.talk(request + request + request + "GET /last HTTP/1.1\r\n" + kClose);
  CHECK(f.requests.size() == 4);
  std::size_t answers = 0;
  for (auto at = all.find("hello"); at != std::string::npos; at = all.find("hello", at + 1)) ++answers;
  CHECK(answers == 4);
  CHECK(all.find("Connection: close") == all.rfind("Connection: close"));
}

TEST_CASE("HTTP/1.0 is closed after the answer") {
  Fixture f;
  f.response.body = shared("hello");
  CHECK(body_of(f.talk("GET / HTTP/1.0\r\n\r\n")) == "hello");
}

TEST_CASE("garbage") {
  Fixture f;
  CHECK(status_of(f.talk("garbage\r\n\r\n")) == "HTTP/1.1 400 Bad Request");
  CHECK(status_of(f.talk(std::string("\x16\x03\x01\x00\xa5", 5) + "hello, TLS\r\n")) == "HTTP/1.1 400 Bad Request");
  CHECK(status_of(f.talk(std::string(200'000, 'x'))).rfind("HTTP/1.1 4", 0) == 0);
  CHECK(f.requests.empty());
}

TEST_CASE("heads and bodies over the limits") {
  ServerLimits limits;
  limits.head_bytes = 1000;
  limits.body_bytes = 100;
  Fixture f(limits);
  const std::string long_header = "X: " + std::string(1000, 'x') + "\r\n";
  CHECK(status_of(f.talk("GET / HTTP/1.1\r\n" + long_header + kClose)) ==
        "HTTP/1.1 431 Request Header Fields Too Large");
  CHECK(status_of(f.talk("GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\n" + kClose)) ==
        "HTTP/1.1 431 Request Header Fields Too Large");
  const auto post = [](std::size_t size) {
    return "POST / HTTP/1.1\r\nContent-Length: " + std::to_string(size) + "\r\n" + kClose + std::string(size, 'x');
  };
  CHECK(status_of(f.talk(post(100))) == "HTTP/1.1 200 OK");
  CHECK(status_of(f.talk(post(101))) == "HTTP/1.1 413 Payload Too Large");
  CHECK(status_of(f.talk(post(500'000))) == "HTTP/1.1 413 Payload Too Large");
}

TEST_CASE("a handler that throws") {
  log::set_level(log::Level::kOff);
  Fixture f;
  CHECK(status_of(f.talk(std::string("GET /throw HTTP/1.1\r\n") + kClose)) == "HTTP/1.1 500 Internal Server Error");
  CHECK(status_of(f.talk(std::string("GET /throw-int HTTP/1.1\r\n") + kClose)) == "HTTP/1.1 500 Internal Server Error");
  CHECK(status_of(f.talk(std::string("GET / HTTP/1.1\r\n") + kClose)) == "HTTP/1.1 200 OK");
  log::set_level(log::Level::kInfo);
}

TEST_CASE("senders that are too slow are closed") {
  ServerLimits limits;
  limits.idle = Duration{60};
  Fixture f(limits);
  auto silent = f.connect();
  auto half = f.connect();
  asio::write(half, asio::buffer(std::string("GET / HTTP/1.1\r\nHo")));
  REQUIRE(f.io.until([&] { return f.server->connections() == 2; }));
  CHECK(f.io.until([&] { return f.server->connections() == 0; }));
  CHECK(f.rest(silent).empty());
  CHECK(f.rest(half).empty());

  // One byte after the other does not help: the whole request has one deadline.
  auto drip = f.connect();
  bool closed = false;
  const auto send = [&]() -> asio::awaitable<void> {
    boost::system::error_code ec;
    while (!ec) {
      co_await asio::async_write(drip, asio::buffer("G", 1), asio::redirect_error(asio::use_awaitable, ec));
      co_await sleep_for(Duration{10});
    }
    closed = true;
  };
  spawn(f.io.executor(), "drip", send());
  CHECK(f.io.until([&] { return closed; }));
}

TEST_CASE("too many connections") {
  ServerLimits limits;
  limits.connections = 2;
  Fixture f(limits);
  auto first = f.connect();
  auto second = f.connect();
  REQUIRE(f.io.until([&] { return f.server->connections() == 2; }));
  auto third = f.connect();
  CHECK(f.rest(third).empty());  // closed at once
  asio::write(first, asio::buffer(std::string("GET / HTTP/1.1\r\n") + kClose));
  CHECK(status_of(f.rest(first)) == "HTTP/1.1 200 OK");
  REQUIRE(f.io.until([&] { return f.server->connections() == 1; }));
  CHECK(status_of(f.talk(std::string("GET / HTTP/1.1\r\n") + kClose)) == "HTTP/1.1 200 OK");
}

TEST_CASE("errors of listen") {
  Fixture f;
  const auto handler = [](const ServerRequest&) { return ServerResponse{}; };
  const auto where = "127.0.0.1:" + std::to_string(f.server->port());
  const auto twice = Server::listen(f.io.executor(), "127.0.0.1", f.server->port(), handler);
  REQUIRE(twice.has_error());
  CHECK(twice.error().code() == Errc::kNetwork);
  CHECK(twice.error().text() == "cannot listen on " + where + ": address in use; set listen to a free one");
  const auto no_address = Server::listen(f.io.executor(), "example", 80, handler);
  REQUIRE(no_address.has_error());
  CHECK(no_address.error().code() == Errc::kConfig);
  const auto foreign = Server::listen(f.io.executor(), "192.0.2.1", 0, handler);
  REQUIRE(foreign.has_error());
  CHECK(foreign.error().code() == Errc::kNetwork);
  CHECK(foreign.error().text().find("192.0.2.1:0") != std::string::npos);
}

TEST_CASE("stop lets a running answer end and closes the idle") {
  Fixture f;
  f.response.body = shared("hello");
  auto idle = f.connect();
  auto busy = f.connect();
  asio::write(busy, asio::buffer(std::string("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")));
  REQUIRE(f.io.until([&] { return f.requests.size() == 1 && f.server->connections() == 2; }));
  f.server->stop();
  f.io.run(f.server->drained(Duration{20'000}));
  CHECK(f.server->connections() == 0);
  CHECK(f.rest(idle).empty());
  const auto answer = f.rest(busy);
  CHECK(body_of(answer) == "hello");
  CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  boost::system::error_code ec;
  tcp::socket late(f.io.context());
  late.connect({asio::ip::make_address("127.0.0.1"), f.server->port()}, ec);
  CHECK(ec == asio::error::connection_refused);
}

TEST_CASE("drained closes what does not end") {
  Fixture f;
  f.response.delay = Duration{60'000};
  auto stuck = f.connect();
  asio::write(stuck, asio::buffer(std::string("GET / HTTP/1.1\r\nHost: h\r\n\r\n")));
  REQUIRE(f.io.until([&] { return f.requests.size() == 1; }));
  f.server->stop();
  f.io.run(f.server->drained(Duration{30}));
  CHECK(f.server->connections() == 0);
  CHECK(f.rest(stuck).empty());
}

TEST_CASE("a reader that does not read is given up") {
  ServerLimits limits;
  limits.idle = Duration{60};
  Fixture f(limits);
  f.response.body = shared(std::string(std::size_t{32} << 20, 'x'));
  auto lazy = f.connect();
  asio::write(lazy, asio::buffer(std::string("GET / HTTP/1.1\r\nHost: h\r\n\r\n")));
  REQUIRE(f.io.until([&] { return f.requests.size() == 1; }));
  CHECK(f.io.until([&] { return f.server->connections() == 0; }));
}

TEST_CASE("the server may go while connections are open") {
  Fixture f;
  f.response.hang = true;
  auto hanging = f.connect();
  auto idle = f.connect();
  asio::write(hanging, asio::buffer(std::string("GET / HTTP/1.1\r\nHost: h\r\n\r\n")));
  REQUIRE(f.io.until([&] { return f.requests.size() == 1 && f.server->connections() == 2; }));
  f.server.reset();
  CHECK(f.rest(hanging).empty());
  CHECK(f.rest(idle).empty());
}
