#include "daemon/routes.h"

#include <string>
#include <utility>
#include <vector>

#include "formats/gzip.h"
#include "formats/json_writer.h"
#include "http/url.h"
#include "report/api_json.h"
#include "report/landing_page.h"
#include "report/what_if.h"

namespace tidemark::daemon {
namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* kJsonType = "application/json";

http::ServerResponse answer(int status, std::string type, std::string body) {
  http::ServerResponse response;
  response.status = status;
  response.content_type = std::move(type);
  response.body = std::make_shared<const std::string>(std::move(body));
  return response;
}

http::ServerResponse text(int status, std::string body) {
  return answer(status, "text/plain; charset=utf-8", std::move(body));
}

http::ServerResponse refuse(int status, const std::string& why) {
  formats::JsonWriter json;
  json.begin_object();
  json.member("error", why);
  json.end_object();
  return answer(status, kJsonType, json.take());
}

std::string decoded(std::string_view part) {
  std::string spaced(part);
  for (auto& c : spaced) c = c == '+' ? ' ' : c;
  auto text = http::percent_decode(spaced);
  return text ? *text : spaced;
}

Query parse_query(std::string_view query) {
  Query pairs;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto equals = std::min(pair.find('='), pair.size());
    if (!pair.empty())
      pairs.emplace_back(decoded(pair.substr(0, equals)), equals < pair.size() ? decoded(pair.substr(equals + 1)) : "");
  }
  return pairs;
}

// Takes `cluster` out of the query. Null when it is missing among several or unknown; `why` then says what to do.
const ClusterPages* choose_cluster(const Pages& pages, Query& query, std::string& why) {
  std::string wanted;
  std::erase_if(query, [&](const auto& pair) { return pair.first == "cluster" && (wanted = pair.second, true); });
  std::string names;
  for (const auto& cluster : pages.clusters) {
    if (cluster.name == wanted || (wanted.empty() && pages.clusters.size() == 1)) return &cluster;
    names += (names.empty() ? "" : ", ") + cluster.name;
  }
  why = "cluster must be one of: " + names;
  return nullptr;
}

http::ServerResponse metrics(const RouteContext& context, const http::ServerRequest& request) {
  const auto pages = context.pages();
  const bool fresh = pages && context.now() <= pages->good_until_ms;
  auto self = context.metrics->serialize();
  if (!request.accepts_gzip) return answer(200, kMetricsType, (fresh ? pages->metrics : std::string{}) + self);
  // Gzip members may follow one another, so the cached one stays as it is and only the small rest is compressed now.
  auto response = answer(200, kMetricsType, (fresh ? pages->metrics_gzip : std::string{}) + formats::gzip(self));
  response.gzip_body = true;
  return response;
}

http::ServerResponse what_if(const Outcome& outcome, const Query& query) {
  if (query.size() != 1 || query.front().first != "expire")
    return refuse(400, "/api/v1/what-if takes expire=TIME and nothing else, e.g. expire=7d");
  const auto expire = report::parse_expiration(query.front().second);
  if (!expire) return refuse(400, expire.error().at("expire").text());
  return answer(200, kJsonType, report::what_if_json(report::what_if(*outcome.snapshot, *outcome.verdicts, *expire)));
}

http::ServerResponse api(const Pages* pages, const std::string& path, const std::string& query_text) {
  if (pages == nullptr) return refuse(503, "the first poll has not ended yet");
  auto query = parse_query(query_text);
  std::string why;
  const auto* cluster = choose_cluster(*pages, query, why);
  if (cluster == nullptr) return refuse(400, why);
  if (path == "/api/v1/findings") {
    if (!query.empty())
      return refuse(400, "unknown parameter '" + query.front().first + "'; /api/v1/cursors takes filters");
    return answer(200, kJsonType, cluster->findings_json);
  }
  if (path == "/api/v1/what-if") return what_if(cluster->outcome, query);
  const auto filter = report::parse_cursor_filter(query);
  if (!filter) return refuse(400, filter.error().text());
  return answer(200, kJsonType, report::cursors_json(*cluster->outcome.verdicts, *filter));
}

http::ServerResponse page(const Pages* pages) {
  std::vector<report::PagePart> parts;
  if (pages != nullptr) {
    for (const auto& cluster : pages->clusters) {
      parts.push_back({cluster.name, cluster.outcome.verdicts.get(), cluster.outcome.problem_lines()});
    }
  }
  return answer(200, "text/html; charset=utf-8", report::landing_page(parts, TIDEMARK_VERSION));
}

}  // namespace

http::ServerResponse respond(const RouteContext& context, const http::ServerRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.path == "/-/reload") {
    if (request.method != "POST" && request.method != "PUT") return text(405, "POST or PUT\n");
    context.reload();
    return text(202, "reloading; see the log and tidemark_config_reload_success\n");
  }
  if (!reads) return text(405, "GET or HEAD\n");
  const auto pages = context.pages();
  if (request.path == "/metrics") return metrics(context, request);
  if (request.path == "/-/healthy") return text(200, "ok\n");
  if (request.path == "/-/ready") return pages ? text(200, "ok\n") : text(503, "the first poll has not ended yet\n");
  if (request.path == "/api/v1/findings" || request.path == "/api/v1/cursors" || request.path == "/api/v1/what-if")
    return api(pages.get(), request.path, request.query);
  if (request.path == "/") return page(pages.get());
  return text(404, "not found; see / for what there is\n");
}

}  // namespace tidemark::daemon
