// A bookie's /metrics in the spelling of BookKeeper 4.17: no HELP lines, gauges and counters without labels or with
// both directories, JVM families with empty braces and Java's exponents, summaries that are mostly NaN and now and then
// -Infinity. The order is arbitrary, as there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/bookies.h"

namespace tidemark::sim {
namespace {

std::string mangled(const std::string& directory) {
  std::string name = directory;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!plain) c = '_';
  }
  return name;
}

// 1.795988256638E9, as Double.toString writes large numbers.
std::string java_double(double value) {
  if (value == 0) return "0.0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (exponent < 7 && exponent >= -3) {
    const std::string plain = fmt::format("{}", value);
    return plain.find('.') == std::string::npos ? plain + ".0" : plain;
  }
  std::string digits = fmt::format("{}", value / std::pow(10, exponent));
  if (digits.find('.') == std::string::npos) digits += ".0";
  return digits + "E" + std::to_string(exponent);
}

constexpr double kReadAhead = 100;  // dbStorage_readAheadCacheBatchSize

std::int64_t whole(double value) { return static_cast<std::int64_t>(value); }

class Text {
 public:
  explicit Text(std::string labels) : labels_(std::move(labels)) {}

  void plain(std::string_view name, std::string_view type, std::string_view value) {
    out_ += fmt::format("# TYPE {} {}\n{} {}\n", name, type, name, value);
  }
  void plain(std::string_view name, std::string_view type, std::int64_t value) {
    plain(name, type, std::to_string(value));
  }
  void jvm(std::string_view name, double value) {
    out_ += fmt::format("# TYPE {} gauge\n{}{{}} {}\n", name, name, java_double(value));
  }
  void of_directory(std::string_view name, std::string_view type, std::int64_t value) {
    out_ += fmt::format("# TYPE {} {}\n{}{{{}}} {}\n", name, type, name, labels_, value);
  }
  void summary(std::string_view name, bool with_directory, std::int64_t count, double median) {
    out_ += fmt::format("# TYPE {} summary\n", name);
    const std::string more = with_directory ? ", " + labels_ : "";
    for (const bool success : {false, true}) {
      const std::int64_t events = success ? count : 0;
      for (const char* quantile : {"0.5", "0.75", "0.95", "0.99", "0.999", "0.9999", "1.0"}) {
        const bool top = std::string_view{quantile} == "1.0";
        const std::string value = events > 0 ? java_double(median) : top ? "-Infinity" : "NaN";
        out_ += fmt::format("{}{{success=\"{}\",quantile=\"{}\"{}}} {}\n", name, success, quantile, more, value);
      }
      out_ += fmt::format("{}_count{{success=\"{}\"{}}} {}\n", name, success, more, events);
      out_ += fmt::format("{}_sum{{success=\"{}\"{}}} {}\n", name, success, more,
                          java_double(std::floor(median * static_cast<double>(events))));
    }
  }

  std::string take() { return std::move(out_); }

 private:
  std::string labels_;
  std::string out_;
};

}  // namespace

