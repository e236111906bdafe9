// A single timer sweeps the idle ones while there are any. The state is shared with its handler, which may run late.

#include "http/connection_pool.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

namespace tidemark::http {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxIdlePerOrigin = 4;
constexpr auto kMaxIdle = std::chrono::seconds(25);
constexpr auto kSweep = std::chrono::seconds(5);

struct Idle {
  std::shared_ptr<Connection> connection;
  Clock::time_point since;
};

}  // namespace

struct ConnectionPool::State : std::enable_shared_from_this<ConnectionPool::State> {
  explicit State(asio::any_io_executor executor_in) : executor(std::move(executor_in)), timer(executor) {}

  asio::any_io_executor executor;
  asio::steady_timer timer;
  bool sweeping = false;
  bool closed = false;
  std::map<Origin, std::vector<Idle>> idle;  // oldest first
  std::vector<std::weak_ptr<Connection>> all;

  static void drop_old(std::vector<Idle>& list) {
    const auto limit = Clock::now() - kMaxIdle;
    list.erase(list.begin(), std::find_if(list.begin(), list.end(), [&](const Idle& i) { return i.since > limit; }));
  }

  void sweep_later() {
    if (sweeping || closed) return;
    sweeping = true;
    timer.expires_after(kSweep);
    timer.async_wait([weak = weak_from_this()](const boost::system::error_code& ec) {
      const auto self = weak.lock();
      if (self && !ec) self->sweep();
    });
  }

  void sweep() {
    sweeping = false;
    for (auto& [origin, list] : idle) drop_old(list);
    std::erase_if(idle, [](const auto& entry) { return entry.second.empty(); });
    if (!idle.empty()) sweep_later();
  }
};

ConnectionPool::ConnectionPool(asio::any_io_executor executor) : state_(std::make_shared<State>(std::move(executor))) {}
ConnectionPool::~ConnectionPool() { close(); }

std::shared_ptr<Connection> ConnectionPool::take(const Origin& origin) {
  const auto found = state_->idle.find(origin);
  if (found == state_->idle.end()) return nullptr;
  State::drop_old(found->second);
  if (found->second.empty()) return nullptr;
  auto connection = std::move(found->second.back().connection);
  found->second.pop_back();
  return connection;
}

std::shared_ptr<Connection> ConnectionPool::create(const Origin& origin) {
  std::erase_if(state_->all, [](const auto& weak) { return weak.expired(); });
  auto connection = std::make_shared<Connection>(state_->executor, origin);
  if (state_->closed) connection->close();
  state_->all.push_back(connection);
  return connection;
}

void ConnectionPool::put(std::shared_ptr<Connection> connection) {
  if (state_->closed) return;
  auto& list = state_->idle[connection->origin()];
  if (list.size() >= kMaxIdlePerOrigin) list.erase(list.begin());
  list.push_back({std::move(connection), Clock::now()});
  state_->sweep_later();
}

void ConnectionPool::close() {
  state_->closed = true;
  state_->timer.cancel();
  for (const auto& weak : state_->all) {
    if (const auto connection = weak.lock()) connection->close();
  }
  state_->idle.clear();
}

}  // namespace tidemark::http
