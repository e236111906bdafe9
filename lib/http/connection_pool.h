#pragma once
// Connections kept open between requests, and the list of all that are in use, so that close() can end them.
// Private to this room.

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "http/connection.h"

namespace tidemark::http {

class ConnectionPool {
 public:
  explicit ConnectionPool(boost::asio::any_io_executor executor);
  ~ConnectionPool();  // as close()

  // The idle connection to `origin` that was used last, or null. The server may have closed it meanwhile.
  std::shared_ptr<Connection> take(const Origin& origin);

  // A new one, not yet connected.
  std::shared_ptr<Connection> create(const Origin& origin);

  // Keeps it for the next request, up to 4 an origin and 25 s (Pulsar's Jetty closes at 30 s).
  void put(std::shared_ptr<Connection> connection);

  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tidemark::http
