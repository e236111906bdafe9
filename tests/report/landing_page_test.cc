#include "report/landing_page.h"

#include "report/samples.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;

namespace {

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("the page lists the worst and where the rest is") {
  const auto verdicts = report_samples::verdicts();
  const auto page = landing_page({{"prod <eu>", &verdicts, {"broker-1:8080: timed out"}}}, "0.1.0");
  for (const auto* link : {"/metrics", "/api/v1/findings", "/api/v1/cursors", "/-/healthy", "/-/ready"}) {
    CHECK(holds(page, "href=\"" + std::string(link) + "\""));
  }
  CHECK(holds(page, "prod &lt;eu&gt;"));
  CHECK(holds(page, "billing"));
  CHECK(holds(page, "worker-*"));
  CHECK(holds(page, "held_without_cursor"));
  CHECK(holds(page, "broker-1:8080: timed out"));
  CHECK(holds(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK_FALSE(holds(page, "<script"));
  CHECK_FALSE(holds(page, "\x1b"));
  CHECK_FALSE(holds(page, "src="));
  CHECK_FALSE(holds(page, "http"));
}

TEST_CASE("before the first poll, and with nothing found") {
  const model::Verdicts nothing;
  const auto page = landing_page({{"a", nullptr, {}}, {"b", &nothing, {}}}, "0.1.0");
  CHECK(holds(page, "The first poll has not ended yet."));
  CHECK(holds(page, "No findings."));
}
