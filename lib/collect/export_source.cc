#include "collect/export_source.h"

#include <chrono>
#include <utility>

#include "history/exported_answer.h"

namespace tidemark::collect {
namespace {

namespace asio = boost::asio;

Duration since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
}

// Some 160,000 series: of thousands of cursors, by as many exporters as there may have been within the lookback.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

Error advised(const Error& error) {
  if (error.code() != Errc::kTooLarge) return error;
  return {error.code(), error.text() +
                            "; a shorter restore.lookback finds fewer series, and so does a smaller "
                            "metrics.max_cursor_series of the daemons that export them"};
}

Error refusal(const std::string& url, const http::Head& head) {
  // Its own words are not repeated: they may quote the request with its credentials.
  return Error{Errc::kHttpStatus, "GET " + url + ": status " + std::to_string(head.status) +
                                      "; restore.prometheus_url must be what /api/v1/query stands behind"};
}

}  // namespace

Result<std::unique_ptr<ExportSource>> ExportSource::create(asio::any_io_executor io, ExportOptions options) {
  auto client = http::Client::create(std::move(io), options.tls);
  if (!client) return client.error().at("restore");
  return std::unique_ptr<ExportSource>(new ExportSource(std::move(options), std::move(*client)));
}

asio::awaitable<Result<history::ExportedCursors>> ExportSource::ask(std::string cluster, TimeMs now) {
  const auto start = std::chrono::steady_clock::now();
  auto authorization = options_.credentials.authorization();
  if (!authorization) co_return authorization.error();
  auto path = options_.base.path;
  if (path.ends_with('/')) path.pop_back();
  path += "/api/v1/query";
  const auto url = options_.base.origin.url() + path;
  history::ExportedAnswers answers;
  const auto queries = history::export_queries(cluster, options_.lookback);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    http::GetOptions get;
    get.authorization = *authorization;
    get.max_body = kMostBytes;
    get.total = get.idle = options_.timeout - since(start);
    get.connect = std::min(get.connect, get.total);
    if (get.total.count() <= 0) co_return Error{Errc::kTimeout, "GET " + url + ": not answered in time"};
    auto asked = path + "?query=" + http::percent_encode(queries[i]);
    auto response = co_await client_->get(options_.base.origin, std::move(asked), get);
    if (!response) co_return advised(response.error());
    if (response->head.status != 200) co_return refusal(url, response->head);
    const auto query = static_cast<history::ExportQuery>(i);
    if (auto taken = answers.take(query, "GET " + url, response->body); !taken) co_return taken.error();
  }
  co_return answers.cursors(now);
}

}  // namespace tidemark::collect
