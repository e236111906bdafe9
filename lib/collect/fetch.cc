#include "collect/fetch.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace tidemark::collect {
namespace {

namespace asio = boost::asio;

constexpr int kMostRedirects = 5;
constexpr std::size_t kMaxListBytes = std::size_t{1} << 40;  // streamed, so the size is the cluster's affair

bool is_redirect(int status) { return status == 301 || status == 302 || status == 307 || status == 308; }

bool is_streamed(pulsar::Endpoint endpoint) {
  return endpoint == pulsar::Endpoint::kSweep || endpoint == pulsar::Endpoint::kLoadedTopics ||
         endpoint == pulsar::Endpoint::kTopics;
}

std::string where(const http::Origin& origin, const survey::Ask& ask) {
  return "GET " + origin.url() + ask.path.substr(0, ask.path.find('?'));
}

Error circle(const http::Origin& origin, const survey::Ask& ask) {
  return {Errc::kHttpStatus, where(origin, ask) + ": redirected in a circle"};
}

}  // namespace

Fetcher::Fetcher(http::Client& client, http::Credentials credentials, http::Origin seed,
                 std::map<std::string, http::Origin> bookies, FetchOptions options)
    : client_(client),
      credentials_(std::move(credentials)),
      seed_(std::move(seed)),
      bookies_(std::move(bookies)),
      options_(options) {}

http::Origin Fetcher::origin_of(const survey::Ask& ask) const {
  if (ask.target == model::Target::kBookie) {
    const auto at = bookies_.find(ask.name);
    if (at != bookies_.end()) return at->second;
    auto parsed = http::parse_url("http://" + ask.name);
    return parsed ? parsed->origin : http::Origin{};
  }
  // A lone broker is reached by the URL that was configured: what it calls itself may resolve nowhere from here.
  if (ask.name == seed_.authority() || brokers_.size() <= 1) return seed_;
  auto parsed = http::parse_url((seed_.tls ? "https://" : "http://") + ask.name);
  return parsed ? parsed->origin : seed_;
}

std::string Fetcher::url_of(const survey::Ask& ask) const {
  return origin_of(ask).url() + ask.path.substr(0, ask.path.find('?'));
}

bool Fetcher::is_known(const http::Origin& origin) const {
  return origin == seed_ || std::find(brokers_.begin(), brokers_.end(), origin.authority()) != brokers_.end();
}

Result<http::Url> Fetcher::redirected(const http::Origin& from, const http::Head& head) const {
  const bool other_host = head.location.starts_with("//");
  if (head.location.starts_with('/') && !other_host) return http::Url{from, head.location};
  auto url = http::parse_url(head.location);
  if (!url) return Error{Errc::kMalformed, "redirected to what is no URL"};
  if (!is_known(url->origin) || (from.tls && !url->origin.tls)) {
    return Error{Errc::kHttpStatus,
                 "redirected to " + url->origin.url() + ", which is no broker of this cluster; not followed"};
  }
  return *url;
}

http::GetOptions Fetcher::options_for(const survey::Ask& ask) const {
  http::GetOptions options;
  options.total = options.idle = options_.document_timeout;
  options.connect = std::min(options.connect, options_.document_timeout);
  options.max_body = options_.max_document_bytes;
  if (is_streamed(ask.endpoint)) {
    options.idle = options_.sweep_idle_timeout;
    options.total = options_.sweep_timeout;
    options.max_body = kMaxListBytes;
    options.accept_gzip = options_.gzip_sweeps;
  }
  return options;
}

asio::awaitable<Result<http::Response>> Fetcher::get(survey::Ask ask) {
  auto options = options_for(ask);
  auto authorization =
      ask.target == model::Target::kBroker ? credentials_.authorization() : Result<std::string>(std::string{});
  if (!authorization) co_return authorization.error();
  options.authorization = *authorization;
  auto origin = origin_of(ask);
  auto path = ask.path;
  for (int hop = 0; hop <= kMostRedirects; ++hop) {
    auto response = co_await client_.get(origin, path, options);
    if (!response || !is_redirect(response->head.status)) co_return response;
    auto next = redirected(origin, response->head);
    if (!next) co_return next.error().at(where(origin, ask));
    origin = next->origin;
    path = next->path;
  }
  co_return circle(origin, ask);
}

asio::awaitable<Result<http::Head>> Fetcher::stream(survey::Ask ask, http::BodySink sink) {
  auto options = options_for(ask);
  auto authorization = credentials_.authorization();
  if (!authorization) co_return authorization.error();
  options.authorization = *authorization;
  auto origin = origin_of(ask);
  auto path = ask.path;
  for (int hop = 0; hop <= kMostRedirects; ++hop) {
    auto head = co_await client_.stream(origin, path, options, sink);  // a redirect's body goes to no sink
    if (!head || !is_redirect(head->status)) co_return head;
    auto next = redirected(origin, *head);
    if (next && ask.endpoint == pulsar::Endpoint::kSweep && next->origin != origin) {
      next =
          Error{Errc::kHttpStatus, "redirected to " + next->origin.url() + ", whose topics are others; not followed"};
    }
    if (!next) co_return next.error().at(where(origin, ask));
    origin = next->origin;
    path = next->path;
  }
  co_return circle(origin, ask);
}

}  // namespace tidemark::collect
