#include "bookie/metrics.h"

#include <cmath>
#include <fstream>
#include <iterator>

#include "formats/metrics_reader.h"
#include "support/catch.h"

using namespace tidemark;
using bookie::decode_metrics;

namespace {

std::string sample(const std::string& version) {
  std::ifstream in(std::string(TIDEMARK_TEST_DATA) + "/pulsar-samples/" + version + "/bookie-metrics.txt");
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

constexpr const char* kDir = "_data_bk0_ledgers";

}  // namespace

TEST_CASE("metrics of real bookies") {
  const struct {
    const char* pulsar;
    const char* bookkeeper;
    int status, writable;
    double percent;
  } kWants[] = {
      {"2.8.2", "4.14.3", 1, 1, 74.72548}, {"4.0.7", "4.17.2", 0, 0, 91.69922}, {"5.0.1", "4.18.2", 1, 1, 37.015205}};
  for (const auto& want : kWants) {
    INFO(want.bookkeeper);
    const auto text = sample(want.pulsar);
    const auto metrics = decode_metrics(text).value();
    CHECK(metrics.bad_lines == 0);
    CHECK(metrics.view.reachable);
    CHECK(metrics.view.status == want.status);
    CHECK(metrics.view.writable_dirs == want.writable);
    REQUIRE(metrics.view.dir_usage_ratio.size() == 1);
    CHECK(near(metrics.view.dir_usage_ratio.at(kDir), want.percent / 100));

    // Every line that is neither blank nor a comment is a sample.
    std::int64_t lines = 0;
    std::int64_t samples = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      lines += text[at] != '#' && text[at] != '\n';
    formats::MetricsReader reader(text);
    while (reader.next()) ++samples;
    CHECK(samples == lines);
    CHECK(samples > 800);
  }
}

TEST_CASE("what a bookie holds and was given to copy") {
  const auto view = decode_metrics(sample("4.0.7")).value().view;
  CHECK(view.live_bytes == 35511010);
  CHECK(view.recovered_bytes == 0);
  CHECK_FALSE(decode_metrics(sample("5.0.1")).value().view.live_bytes);  // nothing was collected yet
  const auto copies =
      decode_metrics(
          "bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES{ledgerDir=\"/a/current\"} 1.0E3\nbookie_WRITE_BYTES 4000\n"
          "bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES{ledgerDir=\"/b/current\"} 500\n"
          "bookie_BOOKIE_ADD_ENTRY_count{success=\"false\"} 900\nbookie_BOOKIE_ADD_ENTRY_count{success=\"true\"} 30\n"
          "bookie_BOOKIE_RECOVERY_ADD_ENTRY_count{success=\"true\"} 10\n")
          .value()
          .view;
  CHECK(copies.live_bytes == 1500);
  CHECK(copies.recovered_bytes == 1000);
  const auto partly = decode_metrics(
                          "bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES{ledgerDir=\"/a/current\"} 0\n"
                          "bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES{ledgerDir=\"/b/current\"} 500\n")
                          .value()
                          .view;
  CHECK_FALSE(partly.live_bytes);
  CHECK_FALSE(partly.recovered_bytes);
}

TEST_CASE("what is no share of a disk is not its usage") {
  for (const std::string usage : {"1e300", "100.5", "-5", "+Inf"}) {
    const auto decoded = decode_metrics("bookie_SERVER_STATUS 1\nbookie_ledger_dir__a_usage " + usage + "\n");
    REQUIRE(decoded.has_value());
    CHECK(decoded->view.dir_usage_ratio.empty());
  }
}

TEST_CASE("a just started bookie does not know its usage yet") {
  const auto view = decode_metrics(
                        "bookie_SERVER_STATUS -1\nbookie_ledger_dir__a_usage 0.0\nbookie_ledger_dir__b_usage NaN\n"
                        "bookie_ledger_dir_data_c_usage 50\nbookie_ledger_writable_dirs 3\n")
                        .value()
                        .view;
  CHECK(view.status == -1);
  CHECK(view.writable_dirs == 3);
  CHECK(view.dir_usage_ratio == std::map<std::string, double>{{"data_c", 0.5}});
}

TEST_CASE("garbage collection and read cache, by all dialects") {
  const auto running = decode_metrics(sample("4.0.7")).value().view;
  CHECK(running.live_bytes == 35511010);
  CHECK(running.logs.reclaimed_bytes == 0);
  CHECK(running.logs.collections == 16);
  CHECK_FALSE(running.logs.total_bytes);
  CHECK(running.read_cache.hits == 0);
  CHECK(running.read_cache.entries == 0);
  const auto newest = decode_metrics(sample("5.0.1")).value().view;
  CHECK_FALSE(newest.live_bytes);  // 0: no run has seen any
  CHECK(newest.logs.total_bytes == 0);
  CHECK(newest.logs.collections == 9);
  const auto oldest = decode_metrics(sample("2.8.2")).value().view;
  CHECK(oldest.logs.collections == 2);
  CHECK(oldest.logs.reclaimed_bytes == 0);
  CHECK(oldest.read_cache.hits == 0);
  CHECK(oldest.read_cache.misses == 0);
}

TEST_CASE("figures of several directories are sums, of a summary what succeeded") {
  const auto view = decode_metrics(R"(bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES{ledgerDir="/a/current"} 5
bookie_RECLAIMED_DELETION_SPACE_BYTES{ledgerDir="/a/current"} 10
bookie_RECLAIMED_COMPACTION_SPACE_BYTES{ledgerDir="/a/current"} 1.0E2
bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES{ledgerDir="/b/current"} 7
bookie_THREAD_RUNTIME_count{success="false", ledgerDir="/a/current"} 90
bookie_THREAD_RUNTIME_count{success="true", ledgerDir="/a/current"} 3
bookie_THREAD_RUNTIME_count{success="true", ledgerDir="/b/current"} 4
bookie_read_cache_hits{success="true",quantile="0.5"} 12
bookie_read_cache_hits_count{success="true"} 8
bookie_read_cache_misses{thread="?"} NaN
bookie_readahead_batch_count_sum{success="true"} 400.0
bookie_readahead_batch_count_count{success="true"} 4
)")
                        .value()
                        .view;
  CHECK(view.live_bytes == 12);
  CHECK(view.logs.reclaimed_bytes == 110);
  CHECK(view.logs.collections == 7);
  CHECK(view.read_cache.hits == 8);
  CHECK_FALSE(view.read_cache.misses);
  CHECK(view.read_cache.entries == 400);
  CHECK(view.read_cache.fills == 4);
}

TEST_CASE("names that look alike are left alone") {
  const auto view =
      decode_metrics(
          "bookie_dir__data_bk0_ledgers_usage 12\nbookie_writable_dirs 1\nbookie_index_dir__data_index_usage 30\n"
          "bookie_ledger_dir__usage 5\nbookie_ledger_num_dirs 2\nbookie_SERVER_STATUS_X 1\n")
          .value()
          .view;
  CHECK(!view.status);
  CHECK(!view.writable_dirs);
  CHECK(view.dir_usage_ratio.empty());
}

TEST_CASE("damaged lines are counted, the rest counts") {
  const auto metrics =
      decode_metrics("garbage\nbookie_SERVER_STATUS 0\nbookie_ledger_writable_dirs many\n<br>").value();
  CHECK(metrics.bad_lines == 3);
  CHECK(metrics.view.status == 0);
  CHECK(!metrics.view.writable_dirs);
  CHECK(!decode_metrics("bookie_SERVER_STATUS NaN").value().view.status);
}

TEST_CASE("what is no bookie's text") {
  for (const auto* text : {"", "<html></html>", "pulsar_topics_count 5\n", "{\"reason\":\"no\"}",
                           "Currently stats provider doesn't support exporting metrics in http service\n"}) {
    INFO(text);
    CHECK(decode_metrics(text).error().code() == Errc::kMalformed);
  }
}

TEST_CASE("of a bookie that tells of directories without end the first ones are taken") {
  for (const bool blank : {false, true}) {
    std::string text = "bookie_SERVER_STATUS 1\n";
    for (std::size_t i = 0; i < bookie::kMostDirs + 1000; ++i) {
      text += "bookie_ledger_dir_" + std::to_string(i) + "_usage " + (blank ? "0.0" : "50.0") + "\n";
    }
    text += "bookie_ledger_dir_0_usage 75.0\nbookie_ledger_writable_dirs 3\n";
    const auto metrics = decode_metrics(text).value();
    CHECK(metrics.view.dir_usage_ratio.size() == (blank ? 0 : bookie::kMostDirs));
    CHECK(metrics.blank_dirs.size() == (blank ? bookie::kMostDirs : 0));
    CHECK(metrics.more_dirs == (blank ? 1001 : 1000));
    if (!blank) CHECK(metrics.view.dir_usage_ratio.at("0") == 0.75);  // told again: it is no new one
    CHECK(metrics.view.writable_dirs == 3);
  }
}
