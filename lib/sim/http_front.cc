// One server a node. All of them hand their requests to the one cluster, which catches up with its clock first; then
// the ports follow the brokers that went down or came back.
#include "sim/http_front.h"

#include <utility>

#include "base/log.h"
#include "formats/gzip.h"
#include "sim/documents.h"

namespace tidemark::sim {
namespace {

constexpr std::size_t kChunk = 8192;        // Jetty's
constexpr std::size_t kInOnePiece = 32768;  // up to here a Content-Length is sent

http::ServerResponse respond(const Reply& reply, bool gzip) {
  http::ServerResponse response;
  response.status = reply.status;
  response.dated = false;
  response.content_type = reply.content_type;
  response.delay = reply.delay;
  response.hang = reply.lost;
  response.cut_after = reply.cut_after;
  response.gzip_body = gzip && reply.status == 200;
  response.body = std::make_shared<const std::string>(response.gzip_body ? formats::gzip(reply.body) : reply.body);
  if (response.body->size() > kInOnePiece) response.chunk_bytes = kChunk;
  if (!reply.location.empty()) response.headers.emplace_back("Location", reply.location);
  return response;
}

http::ServerResponse refuse(const http::ServerRequest& request) {
  Reply reply;
  reply.status = 401;
  reply.content_type = "text/html;charset=iso-8859-1";
  reply.body = jetty_error_page(401, "Authentication required", request.path);
  return respond(reply, false);
}

}  // namespace

Result<std::unique_ptr<HttpFront>> HttpFront::open(boost::asio::any_io_executor executor, SimulatedCluster& cluster,
                                                   FrontOptions options) {
  std::unique_ptr<HttpFront> front(new HttpFront(std::move(executor), cluster, std::move(options)));
  auto& brokers = cluster.world().brokers();
  auto& bookies = cluster.world().bookies().list();
  front->brokers_.resize(brokers.size());
  front->bookies_.resize(bookies.size());
  for (std::size_t i = 0; i < brokers.size(); ++i) {
    auto open = front->listen(front->brokers_[i], model::Target::kBroker, i);
    if (!open) return open.error();
    brokers[i].set_address(front->name_of(front->brokers_[i]));
  }
  for (std::size_t i = 0; i < bookies.size(); ++i) {
    auto open = front->listen(front->bookies_[i], model::Target::kBookie, i);
    if (!open) return open.error();
    bookies[i].set_address(front->name_of(front->bookies_[i]));
  }
  return front;
}

HttpFront::HttpFront(boost::asio::any_io_executor executor, SimulatedCluster& cluster, FrontOptions options)
    : executor_(std::move(executor)), cluster_(cluster), options_(std::move(options)) {}

std::string HttpFront::name_of(const Node& node) const { return options_.address + ':' + std::to_string(node.port); }

Result<void> HttpFront::listen(Node& node, model::Target target, std::size_t index) {
  http::ServerLimits limits;
  limits.simulates = true;
  auto server = http::Server::listen(
      executor_, options_.address, node.port,
      [this, target, index](const http::ServerRequest& request) { return handle(target, index, request); }, limits);
  if (!server) return server.error();
  node.server = std::move(*server);
  node.port = node.server->port();
  return {};
}

http::ServerResponse HttpFront::handle(model::Target target, std::size_t index, const http::ServerRequest& request) {
  ++requests_;
  if (options_.pace != nullptr) options_.pace->stop();
  cluster_.advance_to(cluster_.clock().now());
  if (options_.pace != nullptr) options_.pace->go_on();
  follow_brokers(target == model::Target::kBroker ? index : brokers_.size());
  const bool broker = target == model::Target::kBroker;
  if (broker && !options_.token.empty() && request.authorization != "Bearer " + options_.token) return refuse(request);
  const std::string path = request.query.empty() ? request.path : request.path + '?' + request.query;
  auto reply =
      cluster_.reply(target, name_of(broker ? brokers_[index] : bookies_[index]), {path, request.method, request.body});
  if (reply.status == 0) {
    // The broker went down under this very request.
    reply.status = 200;
    reply.body = "{}";
    reply.cut_after = 0;
  }
  return respond(reply, broker && request.accepts_gzip);
}

// A broker that is down refuses connections. `except` is answering just now and cannot be closed.
void HttpFront::follow_brokers(std::size_t except) {
  const auto& brokers = cluster_.world().brokers();
  for (std::size_t i = 0; i < brokers_.size(); ++i) {
    if (i == except) continue;
    if (!brokers[i].up()) {
      brokers_[i].server.reset();
    } else if (brokers_[i].server == nullptr) {
      const auto open = listen(brokers_[i], model::Target::kBroker, i);
      if (!open) log::warning("sim", open.error().text());
    }
  }
}

std::vector<std::string> HttpFront::broker_urls() const {
  std::vector<std::string> urls;
  for (const auto& node : brokers_) urls.push_back("http://" + name_of(node));
  return urls;
}

std::vector<std::string> HttpFront::bookie_urls() const {
  std::vector<std::string> urls;
  for (const auto& node : bookies_) urls.push_back("http://" + name_of(node));
  return urls;
}

void HttpFront::stop() {
  for (auto* nodes : {&brokers_, &bookies_}) {
    for (auto& node : *nodes) {
      if (node.server) node.server->stop();
    }
  }
}

}  // namespace tidemark::sim
