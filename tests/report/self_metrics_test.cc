#include "report/self_metrics.h"

#include "report/metrics_text.h"
#include "report/process_stats.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::report;
using report_samples::MetricsText;

TEST_CASE("before anything happened") {
  SelfMetrics metrics("0.1.0", "");
  metrics.add_cluster("c");
  const MetricsText text(metrics.serialize());
  CHECK(text[R"(tidemark_build_info{version="0.1.0"})"] == 1);
  CHECK(text[R"(tidemark_up{pulsar_cluster="c"})"] == 0);
  CHECK(text[R"(tidemark_poll_duration_seconds_count{pulsar_cluster="c"})"] == 0);
  CHECK_FALSE(text.has("tidemark_last_success_timestamp_seconds"));
}

TEST_CASE("polls, requests, documents and reloads") {
  SelfMetrics metrics("0.1.0", "abc");
  metrics.poll_done("c", Duration{1500}, true, 1736467200000);
  metrics.poll_done("c", Duration{20}, false, 1736467260000);
  metrics.request_done("c", "stats", 200, Duration{30});
  metrics.request_done("c", "stats", 200, Duration{300});
  metrics.request_failed("c", "stats", Errc::kTimeout, Duration{30000});
  metrics.document_rejected("c", "broker-stats/topics", Errc::kTooLarge, 3);
  metrics.document_rejected("c", "broker-stats/topics", Errc::kMalformed);
  metrics.set_brokers_partial("c", 2);
  metrics.history_used("c", {4000, 7, 8, 9, 10});
  metrics.history_used("c", {4096, 2, 3, 0, 5});
  metrics.state_written("c", 900, 1736467200000);
  metrics.state_failed("c");
  metrics.state_failed("c");
  metrics.config_loaded(true, 1736467200000);
  metrics.config_loaded(false, 1736467300000);
  const MetricsText text(metrics.serialize());
  CHECK(text[R"(tidemark_build_info{revision="abc",version="0.1.0"})"] == 1);
  CHECK(text[R"(tidemark_up{pulsar_cluster="c"})"] == 0);
  CHECK(text[R"(tidemark_poll_duration_seconds_count{pulsar_cluster="c"})"] == 2);
  CHECK(text[R"(tidemark_poll_duration_seconds_bucket{pulsar_cluster="c",le="0.1"})"] == 1);
  CHECK(text[R"(tidemark_last_success_timestamp_seconds{pulsar_cluster="c"})"] == 1736467200);
  CHECK(text[R"(tidemark_requests_total{code="200",endpoint="stats",pulsar_cluster="c"})"] == 2);
  CHECK(text[R"(tidemark_requests_total{code="timeout",endpoint="stats",pulsar_cluster="c"})"] == 1);
  CHECK(text[R"(tidemark_request_duration_seconds_count{endpoint="stats",pulsar_cluster="c"})"] == 3);
  const std::string rejected =
      R"(tidemark_documents_rejected_total{endpoint="broker-stats/topics",pulsar_cluster="c",)";
  CHECK(text[rejected + R"(reason="too_large"})"] == 3);
  CHECK(text[rejected + R"(reason="malformed"})"] == 1);
  CHECK(text[R"(tidemark_brokers_partial{pulsar_cluster="c"})"] == 2);
  CHECK(text[R"(tidemark_history_bytes{pulsar_cluster="c"})"] == 4096);
  CHECK(text[R"(tidemark_history_refused{pulsar_cluster="c",what="topics"})"] == 2);
  CHECK(text[R"(tidemark_history_refused{pulsar_cluster="c",what="cursors"})"] == 3);
  CHECK(text[R"(tidemark_history_refused{pulsar_cluster="c",what="figures"})"] == 0);
  CHECK(text[R"(tidemark_history_forgotten_total{pulsar_cluster="c"})"] == 15);
  CHECK(text[R"(tidemark_state_bytes{pulsar_cluster="c"})"] == 900);
  CHECK(text[R"(tidemark_state_last_write_timestamp_seconds{pulsar_cluster="c"})"] == 1736467200);
  CHECK(text[R"(tidemark_state_write_errors_total{pulsar_cluster="c"})"] == 2);
  CHECK(text["tidemark_config_reload_success"] == 0);
  CHECK(text["tidemark_config_last_reload_success_timestamp_seconds"] == 1736467200);
}

TEST_CASE("the process itself") {
  SelfMetrics metrics("0.1.0", "");
  const MetricsText text(metrics.serialize());
  CHECK(text["process_resident_memory_bytes"] > 100'000);
  CHECK(text["process_virtual_memory_bytes"] > text["process_resident_memory_bytes"]);
  CHECK(text["process_open_fds"] >= 3);
  CHECK(text["process_open_fds"] < text["process_max_fds"]);
  CHECK(text["process_cpu_seconds_total"] >= 0);
  const auto now = static_cast<double>(SystemClock{}.now()) / 1000;
  CHECK(text["process_start_time_seconds"] > now - 3600);
  CHECK(text["process_start_time_seconds"] < now + 60);
}

TEST_CASE("a program's name may hold anything") {
  const std::string fields = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23";
  for (const auto* name : {"(tidemark)", "(a b) c)", "(x\ny)", "()"}) {
    const auto stat = parse_stat("7 " + std::string(name) + fields + "\n");
    INFO(name);
    REQUIRE(stat.has_value());
    CHECK(stat->cpu_ticks == 11 + 12);
    CHECK(stat->start_ticks == 19);
    CHECK(stat->virtual_bytes == 20);
    CHECK(stat->resident_pages == 21);
  }
  CHECK_FALSE(parse_stat("").has_value());
  CHECK_FALSE(parse_stat("7 (x) S 1 2").has_value());
}
