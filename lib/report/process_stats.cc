#include "report/process_stats.h"

#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace tidemark::report {
namespace {

std::string read_file(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<double> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto got = std::from_chars(text.data(), text.data() + text.size(), number);
  if (got.ec != std::errc{}) return std::nullopt;
  return static_cast<double>(number);
}

// The epoch second at which the machine started.
std::optional<double> boot_time() {
  const auto text = read_file("/proc/stat");
  constexpr std::string_view kKey = "\nbtime ";
  const auto at = text.find(kKey);
  if (at == std::string::npos) return std::nullopt;
  return number_in(std::string_view{text}.substr(at + kKey.size()));
}

std::optional<double> count_open_fds() {
  std::error_code failed;
  std::filesystem::directory_iterator entry("/proc/self/fd", failed);
  if (failed) return std::nullopt;
  double count = -1;  // the directory itself is open while it is read
  for (; entry != std::filesystem::directory_iterator{}; entry.increment(failed)) {
    if (failed) return std::nullopt;
    ++count;
  }
  return count;
}

std::optional<double> fd_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return static_cast<double>(limit.rlim_cur);
}

}  // namespace

std::optional<StatFields> parse_stat(std::string_view text) {
  const auto name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  std::vector<std::string_view> fields;  // from the third on: proc(5) counts from 1
  while (!text.empty()) {
    const auto begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const auto length = text.find_first_of(" \n");
    fields.push_back(text.substr(0, length));
    text.remove_prefix(fields.back().size());
  }
  constexpr std::size_t kFirst = 3;
  const auto field = [&](std::size_t number) -> std::optional<double> {
    if (number - kFirst >= fields.size()) return std::nullopt;
    return number_in(fields[number - kFirst]);
  };
  const auto user = field(14);
  const auto system = field(15);
  const auto start = field(22);
  const auto size = field(23);
  const auto pages = field(24);
  if (!user || !system || !start || !size || !pages) return std::nullopt;
  return StatFields{*user + *system, *start, *size, *pages};
}

ProcessStats read_process_stats() {
  ProcessStats stats;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (const auto fields = parse_stat(read_file("/proc/self/stat")); fields && ticks > 0) {
    stats.cpu_seconds = fields->cpu_ticks / ticks;
    stats.virtual_bytes = fields->virtual_bytes;
    stats.resident_bytes = fields->resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (const auto boot = boot_time()) stats.start_time_seconds = *boot + fields->start_ticks / ticks;
  }
  stats.open_fds = count_open_fds();
  stats.max_fds = fd_limit();
  return stats;
}

}  // namespace tidemark::report
