#pragma once
// Reads Prometheus text as bookies write it: samples are pulled one by one, nothing is copied and nothing is kept.
// Bookies have no HELP, repeat TYPE, scatter the series of a family, mix ", " with "," in one label block, write empty
// braces, NaN and -Infinity, and do not escape label values. So a line counts if it has a name and a value; one that
// has not is counted and stepped over, never the end of the scrape.

#include <cstdint>
#include <optional>
#include <string_view>

namespace tidemark::formats {

// Views into the text.
struct MetricSample {
  std::string_view name;
  std::string_view labels;  // as written between the braces; empty without
  double value = 0;
};

class MetricsReader {
 public:
  // `text` must outlive the reader and the samples.
  explicit MetricsReader(std::string_view text) : rest_(text) {}

  // The next sample; empty at the end. Comments are passed over.
  std::optional<MetricSample> next();

  std::int64_t bad_lines() const { return bad_lines_; }

 private:
  std::string_view rest_;
  std::int64_t bad_lines_ = 0;
};

// The value of one label as written (not unescaped); empty without it.
std::optional<std::string_view> label_of(std::string_view labels, std::string_view name);

}  // namespace tidemark::formats
