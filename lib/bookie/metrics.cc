#include "bookie/metrics.h"

#include <cmath>
#include <optional>
#include <string>

#include "formats/metrics_reader.h"

namespace tidemark::bookie {
namespace {

constexpr std::string_view kDirPrefix = "bookie_ledger_dir_";
constexpr std::string_view kDirSuffix = "_usage";
constexpr double kPercent = 100;

std::optional<int> small_integer(double value) {
  if (!(std::abs(value) < 1e6)) return std::nullopt;
  return static_cast<int>(value);
}

// A bookie says 0.0 until its first disk check (10 s after its start), so 0 is no figure. NaN: a disk of no size.
bool known_usage(double percent) { return std::isfinite(percent) && percent > 0; }

void take(const formats::MetricSample& sample, Metrics& metrics) {
  auto& view = metrics.view;
  if (sample.name == "bookie_SERVER_STATUS") {
    view.status = small_integer(sample.value);
  } else if (sample.name == "bookie_ledger_writable_dirs") {
    view.writable_dirs = small_integer(sample.value);
  } else if (sample.name.starts_with(kDirPrefix) && sample.name.ends_with(kDirSuffix) &&
             sample.name.size() > kDirPrefix.size() + kDirSuffix.size()) {
    auto dir = sample.name.substr(kDirPrefix.size());
    dir.remove_suffix(kDirSuffix.size());
    if (known_usage(sample.value)) {
      view.dir_usage_ratio.insert_or_assign(std::string(dir), sample.value / kPercent);
    } else {
      metrics.blank_dirs.emplace_back(dir);
    }
  }
}

}  // namespace

Result<Metrics> decode_metrics(std::string_view text) {
  Metrics metrics;
  bool of_bookie = false;
  formats::MetricsReader reader(text);
  while (const auto sample = reader.next()) {
    of_bookie = of_bookie || sample->name.starts_with("bookie_");
    take(*sample, metrics);
  }
  if (!of_bookie) return Error{Errc::kMalformed, "bookie metrics: no metric of a bookie in the text"};
  metrics.view.reachable = true;
  metrics.bad_lines = reader.bad_lines();
  return metrics;
}

}  // namespace tidemark::bookie
