// The lookup's handler owns the shared state, so it may come back long after everybody stopped waiting.

#include "http/resolver.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <map>
#include <optional>
#include <utility>

namespace tidemark::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

struct Lookup {
  explicit Lookup(const asio::any_io_executor& executor) : resolver(executor) {}

  tcp::resolver resolver;
  std::optional<Result<Addresses>> answer;
  std::vector<std::shared_ptr<asio::steady_timer>> waiters;

  void wake() {
    for (const auto& waiter : waiters) waiter->cancel();
    waiters.clear();
  }
};

}  // namespace

struct Resolver::State : std::enable_shared_from_this<Resolver::State> {
  explicit State(asio::any_io_executor executor_in) : executor(std::move(executor_in)) {}

  asio::any_io_executor executor;
  bool closed = false;
  std::map<std::string, Addresses> known;
  std::map<std::string, std::shared_ptr<Lookup>> running;

  std::shared_ptr<Lookup> join(const std::string& host) {
    auto& lookup = running[host];
    if (lookup) return lookup;
    lookup = std::make_shared<Lookup>(executor);
    lookup->resolver.async_resolve(
        host, "", [self = shared_from_this(), lookup, host](const boost::system::error_code& ec, const auto& found) {
          self->running.erase(host);
          lookup->answer = self->keep(host, ec, found);
          lookup->wake();
        });
    return lookup;
  }

  Result<Addresses> keep(const std::string& host, const boost::system::error_code& ec,
                         const tcp::resolver::results_type& found) {
    if (ec) return Error{Errc::kNetwork, "the name '" + host + "' cannot be resolved: " + ec.message()};
    Addresses addresses;
    for (const auto& entry : found) addresses.push_back(entry.endpoint().address().to_string());
    if (!addresses.empty()) known[host] = addresses;
    return addresses;
  }
};

Resolver::Resolver(asio::any_io_executor executor) : state_(std::make_shared<State>(std::move(executor))) {}
Resolver::~Resolver() { close(); }

asio::awaitable<Result<Addresses>> Resolver::find(std::string host, std::chrono::steady_clock::time_point deadline) {
  const auto state = state_;
  boost::system::error_code ec;
  asio::ip::make_address(host, ec);
  if (!ec) co_return Addresses(1, host);
  if (state->closed) co_return Error{Errc::kCancelled, "shutting down"};
  if (const auto known = state->known.find(host); known != state->known.end()) co_return known->second;

  const auto lookup = state->join(host);
  const auto timer = std::make_shared<asio::steady_timer>(state->executor, deadline);
  lookup->waiters.push_back(timer);
  co_await timer->async_wait(asio::redirect_error(asio::use_awaitable, ec));
  if (state->closed) co_return Error{Errc::kCancelled, "shutting down"};
  if (!lookup->answer) co_return Error{Errc::kTimeout, "the name '" + host + "' was not resolved in time"};
  co_return *lookup->answer;
}

bool Resolver::knows(const std::string& host) const { return state_->known.count(host) > 0; }
void Resolver::forget(const std::string& host) { state_->known.erase(host); }

void Resolver::close() {
  state_->closed = true;
  for (const auto& [host, lookup] : state_->running) {
    lookup->resolver.cancel();
    lookup->wake();
  }
}

}  // namespace tidemark::http
