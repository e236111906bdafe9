#pragma once
// Just enough of a reader of the Prometheus text format to compare two texts and to ask for one sample.

#include <limits>
#include <map>
#include <string>

#include "support/catch.h"

namespace tidemark::report_samples {

struct MetricsText {
  std::map<std::string, double> samples;     // name{labels} -> value
  std::map<std::string, std::string> types;  // family -> type

  explicit MetricsText(const std::string& text) {
    std::size_t begin = 0;
    while (begin < text.size()) {
      const auto end = text.find('\n', begin);
      REQUIRE(end != std::string::npos);  // the last line ends, too
      read_line(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // NaN when there is none: equal to nothing.
  double operator[](const std::string& sample) const {
    const auto found = samples.find(sample);
    return found == samples.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
  }

  bool has(const std::string& family) const { return types.count(family) > 0; }

 private:
  void read_line(const std::string& line) {
    const auto split = line.rfind(' ');
    INFO(line);
    REQUIRE(split != std::string::npos);
    if (line.rfind("# TYPE ", 0) == 0) {
      CHECK(types.emplace(line.substr(7, split - 7), line.substr(split + 1)).second);
    } else if (line[0] != '#') {
      CHECK(samples.emplace(line.substr(0, split), std::stod(line.substr(split + 1))).second);
    }
  }
};

}  // namespace tidemark::report_samples
