#pragma once
// A server that sends exactly the bytes it is told, for what our own Server would never do. Connection n gets
// answers[n], one string a request, and is closed when there is no more; without an entry it is closed at once.

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <vector>

#include "http/io_run.h"
#include "http/spawn.h"
#include "http/url.h"

namespace tidemark::test {

class ScriptedServer {
 public:
  ScriptedServer(Io& io, std::vector<std::vector<std::string>> answers)
      : io_(io),
        acceptor_(io.context(), {boost::asio::ip::make_address("127.0.0.1"), 0}),
        answers_(std::move(answers)) {
    http::spawn(io.executor(), "scripted server", accept());
  }

  http::Origin origin() const { return {false, "127.0.0.1", acceptor_.local_endpoint().port()}; }
  std::size_t connections() const { return connections_; }
  std::size_t open_connections() const { return open_; }
  const std::string& last_request() const { return last_request_; }

 private:
  using tcp = boost::asio::ip::tcp;

  boost::asio::awaitable<void> accept() {
    boost::system::error_code ec;
    while (!ec) {
      auto socket = co_await acceptor_.async_accept(boost::asio::redirect_error(boost::asio::use_awaitable, ec));
      if (ec) break;
      auto script = connections_ < answers_.size() ? answers_[connections_] : std::vector<std::string>{};
      ++connections_;
      http::spawn(io_.executor(), "scripted connection", answer(std::move(socket), std::move(script)));
    }
  }

  boost::asio::awaitable<void> answer(tcp::socket socket, std::vector<std::string> script) {
    ++open_;
    boost::system::error_code ec;
    for (const auto& text : script) {
      std::string request;
      co_await boost::asio::async_read_until(socket, boost::asio::dynamic_buffer(request), "\r\n\r\n",
                                             boost::asio::redirect_error(boost::asio::use_awaitable, ec));
      if (ec) break;
      last_request_ = request;
      co_await boost::asio::async_write(socket, boost::asio::buffer(text),
                                        boost::asio::redirect_error(boost::asio::use_awaitable, ec));
      if (ec) break;
    }
    --open_;
  }

  Io& io_;
  tcp::acceptor acceptor_;
  std::vector<std::vector<std::string>> answers_;
  std::size_t connections_ = 0;
  std::size_t open_ = 0;
  std::string last_request_;
};

}  // namespace tidemark::test
