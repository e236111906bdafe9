#include "bookie/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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

// A bookie says 0.0 until its first disk check (10 s after its start), so 0 is no figure. NaN: a disk of no size. What
// is no share at all is none either.
bool known_usage(double percent) { return percent > 0 && percent <= kPercent; }

// Summed over directories, where it says so for each.
struct Sums {
  std::optional<double> live;
  bool collected = true;  // each directory was, once at least
  std::optional<double> written;
  double added = 0;
  double recovered = 0;
};

bool succeeded(const formats::MetricSample& sample) {
  return formats::label_of(sample.labels, "success") == "true" && sample.value >= 0;
}

void take(const formats::MetricSample& sample, Sums& sums) {
  if (sample.name == "bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES") {
    sums.live = sums.live.value_or(0) + sample.value;
    sums.collected = sums.collected && sample.value > 0;
  } else if (sample.name == "bookie_WRITE_BYTES") {
    sums.written = sample.value;
  } else if (sample.name == "bookie_BOOKIE_ADD_ENTRY_count" && succeeded(sample)) {
    sums.added += sample.value;
  } else if (sample.name == "bookie_BOOKIE_RECOVERY_ADD_ENTRY_count" && succeeded(sample)) {
    sums.recovered += sample.value;
  }
}

// Empty where it is no number of bytes.
std::optional<std::int64_t> bytes_of(double value) {
  constexpr double kMost = 9e18;
  if (!(value >= 0) || value > kMost) return std::nullopt;
  return std::llround(value);
}

void fill(const Sums& sums, model::BookieView& view) {
  if (sums.live && sums.collected) view.live_bytes = bytes_of(*sums.live);
  if (!sums.written) return;
  const auto entries = sums.added + sums.recovered;
  view.recovered_bytes = entries > 0 ? bytes_of(*sums.written * sums.recovered / entries) : 0;
}

// Figures that are summed over what is labelled apart: directories, threads. Of a summary only what succeeded.
struct Summed {
  std::string_view name;
  bool summary;
  std::optional<std::int64_t>& (*figure)(model::BookieView&);
};

using View = model::BookieView;
constexpr std::array kSummed{
    Summed{"bookie_ENTRY_LOG_SPACE_BYTES", false, [](View& v) -> auto& { return v.logs.total_bytes; }},
    Summed{"bookie_RECLAIMED_DELETION_SPACE_BYTES", false, [](View& v) -> auto& { return v.logs.reclaimed_bytes; }},
    Summed{"bookie_RECLAIMED_COMPACTION_SPACE_BYTES", false, [](View& v) -> auto& { return v.logs.reclaimed_bytes; }},
    Summed{"bookie_THREAD_RUNTIME_count", true, [](View& v) -> auto& { return v.logs.collections; }},
    Summed{"bookie_read_cache_hits", false, [](View& v) -> auto& { return v.read_cache.hits; }},
    Summed{"bookie_read_cache_hits_count", true, [](View& v) -> auto& { return v.read_cache.hits; }},  // 4.14
    Summed{"bookie_read_cache_misses", false, [](View& v) -> auto& { return v.read_cache.misses; }},
    Summed{"bookie_read_cache_misses_count", true, [](View& v) -> auto& { return v.read_cache.misses; }},
    Summed{"bookie_readahead_batch_count_count", true, [](View& v) -> auto& { return v.read_cache.fills; }},
    Summed{"bookie_readahead_batch_count_sum", true, [](View& v) -> auto& { return v.read_cache.entries; }},
};

void add(const formats::MetricSample& sample, model::BookieView& view) {
  constexpr double kMost = 1e18;
  const auto* known =
      std::find_if(kSummed.begin(), kSummed.end(), [&](const auto& s) { return s.name == sample.name; });
  if (known == kSummed.end() || !(sample.value >= 0 && sample.value < kMost)) return;
  // In 4.14 the bare name of what is a summary there is a quantile.
  if (known->summary ? formats::label_of(sample.labels, "success") != "true"
                     : formats::label_of(sample.labels, "quantile").has_value())
    return;
  auto& figure = known->figure(view);
  figure = figure.value_or(0) + std::llround(sample.value);
}

void take_dir(std::string_view dir, double percent, Metrics& metrics) {
  auto& known = metrics.view.dir_usage_ratio;
  auto& blank = metrics.blank_dirs;
  if (known.size() + blank.size() >= kMostDirs && !known.contains(std::string(dir))) {
    ++metrics.more_dirs;
  } else if (known_usage(percent)) {
    known.insert_or_assign(std::string(dir), percent / kPercent);
  } else {
    blank.emplace_back(dir);
  }
}

void take(const formats::MetricSample& sample, Metrics& metrics) {
  add(sample, metrics.view);
  auto& view = metrics.view;
  if (sample.name == "bookie_SERVER_STATUS") {
    view.status = small_integer(sample.value);
  } else if (sample.name == "bookie_ledger_writable_dirs") {
    view.writable_dirs = small_integer(sample.value);
  } else if (sample.name.starts_with(kDirPrefix) && sample.name.ends_with(kDirSuffix) &&
             sample.name.size() > kDirPrefix.size() + kDirSuffix.size()) {
    auto dir = sample.name.substr(kDirPrefix.size());
    dir.remove_suffix(kDirSuffix.size());
    take_dir(dir, sample.value, metrics);
  }
}

}  // namespace

Result<Metrics> decode_metrics(std::string_view text) {
  Metrics metrics;
  Sums sums;
  bool of_bookie = false;
  formats::MetricsReader reader(text);
  while (const auto sample = reader.next()) {
    of_bookie = of_bookie || sample->name.starts_with("bookie_");
    take(*sample, metrics);
    take(*sample, sums);
  }
  if (!of_bookie) {
    return Error{Errc::kMalformed,
                 "no metric of a bookie in the text: another server, or a bookie without PrometheusMetricsProvider; "
                 "give the port of the bookies' metrics as clusters[].bookies.metrics_port, or their URLs"};
  }
  fill(sums, metrics.view);
  metrics.view.reachable = true;
  metrics.bad_lines = reader.bad_lines();
  return metrics;
}

}  // namespace tidemark::bookie
