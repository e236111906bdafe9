#pragma once
// Prometheus text format 0.0.4 for series in bulk: appended to one string, numbers by to_chars, no object a series (a
// registry of a million gauges takes 1.2 GB, this 0.1). HELP and TYPE come before a family's first sample, so a family
// without samples leaves no trace.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark::formats {

enum class MetricKind { kGauge, kCounter };

struct Label {
  std::string_view name;
  std::string_view value;
};

// Labels escaped once and used for many samples.
class LabelSet {
 public:
  LabelSet() = default;
  LabelSet(std::initializer_list<Label> labels);

  // The same labels and more behind them.
  LabelSet with(std::string_view name, std::string_view value) const;

  const std::string& text() const { return text_; }  // a="x",b="y"

 private:
  void add(std::string_view name, std::string_view value);
  std::string text_;
};

class MetricsWriter {
 public:
  // `out` must outlive the writer.
  explicit MetricsWriter(std::string& out) : out_(out) {}

  // All samples that follow belong to it; call it once a family. `name` and `help` must outlive its samples.
  void family(std::string_view name, MetricKind kind, std::string_view help);

  void sample(const LabelSet& labels, std::int64_t value);
  void sample(const LabelSet& labels, double value);  // NaN and infinities as Prometheus writes them

  // An empty value has no sample.
  template <class T>
  void sample(const LabelSet& labels, const std::optional<T>& value) {
    if (value) sample(labels, *value);
  }

 private:
  void begin_sample(const LabelSet& labels);

  std::string& out_;
  std::string_view name_;
  std::string_view help_;
  MetricKind kind_ = MetricKind::kGauge;
  bool announced_ = false;
};

}  // namespace tidemark::formats
