#include "formats/metrics_reader.h"

#include <cmath>
#include <string>
#include <vector>

#include "support/catch.h"

using tidemark::formats::label_of;
using tidemark::formats::MetricSample;
using tidemark::formats::MetricsReader;

namespace {

struct Read {
  std::vector<MetricSample> samples;
  std::int64_t bad = 0;
};

Read read(std::string_view text) {
  Read got;
  MetricsReader reader(text);
  while (const auto sample = reader.next()) got.samples.push_back(*sample);
  got.bad = reader.bad_lines();
  return got;
}

MetricSample one(std::string_view line) {
  const auto got = read(line);
  INFO(line);
  REQUIRE(got.samples.size() == 1);
  return got.samples[0];
}

}  // namespace

TEST_CASE("samples with and without labels") {
  const auto got = read(
      "# TYPE bookie_SERVER_STATUS gauge\nbookie_SERVER_STATUS 1\n\n"
      "# HELP x y\nname{a=\"1\",b=\"2\"} 4.5\n");
  REQUIRE(got.samples.size() == 2);
  CHECK(got.samples[0].name == "bookie_SERVER_STATUS");
  CHECK(got.samples[0].labels.empty());
  CHECK(got.samples[0].value == 1);
  CHECK(got.samples[1].labels == "a=\"1\",b=\"2\"");
  CHECK(got.samples[1].value == 4.5);
  CHECK(got.bad == 0);
}

TEST_CASE("values as Java and Go write them") {
  CHECK(one("x 1.795E9").value == 1.795e9);
  CHECK(one("x 1.0E-5\n").value == 1.0e-5);
  CHECK(one("x -0.0").value == 0);
  CHECK(std::isnan(one("x NaN").value));
  CHECK(one("x +Inf").value == INFINITY);
  CHECK(one("x -Inf").value == -INFINITY);
  CHECK(one("x Infinity").value == INFINITY);
  CHECK(one("x -Infinity").value == -INFINITY);
  CHECK(one("x 9223372036854775807").value == 9223372036854775807.0);
}

TEST_CASE("the oddities of bookies") {
  CHECK(one("jvm_threads_current{} 59.0").labels.empty());
  CHECK(one("  x \t 2  ").value == 2);
  CHECK(one("x 2\r\n").value == 2);
  CHECK(one("x{a=\"1\"}5").value == 5);
  CHECK(one("x 5 1795988573727").value == 5);
  CHECK(one("x:y_z9 1").name == "x:y_z9");
  const auto mixed =
      one(R"(bookie_read{success="false",quantile="1.0", indexDir="/a/current",ledgerDir="/b/current"} 3)");
  CHECK(label_of(mixed.labels, "success") == "false");
  CHECK(label_of(mixed.labels, "quantile") == "1.0");
  CHECK(label_of(mixed.labels, "indexDir") == "/a/current");
  CHECK(label_of(mixed.labels, "ledgerDir") == "/b/current");
  CHECK(!label_of(mixed.labels, "Dir"));
  // 4.14.0 ends its blocks with a stray quote.
  const auto stray = one("x_count{success=\"true\", \"} 7");
  CHECK(stray.value == 7);
  CHECK(label_of(stray.labels, "success") == "true");
  CHECK(!label_of(stray.labels, "quantile"));
  CHECK(one("x{a=\"}{\",b=\"has space\"} 7").value == 7);
  CHECK(label_of(one("x{a=\"}{\",b=\"has space\"} 7").labels, "b") == "has space");
  CHECK(label_of(R"(a="q\"uo",b="2")", "a") == R"(q\"uo)");
  CHECK(label_of(R"(a="q\"uo",b="2")", "b") == "2");
  CHECK(!label_of(R"(a="never closed)", "a"));
}

TEST_CASE("families may be scattered, repeated and without TYPE") {
  const auto got = read("# TYPE a counter\na 1\nb 1\n# TYPE a counter\na{x=\"1\"} 2\na 1\n");
  CHECK(got.samples.size() == 4);
  CHECK(got.bad == 0);
}

TEST_CASE("a line that is none is counted and stepped over") {
  for (const auto* bad :
       {"<html>", "{}", "x", "x y", "x 1 2 3", "x{a=\"1\" 5", "9x 1", "x-y 1", "x 1,5", "x{} ", "x 0x10", "x }1{ 2",
        "{a=\"1\"} 2", "x 1e999", "Currently stats provider doesn't support exporting"}) {
    INFO(bad);
    const auto got = read(std::string("a 1\n") + bad + "\nb 2");
    CHECK(got.samples.size() == 2);
    CHECK(got.bad == 1);
  }
  CHECK(read("").samples.empty());
  CHECK(read("\n\n \n#\n").bad == 0);
}
