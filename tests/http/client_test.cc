// The client against our own server on loopback: what works when nothing goes wrong.

#include "http/client.h"

#include <boost/asio/io_context.hpp>

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

// A server whose every path answers with `response`, and a client.
struct Pair {
  Pair()
      : server(Server::listen(io.executor(), "127.0.0.1", 0,
                              [this](const ServerRequest& request) {
                                requests.push_back(request);
                                return response;
                              })
                   .value()),
        client(Client::create(io.executor(), TlsOptions{}).value()) {}

  Origin origin() const { return {false, "127.0.0.1", server->port()}; }
  Result<Response> get(const std::string& path = "/", const GetOptions& options = {}) {
    return io.run(client->get(origin(), path, options));
  }

  Io io;
  ServerResponse response;
  std::vector<ServerRequest> requests;
  std::unique_ptr<Server> server;
  std::unique_ptr<Client> client;
};

}  // namespace

TEST_CASE("get") {
  Pair pair;
  pair.response.body = shared("{}");
  pair.response.content_type = "application/json";
  pair.response.headers.emplace_back("Location", "/elsewhere");
  GetOptions options;
  options.authorization = "Bearer secret";
  const auto got = pair.get("/admin/v2/clusters?a=b", options);
  REQUIRE(got.has_value());
  CHECK(got->head.status == 200);
  CHECK(got->head.content_type == "application/json");
  CHECK(got->head.location == "/elsewhere");
  CHECK(got->head.body_bytes == 2);
  CHECK(got->head.date.has_value());
  CHECK(got->body == "{}");
  REQUIRE(pair.requests.size() == 1);
  CHECK(pair.requests[0].method == "GET");
  CHECK(pair.requests[0].path == "/admin/v2/clusters");
  CHECK(pair.requests[0].query == "a=b");
  CHECK(pair.requests[0].authorization == "Bearer secret");
  CHECK_FALSE(pair.requests[0].accepts_gzip);
}

TEST_CASE("a status that is not 2xx is an answer, with the start of its body") {
  Pair pair;
  pair.response.body = shared("{\"reason\":\"Namespace not found\"}");
  for (const int status : {301, 307, 401, 403, 404, 412, 429, 500, 503}) {
    pair.response.status = status;
    const auto got = pair.get();
    REQUIRE(got.has_value());
    CHECK(got->head.status == status);
    CHECK(got->head.reason == "{\"reason\":\"Namespace not found\"}");
    CHECK(got->body.empty());
  }
  CHECK(pair.server->connections() == 1);
}

TEST_CASE("stream takes chunks of every size") {
  Pair pair;
  for (const auto chunk : Sizes{1, 2, 15, 16, 17, 255, 4096, 65535, 65536, 65537, 1000000}) {
    INFO("chunks of " << chunk);
    const auto body = sample_text(chunk < 16 ? 20'000 : 300'000);
    pair.response.body = shared(body);
    pair.response.chunk_bytes = chunk;
    std::string got;
    BodySink sink = [&got](std::string_view bytes) -> Result<void> {
      got += bytes;
      return {};
    };
    const auto head = pair.io.run(pair.client->stream(pair.origin(), "/", GetOptions{}, std::move(sink)));
    REQUIRE(head.has_value());
    CHECK(head->body_bytes == body.size());
    CHECK((got == body));  // no need to print them
  }
  CHECK(pair.server->connections() == 1);
}

TEST_CASE("large bodies") {
  Pair pair;
  const auto body = sample_text(std::size_t{3} << 20);
  pair.response.body = shared(body);
  const auto got = pair.get();
  REQUIRE(got.has_value());
  CHECK((got->body == body));
}

TEST_CASE("gzip is unpacked while it arrives") {
  Pair pair;
  const auto body = sample_text(500'000);
  pair.response.body = shared(gzip(body));
  pair.response.gzip_body = true;
  GetOptions options;
  options.accept_gzip = true;
  for (const auto chunk : Sizes{0, 1000}) {
    pair.response.chunk_bytes = chunk;
    const auto got = pair.get("/", options);
    REQUIRE(got.has_value());
    CHECK((got->body == body));
    CHECK(got->head.body_bytes == body.size());
    CHECK(pair.requests.back().accepts_gzip);
  }
}

TEST_CASE("connections are kept, and shared by nobody at the same time") {
  Pair pair;
  for (int i = 0; i < 5; ++i) REQUIRE(pair.get().has_value());
  CHECK(pair.server->connections() == 1);

  int ended = 0;
  const auto one = [&]() -> boost::asio::awaitable<void> {
    auto path = std::string("/");
    const auto got = co_await pair.client->get(pair.origin(), std::move(path), GetOptions{});
    if (got) ++ended;
  };
  pair.response.delay = Duration{20};
  for (int i = 0; i < 10; ++i) spawn(pair.io.executor(), "one", one());
  REQUIRE(pair.io.until([&] { return ended == 10; }));
  CHECK(pair.io.until([&] { return pair.server->connections() == 4; }));  // the others were one too many to keep
}

TEST_CASE("a kept connection that died is replaced, once") {
  const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  Io io;
  ScriptedServer server(io, {{ok}, {ok, ok}, {ok}});
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  const auto get = [&] { return io.run(client->get(server.origin(), "/", GetOptions{})); };
  REQUIRE(get().has_value());
  REQUIRE(io.until([&] { return server.open_connections() == 0; }));
  REQUIRE(get().has_value());  // the first connection was closed meanwhile
  CHECK(server.connections() == 2);
  REQUIRE(get().has_value());
  CHECK(server.connections() == 2);

  // The last connection ends, and so does every new one: no third attempt.
  REQUIRE(get().has_value());
  CHECK(server.connections() == 3);
  REQUIRE(io.until([&] { return server.open_connections() == 0; }));
  const auto got = get();
  REQUIRE(got.has_error());
  CHECK(got.error().code() == Errc::kNetwork);
  CHECK(server.connections() == 4);
}

TEST_CASE("a connection with bytes behind the answer is not used again") {
  const std::string extra =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
  const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  Io io;
  ScriptedServer server(io, {{extra, ok}, {ok}});
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  CHECK(io.run(client->get(server.origin(), "/", GetOptions{})).value().body == "ok");
  CHECK(io.run(client->get(server.origin(), "/", GetOptions{})).value().body == "ok");
  CHECK(server.connections() == 2);
}

TEST_CASE("the request as it goes out") {
  Io io;
  ScriptedServer server(io, {{"HTTP/1.1 204 No Content\r\n\r\n"}});
  auto client = Client::create(io.executor(), TlsOptions{}).value();
  REQUIRE(io.run(client->get(server.origin(), "/a?b", GetOptions{})).has_value());
  CHECK(server.last_request() == "GET /a?b HTTP/1.1\r\nHost: " + server.origin().authority() +
                                     "\r\nUser-Agent: tidemark\r\nAccept: */*\r\nAccept-Encoding: identity\r\n\r\n");
}

TEST_CASE("names are looked up") {
  Pair pair;
  const auto got = pair.io.run(pair.client->get({false, "localhost", pair.server->port()}, "/", GetOptions{}));
  CHECK(got.has_value());
}
