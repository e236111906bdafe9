// Decodes a broker-stats document as the daemon does (64 KiB reads, splitter, one topic at a time, only sums kept) and
// says how fast and in how much memory; then lets jq read the same file, as a measure of the machine.
//
//   sweep_bench [--no-jq] [--max-extra-mb N] FILE
// Fails when a topic was lost, or when it took more memory than N (default 16) MB.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "pulsar/topic_sweep.h"

namespace {

using tidemark::Result;

constexpr std::size_t kReadBytes = std::size_t{64} * 1024;
constexpr std::size_t kMaxTopicBytes = std::size_t{4} * 1024 * 1024;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A line of /proc/self/status, in kB.
long status_kb(const char* key) {
  long value = -1;
  std::FILE* status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return value;
  char line[256];
  while (std::fgets(line, sizeof line, status) != nullptr) {
    if (std::strncmp(line, key, std::strlen(key)) == 0) value = std::strtol(line + std::strlen(key), nullptr, 10);
  }
  std::fclose(status);
  return value;
}

struct Totals {
  std::uint64_t bytes = 0;
  std::int64_t topics = 0, subscriptions = 0, consumers = 0, backlog = 0, lost = 0;
};

Result<Totals> decode(std::FILE* in) {
  Totals totals;
  auto splitter =
      tidemark::pulsar::split_sweep(kMaxTopicBytes, [&totals](auto path, std::string_view item) -> Result<void> {
        const auto topic = tidemark::pulsar::decode_sweep_topic(path.back(), item);
        if (topic.has_error()) {
          ++totals.lost;
          return {};
        }
        ++totals.topics;
        for (const auto& subscription : topic->subscriptions) {
          ++totals.subscriptions;
          totals.consumers += subscription.consumers.value_or(0);
          totals.backlog += subscription.backlog_entries;
        }
        return {};
      });
  static std::array<char, kReadBytes> piece;
  while (const auto got = std::fread(piece.data(), 1, piece.size(), in)) {
    totals.bytes += got;
    if (auto fed = splitter.feed({piece.data(), got}); fed.has_error()) return fed.error();
  }
  if (auto ended = splitter.finish(); ended.has_error()) return ended.error();
  totals.lost += splitter.skipped_items();
  return totals;
}

struct Jq {
  bool ran = false;
  double seconds = 0;
  double cpu = 0;
  double peak_mb = 0;
};

Jq run_jq(const char* file) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    execlp("jq", "jq", "-n", "inputs|length", file, static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return {};
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0, seconds_since(start),
          seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

int measure(const char* file, bool with_jq, double max_extra_mb) {
  std::FILE* in = std::fopen(file, "rb");
  if (in == nullptr) {
    std::perror(file);
    return 2;
  }
  std::setvbuf(in, nullptr, _IONBF, 0);
  const long before_kb = status_kb("VmRSS:");
  const auto start = std::chrono::steady_clock::now();
  const auto decoded = decode(in);
  const double seconds = seconds_since(start);
  const double cpu = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const double extra_mb = static_cast<double>(status_kb("VmHWM:") - before_kb) / 1024;
  std::fclose(in);
  if (decoded.has_error()) {
    std::fprintf(stderr, "%s: %s\n", file, decoded.error().text().c_str());
    return 1;
  }
  const double megabytes = static_cast<double>(decoded->bytes) / 1e6;
  std::printf("%.1f MB, %lld topics, %lld subscriptions, %lld consumers, %lld lost\n", megabytes,
              static_cast<long long>(decoded->topics), static_cast<long long>(decoded->subscriptions),
              static_cast<long long>(decoded->consumers), static_cast<long long>(decoded->lost));
  std::printf("tidemark: %.3f s (%.3f s of processor), %.0f MB/s, peak extra memory %.1f MiB\n", seconds, cpu,
              megabytes / seconds, extra_mb);
  if (with_jq) {
    const Jq jq = run_jq(file);
    if (jq.ran) {
      std::printf("jq:       %.3f s (%.3f s of processor), %.0f MB/s, peak memory %.0f MiB\n", jq.seconds, jq.cpu,
                  megabytes / jq.seconds, jq.peak_mb);
      std::printf("tidemark is %.1f times as fast, %.1f times by processor\n", jq.seconds / seconds, jq.cpu / cpu);
    } else {
      std::printf("jq: not installed, or it failed\n");
    }
  }
  return decoded->lost == 0 && extra_mb <= max_extra_mb ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  bool with_jq = true;
  double max_extra_mb = 16;
  const char* file = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-jq") == 0) {
      with_jq = false;
    } else if (std::strcmp(argv[i], "--max-extra-mb") == 0 && i + 1 < argc) {
      max_extra_mb = std::strtod(argv[++i], nullptr);
    } else {
      file = argv[i];
    }
  }
  if (file == nullptr) {
    std::fprintf(stderr, "usage: sweep_bench [--no-jq] [--max-extra-mb N] FILE\n");
    return 2;
  }
  return measure(file, with_jq, max_extra_mb);
}