std::string SimBookie::metrics(TimeMs now, std::int64_t ledgers, std::int64_t ledgers_deleted) const {
  const std::string current = options_.directory + "/current";
  Text text(fmt::format("indexDir=\"{0}\",ledgerDir=\"{0}\"", current));
  text.jvm("process_start_time_seconds", static_cast<double>(started_ms_) / 1000);
  text.jvm("process_open_fds", 395);
  text.jvm("jvm_memory_direct_bytes_used", 5.0331679E7);
  text.jvm("jvm_memory_direct_bytes_max", 2.097152E8);
  // A float with seven digits; 0.0 until the first disk check.
  const bool checked = now - started_ms_ >= 10'000;
  text.plain("bookie_ledger_dir_" + mangled(options_.directory) + "_usage", "gauge",
             checked ? java_double(static_cast<double>(std::lround(usage_percent() * 1e5)) / 1e5) : "0.0");
  text.plain("bookkeeper_server_ADD_ENTRY_IN_PROGRESS", "gauge", 0);
  text.of_directory("bookie_ACTIVE_ENTRY_LOG_SPACE_BYTES", "gauge", active_seen_);
  text.of_directory("bookie_ledgers_count", "gauge", ledgers);
  text.of_directory("bookie_read_cache_size", "gauge", 0);
  text.plain("bookie_ledger_num_dirs", "gauge", 1);
  text.plain("bookie_JOURNAL_DIRS", "gauge", 1);
  text.of_directory("bookie_ACTIVE_ENTRY_LOG_TOTAL", "gauge", (active_seen_ + garbage_) >> 30);
  text.plain("bookie_SERVER_STATUS", "gauge", !registered_ ? -1 : writable_ ? 1 : 0);
  text.of_directory("bookie_entries_count", "gauge", entries_total_);
  text.plain("bookie_ledger_writable_dirs", "gauge", writable_ ? 1 : 0);
  text.of_directory("bookie_ACTIVE_LEDGER_TOTAL", "gauge", gc_runs_ > 0 ? ledgers : 0);
  text.plain("bookie_READ_BYTES", "counter", written_total_);
  text.of_directory("bookie_RECLAIMED_COMPACTION_SPACE_BYTES", "counter", reclaimed_compaction_);
  text.of_directory("bookie_ENTRY_LOCATION_COMPACTION_TOTAL", "counter", 0);
  text.of_directory("bookie_RECLAIMED_DELETION_SPACE_BYTES", "counter", reclaimed_deletion_);
  text.of_directory("bookie_MINOR_COMPACTION_TOTAL", "counter", minor_runs_);
  text.of_directory("bookie_read_cache_hits", "counter", entries_total_ / 50 + whole(cache_hits_));
  text.of_directory("bookie_RECLAIM_FAILED_TO_DELETE", "counter", 0);
  text.plain("bookie_WRITE_BYTES", "counter", written_total_);
  text.of_directory("bookie_MAJOR_COMPACTION_TOTAL", "counter", major_runs_);
  text.of_directory("bookie_DELETED_LEDGER_TOTAL", "counter", ledgers_deleted);
  text.plain("bookkeeper_server_ADD_ENTRY_REJECTED", "counter", 0);
  text.of_directory("bookie_read_cache_misses", "counter", entries_total_ / 500 + whole(fills_));
  text.summary("bookie_readahead_batch_count", false, whole(fills_), kReadAhead);
  text.summary("bookkeeper_server_ADD_ENTRY_REQUEST", false, entries_total_, 0.431);
  text.summary("bookkeeper_server_READ_ENTRY_REQUEST", false, entries_total_ / 40, 0.598);
  text.summary("bookie_flush", true, (now - started_ms_) / 60'000, 15.731);
  text.summary("bookie_THREAD_RUNTIME", true, gc_runs_, 12.25);
  text.summary("bookie_BOOKIE_ADD_ENTRY", false, entries_total_, 0.061);
  const auto own = std::max<std::int64_t>(1, written_total_ - recovered_total_);
  const auto each = std::max<std::int64_t>(1, own / std::max<std::int64_t>(1, entries_total_));
  text.summary("bookie_BOOKIE_RECOVERY_ADD_ENTRY", false, recovered_total_ / each, 0.061);
  return text.take();
}

std::string SimBookie::info() const {
  return fmt::format("{{\n  \"freeSpace\" : {},\n  \"totalSpace\" : {}\n}}", options_.capacity_bytes - used_bytes(),
                     options_.capacity_bytes);
}

std::string SimBookie::suspension() const {
  return fmt::format("{{\n  \"isMajorGcSuspended\" : \"{0}\",\n  \"isMinorGcSuspended\" : \"{0}\"\n}}", !compacts());
}

std::string SimBookie::configuration() const {
  return fmt::format("{{\n  \"diskUsageThreshold\" : \"{}\",\n  \"diskUsageLwmThreshold\" : \"{}\"\n}}",
                     settings_.threshold, settings_.low_water);
}

}  // namespace tidemark::sim
