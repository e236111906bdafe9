// TLS against a server with certificates made here by the openssl command: an authority, a server certificate for
// `localhost` and 127.0.0.1, a client certificate, and a second authority that signed none of them.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>

#include "http/client.h"
#include "http/io_run.h"
#include "http/samples.h"
#include "http/scripted_server.h"
#include "http/spawn.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::http;
using namespace tidemark::test;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

const TempFolder& certificates() {
  static const TempFolder folder;
  static const bool made = [] {
    folder.write("san", "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    folder.write("other_san", "subjectAltName=DNS:elsewhere.example,IP:192.0.2.1\n");
    folder.write("make.sh", R"(set -e
ca() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" -keyout $1.key -out $1.pem; }
leaf() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout $1.key -out $1.csr
  openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial $2 -extfile $3 -out $1.pem
}
ca ca; ca strangers
leaf server "-days 2" san; leaf elsewhere "-days 2" other_san; leaf client "-days 2" san
# Which of the two makes a certificate of the past depends on the version of openssl: 3.5 refuses the first.
leaf expired "-days -1" san || leaf expired "-not_before 20200101000000Z -not_after 20200102000000Z" san
)");
    const auto home = folder.file("").string();
    return std::system(("cd '" + home + "' && sh make.sh >log 2>&1").c_str()) == 0;
  }();
  REQUIRE(made);
  return folder;
}

std::string certificate(const std::string& name) { return certificates().file(name).string(); }

// Answers every request with "ok", or closes when `hang_up` says so after the first.
class TlsServer {
 public:
  TlsServer(Io& io, const std::string& name, bool wants_certificate = false)
      : io_(io),
        context_(asio::ssl::context::tls_server),
        acceptor_(io.context(), {asio::ip::make_address("127.0.0.1"), 0}) {
    context_.use_certificate_chain_file(certificate(name + ".pem"));
    context_.use_private_key_file(certificate(name + ".key"), asio::ssl::context::pem);
    if (wants_certificate) {
      context_.load_verify_file(certificate("ca.pem"));
      context_.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
    }
    spawn(io.executor(), "tls server", accept());
  }

  Origin origin(const std::string& host = "localhost") const { return {true, host, acceptor_.local_endpoint().port()}; }
  int connections() const { return connections_; }
  std::string server_name() const { return server_name_; }
  void set_answer(std::string text) { answer_ = std::move(text); }

 private:
  asio::awaitable<void> accept() {
    boost::system::error_code ec;
    while (!ec) {
      auto socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, ec));
      if (!ec) spawn(io_.executor(), "tls session", serve(std::move(socket)));
    }
  }

  asio::awaitable<void> serve(tcp::socket socket) {
    ++connections_;
    boost::system::error_code ec;
    asio::ssl::stream<tcp::socket> stream(std::move(socket), context_);
    co_await stream.async_handshake(asio::ssl::stream_base::server, asio::redirect_error(asio::use_awaitable, ec));
    const char* name = SSL_get_servername(stream.native_handle(), TLSEXT_NAMETYPE_host_name);
    server_name_ = name != nullptr ? name : "";
    while (!ec) {
      std::string request;
      co_await asio::async_read_until(stream, asio::dynamic_buffer(request), "\r\n\r\n",
                                      asio::redirect_error(asio::use_awaitable, ec));
      if (ec) break;
      co_await asio::async_write(stream, asio::buffer(answer_), asio::redirect_error(asio::use_awaitable, ec));
      if (answer_.find("\r\n\r\n") == std::string::npos || answer_.find("Content-Length") == std::string::npos) break;
    }
  }

  Io& io_;
  asio::ssl::context context_;
  tcp::acceptor acceptor_;
  std::string answer_ = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  std::string server_name_;
  int connections_ = 0;
};

TlsOptions trusting(const std::string& ca) {
  TlsOptions options;
  options.ca_file = certificate(ca);
  return options;
}

Result<Response> get(Io& io, const TlsOptions& options, const Origin& origin) {
  auto client = Client::create(io.executor(), options).value();
  return io.run(client->get(origin, "/", GetOptions{}));
}

void check_refused(const Result<Response>& got, const std::string& text) {
  REQUIRE(got.has_error());
  INFO(got.error().text());
  CHECK(got.error().code() == Errc::kTls);
  CHECK(got.error().text().find(text) != std::string::npos);
}

}  // namespace

