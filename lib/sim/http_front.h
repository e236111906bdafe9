#pragma once
// The simulated cluster over real HTTP on loopback: a port for each broker and each bookie, with the headers, framing,
// redirects, refusals and faults that a client meets in life. Runs on the io thread of the given executor, and so does
// the cluster while it is fronted.

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/server.h"
#include "sim/clock.h"
#include "sim/cluster.h"

namespace tidemark::sim {

struct FrontOptions {
  std::string address = "127.0.0.1";
  std::string token;            // when set, brokers want "Authorization: Bearer <token>"
  ScaledClock* pace = nullptr;  // the cluster's clock, if it is to wait for the cluster; must outlive the front
};

class HttpFront {
 public:
  // Opens the ports and names the cluster's brokers and bookies after them. `cluster` must outlive the front.
  static Result<std::unique_ptr<HttpFront>> open(boost::asio::any_io_executor executor, SimulatedCluster& cluster,
                                                 FrontOptions options = {});
  HttpFront(const HttpFront&) = delete;
  HttpFront& operator=(const HttpFront&) = delete;

  std::string url() const { return broker_urls().front(); }  // what one would point tidemark at
  std::vector<std::string> broker_urls() const;              // "http://127.0.0.1:40001"
  std::vector<std::string> bookie_urls() const;              // their metrics are at <url>/metrics

  // Requests so far, of all kinds.
  std::uint64_t requests() const { return requests_; }

  void stop();

 private:
  struct Node {
    std::uint16_t port = 0;
    std::unique_ptr<http::Server> server;  // null while the broker is down: connections are refused
  };

  HttpFront(boost::asio::any_io_executor executor, SimulatedCluster& cluster, FrontOptions options);
  Result<void> listen(Node& node, model::Target target, std::size_t index);
  http::ServerResponse handle(model::Target target, std::size_t index, const http::ServerRequest& request);
  void follow_brokers(std::size_t except);
  std::string name_of(const Node& node) const;

  boost::asio::any_io_executor executor_;
  SimulatedCluster& cluster_;
  FrontOptions options_;
  std::vector<Node> brokers_;
  std::vector<Node> bookies_;
  std::uint64_t requests_ = 0;
};

}  // namespace tidemark::sim
