// The daemon as it is, beside brokers and bookies that answer from the recording on ports of their own. Its clock
// stands at a poll of the recording until the daemon has published that poll, then jumps to the next one.
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "asked.h"
#include "base/log.h"
#include "daemon/service.h"
#include "http/client.h"
#include "http/server.h"
#include "http/spawn.h"
#include "sim/clock.h"

namespace tidemark::cases {
namespace {

constexpr const char* kHere = "127.0.0.1";
constexpr Duration kForever = std::chrono::hours{24};

// Everybody of the recording, listening. Lives on the io thread; `cluster` must outlive it.
class Front {
 public:
  static Result<std::unique_ptr<Front>> open(boost::asio::any_io_executor io, RecordedCluster& cluster,
                                             std::size_t chunk_bytes) {
    auto front = std::make_unique<Front>();
    for (const auto target : {model::Target::kBroker, model::Target::kBookie}) {
      auto names = target == model::Target::kBroker ? cluster.brokers() : cluster.bookies();
      if (target == model::Target::kBroker) names.insert(names.begin(), kService);
      for (const auto& name : names) {
        // Addresses in the order of the names, as findings about them are.
        const auto host = "127.0.1." + std::to_string(100 + front->nodes_.size());
        auto server = http::Server::listen(io, host, 0, [&cluster, target, name, chunk_bytes](const auto& request) {
          return respond(
              cluster.answer(target, name, request.path + (request.query.empty() ? "" : '?' + request.query)),
              chunk_bytes);
        });
        if (!server) return server.error();
        const auto address = host + ':' + std::to_string((*server)->port());
        if (target == model::Target::kBroker) cluster.publish(name, address);
        front->nodes_.push_back({target, name, address, std::move(*server)});
      }
    }
    return front;
  }

  std::vector<std::string> addresses(model::Target target) const {
    std::vector<std::string> found;
    for (const auto& node : nodes_) {
      if (node.target == target) found.push_back(node.address);
    }
    return found;
  }

  // The recording's names again, where a text has our ports.
  std::string with_names(std::string text) const {
    for (const auto& node : nodes_) {
      for (auto at = text.find(node.address); at != std::string::npos; at = text.find(node.address, at)) {
        text.replace(at, node.address.size(), node.name);
        at += node.name.size();
      }
    }
    return text;
  }

  void stop() {
    for (auto& node : nodes_) node.server->stop();
  }

 private:
  struct Node {
    model::Target target;
    std::string name;
    std::string address;
    std::unique_ptr<http::Server> server;
  };

  static http::ServerResponse respond(const model::Exchange& exchange, std::size_t chunk_bytes) {
    http::ServerResponse response;
    response.status = exchange.status;
    response.dated = false;
    response.content_type = "application/json";
    response.body = std::make_shared<const std::string>(exchange.body);
    response.chunk_bytes = chunk_bytes;
    if (exchange.status == 0) {
      response.status = 200;
      response.cut_after = 0;
    }
    return response;
  }

  std::vector<Node> nodes_;
};

// Turns the clock, and reads the findings after the last poll.
class Course {
 public:
  Course(boost::asio::io_context& io, RecordedCluster& cluster, sim::VirtualClock& clock)
      : io_(io), cluster_(cluster), clock_(clock) {}

  void listening(std::uint16_t port) { port_ = port; }

  void poll_ended(daemon::Service& service) {
    ++ended_;
    if (ended_ < cluster_.polls().size()) {
      clock_.set(cluster_.polls()[ended_]);
      cluster_.go_to(clock_.now());
    } else if (ended_ == cluster_.polls().size()) {
      http::spawn(io_.get_executor(), "read findings", read(service));
    }
  }

  Duration pause() const { return ended_ < cluster_.polls().size() ? Duration{0} : kForever; }

  const std::optional<Result<std::string>>& findings() const { return findings_; }

 private:
  boost::asio::awaitable<void> read(daemon::Service& service) {
    auto client = http::Client::create(io_.get_executor(), {});
    if (!client) {
      findings_ = client.error();
    } else {
      http::Origin origin;
      origin.host = kHere;
      origin.port = port_;
      http::GetOptions options;
      auto response = co_await (*client)->get(origin, "/api/v1/findings", options);
      if (!response) {
        findings_ = response.error();
      } else if (response->head.status != 200) {
        findings_ = Error{Errc::kHttpStatus, "/api/v1/findings: " + response->head.reason};
      } else {
        findings_ = std::move(response->body);
      }
    }
    service.stop();
  }

  boost::asio::io_context& io_;
  RecordedCluster& cluster_;
  sim::VirtualClock& clock_;
  std::size_t ended_ = 0;
  std::uint16_t port_ = 0;
  std::optional<Result<std::string>> findings_;
};

}  // namespace

Result<std::string> ask_over_http(RecordedCluster& cluster, Asking asking) {
  boost::asio::io_context io(1);
  auto front = Front::open(io.get_executor(), cluster, asking.chunk_bytes);
  if (!front) return front.error();
  asking.common.url = "http://" + (*front)->addresses(model::Target::kBroker).front();  // the service
  spend_freely(asking);
  auto& sets = asking.common.sets;
  sets.insert(sets.begin(), {"listen=127.0.0.1:0", "log.level=error"});
  if (!cluster.cluster().empty()) sets.insert(sets.begin(), "clusters.0.name=" + cluster.cluster());
  const auto bookies = (*front)->addresses(model::Target::kBookie);
  for (std::size_t i = 0; i < bookies.size(); ++i) {
    sets.push_back("clusters.0.bookies.urls." + std::to_string(i) + "=http://" + bookies[i]);
  }
  auto settings = daemon::load_settings(asking.common);
  if (!settings) return settings.error();
  log::set_level(settings->log.level);

  sim::VirtualClock clock(cluster.polls().front());
  Course course(io, cluster, clock);
  std::unique_ptr<daemon::Service> service;
  daemon::ServiceOptions options;
  options.on_listening = [&](std::uint16_t port) { course.listening(port); };
  options.on_outcome = [&](const std::string&, const daemon::Outcome&) { course.poll_ended(*service); };
  options.pause = [&](Duration) { return course.pause(); };
  service = std::make_unique<daemon::Service>(io, clock, std::move(*settings), std::move(options));
  if (auto started = service->start(); !started) return started.error();
  io.run();
  (*front)->stop();
  if (!course.findings()) return Error{Errc::kCancelled, "ended before the last poll did"};
  if (!course.findings()->has_value()) return course.findings()->error();
  return (*front)->with_names(**course.findings());
}

}  // namespace tidemark::cases
