#pragma once
// Request -> response, from what is published: plain functions on the io thread that wait for nothing.

#include <functional>
#include <memory>

#include "base/time.h"
#include "daemon/page_cache.h"
#include "http/server.h"
#include "report/self_metrics.h"

namespace tidemark::daemon {

struct RouteContext {
  std::function<std::shared_ptr<const Pages>()> pages;  // null until the first poll ended
  std::function<TimeMs()> now;
  std::function<void()> reload;
  const report::SelfMetrics* metrics = nullptr;
};

http::ServerResponse respond(const RouteContext& context, const http::ServerRequest& request);

}  // namespace tidemark::daemon
