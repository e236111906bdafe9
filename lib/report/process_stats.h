#pragma once
// The usual process_* figures, which prometheus-cpp does not bring: read from /proc at each scrape. Empty where the
// system does not tell.

#include <optional>
#include <string_view>

namespace tidemark::report {

struct ProcessStats {
  std::optional<double> cpu_seconds;
  std::optional<double> resident_bytes;
  std::optional<double> virtual_bytes;
  std::optional<double> start_time_seconds;  // since the epoch
  std::optional<double> open_fds;
  std::optional<double> max_fds;
};

ProcessStats read_process_stats();

// The figures in /proc/self/stat. The second field is the program's name in brackets, which may hold anything.
struct StatFields {
  double cpu_ticks = 0;
  double start_ticks = 0;  // since boot
  double virtual_bytes = 0;
  double resident_pages = 0;
};
std::optional<StatFields> parse_stat(std::string_view text);

}  // namespace tidemark::report
