#include "formats/metrics_writer.h"

#include <limits>

#include "support/catch.h"

using namespace tidemark::formats;

TEST_CASE("HELP and TYPE once a family, and only when it has samples") {
  std::string out;
  MetricsWriter metrics{out};
  metrics.family("a", MetricKind::kGauge, "First, with \\ and\nnewline and \"quote\".");
  metrics.sample({}, std::int64_t{1});
  metrics.sample({{"x", "y"}}, 2.5);
  metrics.family("empty", MetricKind::kGauge, "Nothing.");
  metrics.sample({}, std::optional<double>{});
  metrics.family("b_total", MetricKind::kCounter, "Second.");
  metrics.sample({{"x", "1"}, {"y", "2"}}, std::optional<std::int64_t>{-7});
  CHECK(out ==
        "# HELP a First, with \\\\ and\\nnewline and \"quote\".\n"
        "# TYPE a gauge\n"
        "a 1\n"
        "a{x=\"y\"} 2.5\n"
        "# HELP b_total Second.\n"
        "# TYPE b_total counter\n"
        "b_total{x=\"1\",y=\"2\"} -7\n");
}

TEST_CASE("label values are escaped and mended") {
  struct Row {
    std::string value;
    std::string text;
  };
  const std::vector<Row> rows{
      {"", R"(l="")"},
      {R"(a"b\c)", R"(l="a\"b\\c")"},
      {"a\nb", R"(l="a\nb")"},
      {"caf\xC3\xA9", "l=\"caf\xC3\xA9\""},
      {"\xFF", "l=\"\xEF\xBF\xBD\""},
      {"tab\there", "l=\"tab\there\""},
  };
  for (const auto& row : rows) {
    CHECK(LabelSet{{"l", row.value}}.text() == row.text);
  }
  const LabelSet base{{"a", "1"}};
  CHECK(base.with("b", "\"").text() == R"(a="1",b="\"")");
  CHECK(base.text() == R"(a="1")");
  CHECK(LabelSet{}.with("b", "2").text() == R"(b="2")");
}

TEST_CASE("values") {
  const auto written = [](auto value) {
    std::string out;
    MetricsWriter metrics{out};
    metrics.family("m", MetricKind::kGauge, "x");
    metrics.sample({}, value);
    return out.substr(out.rfind("m ") + 2);
  };
  CHECK(written(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807\n");
  CHECK(written(1736467200.125) == "1736467200.125\n");
  CHECK(written(0.1) == "0.1\n");
  CHECK(written(1736400000.0) == "1736400000\n");
  CHECK(written(1e21) == "1e+21\n");
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "NaN\n");
  CHECK(written(std::numeric_limits<double>::infinity()) == "+Inf\n");
  CHECK(written(-std::numeric_limits<double>::infinity()) == "-Inf\n");
}