TEST_CASE("a trusted server") {
  Io io;
  TlsServer server(io, "server");
  auto client = Client::create(io.executor(), trusting("ca.pem")).value();
  for (int i = 0; i < 3; ++i) {
    const auto got = io.run(client->get(server.origin(), "/", GetOptions{}));
    REQUIRE(got.has_value());
    CHECK(got->body == "ok");
  }
  CHECK(server.connections() == 1);
  CHECK(server.server_name() == "localhost");
  CHECK(get(io, trusting("ca.pem"), server.origin("127.0.0.1")).has_value());
  CHECK(server.server_name().empty());  // no address there
}

TEST_CASE("a large body over TLS") {
  Io io;
  TlsServer server(io, "server");
  const auto body = sample_text(1'000'000);
  server.set_answer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + body);
  const auto got = get(io, trusting("ca.pem"), server.origin());
  REQUIRE(got.has_value());
  CHECK((got->body == body));
}

TEST_CASE("servers that are not trusted") {
  Io io;
  TlsServer server(io, "server");
  check_refused(get(io, trusting("strangers.pem"), server.origin()), "set tls.ca_file");
  check_refused(get(io, TlsOptions{}, server.origin()), "set tls.ca_file");
  TlsServer elsewhere(io, "elsewhere");
  check_refused(get(io, trusting("ca.pem"), elsewhere.origin()), "not for 'localhost'");
  check_refused(get(io, trusting("ca.pem"), elsewhere.origin("127.0.0.1")), "not for '127.0.0.1'");
  TlsServer expired(io, "expired");
  check_refused(get(io, trusting("ca.pem"), expired.origin()), "not valid now");

  TlsOptions blind;
  blind.verify = false;
  CHECK(get(io, blind, server.origin()).has_value());
  CHECK(get(io, blind, elsewhere.origin()).has_value());
}

TEST_CASE("client certificates") {
  Io io;
  TlsServer server(io, "server", true);
  auto options = trusting("ca.pem");
  const auto without = get(io, options, server.origin());
  REQUIRE(without.has_error());
  CHECK((without.error().code() == Errc::kTls || without.error().code() == Errc::kNetwork));
  options.cert_file = certificate("client.pem");
  options.key_file = certificate("client.key");
  CHECK(get(io, options, server.origin()).has_value());
}

TEST_CASE("a port that does not speak TLS") {
  Io io;
  ScriptedServer plain(io, {{"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"}});
  auto origin = plain.origin();
  origin.tls = true;
  GetOptions options;
  options.connect = Duration{300};
  auto client = Client::create(io.executor(), trusting("ca.pem")).value();
  const auto got = io.run(client->get(origin, "/", options));
  REQUIRE(got.has_error());
  CHECK((got.error().code() == Errc::kTls || got.error().code() == Errc::kTimeout));
}

TEST_CASE("a TLS body whose end anybody could have cut") {
  Io io;
  TlsServer server(io, "server");
  server.set_answer("HTTP/1.1 200 OK\r\n\r\nno length, no close_notify");
  const auto got = get(io, trusting("ca.pem"), server.origin());
  REQUIRE(got.has_error());
  CHECK(got.error().code() == Errc::kTruncated);
}

TEST_CASE("files that cannot be used are named with their key") {
  Io io;
  const auto refused = [&](const TlsOptions& options, const std::string& key) {
    const auto made = Client::create(io.executor(), options);
    REQUIRE(made.has_error());
    INFO(made.error().text());
    CHECK(made.error().code() == Errc::kConfig);
    CHECK(made.error().text().find(key) != std::string::npos);
  };
  TlsOptions options;
  options.ca_file = "/nowhere/ca.pem";
  refused(options, "tls.ca_file /nowhere/ca.pem");
  options = trusting("ca.pem");
  options.cert_file = certificate("client.pem");
  refused(options, "tls.key_file");
  options.key_file = certificate("server.key");
  refused(options, "tls.key_file " + options.key_file);
  options.key_file = "/nowhere/key.pem";
  refused(options, "tls.key_file /nowhere/key.pem");
  options.cert_file.clear();
  refused(options, "tls.cert_file");
}
