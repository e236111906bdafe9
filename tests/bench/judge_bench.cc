// How many cursors a second are judged on one core, beside a pass that only copies and hashes the same data (names,
// positions, times), as a measure of the machine; bench/cluster.h says of what cluster.
//
//   judge_bench [--cursors N] [--polls N] [--left PERCENT]

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cluster.h"
#include "detect/judge.h"
#include "history/history.h"

namespace {

using namespace tidemark;
using bench::kCursorsPerTopic;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Arguments {
  std::size_t cursors = 500000;
  std::size_t polls = 4;
  std::size_t left_percent = 5;
};

// Every byte that a verdict is made of is copied once and hashed once.
std::size_t copy_and_hash(const model::Snapshot& snapshot) {
  std::size_t sum = 0;
  std::string copy;
  const auto add = [&](const auto& plain) { copy.append(reinterpret_cast<const char*>(&plain), sizeof plain); };
  for (const auto& topic : snapshot.topics) {
    copy = topic->name;
    for (const auto& ledger : topic->ledgers.list()) add(ledger);
    for (const auto& cursor : topic->cursors) {
      copy += cursor.name;
      add(*cursor.mark_delete);
      add(cursor.position_at_ms);
      add(cursor.consumers_at_ms);
      add(*cursor.backlog_entries);
      for (const auto& range : cursor.acked) add(range);
    }
    sum += std::hash<std::string_view>{}(copy);
  }
  return sum;
}

Arguments read(int argc, char** argv) {
  Arguments read;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--cursors") read.cursors = value;
    if (name == "--polls") read.polls = value;
    if (name == "--left") read.left_percent = value;
  }
  return read;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = read(argc, argv);
  const auto topics = arguments.cursors / kCursorsPerTopic;
  history::History history;
  const detect::Patterns patterns(detect::OriginPatterns::compile({}).value());
  const detect::Limits limits;
  double judging = 0;
  double copying = 0;
  std::size_t judged = 0;
  std::size_t findings = 0;
  std::size_t hash = 0;
  for (std::size_t poll = 0; poll <= arguments.polls; ++poll) {
    const auto snapshot = bench::snapshot_of(topics, poll, arguments.left_percent);
    auto start = std::chrono::steady_clock::now();
    hash += copy_and_hash(*snapshot);
    const auto copied = seconds_since(start);
    start = std::chrono::steady_clock::now();
    const auto verdicts = detect::judge(*snapshot, history, patterns, limits);
    if (poll == 0) continue;  // makes the history
    judging += seconds_since(start);
    copying += copied;
    judged += verdicts.cursors.size();
    findings += verdicts.findings.size();
  }
  const auto count = static_cast<double>(judged);
  std::printf("judged        %.2f million cursors/s (%zu in %zu polls, %.1f %% with findings)\n", count / judging / 1e6,
              judged, arguments.polls, 100 * static_cast<double>(findings) / count);
  std::printf("copy and hash %.2f million cursors/s (%zx)\n", count / copying / 1e6, hash);
  std::printf("ratio         %.1f times the time of copy and hash\n", judging / copying);
  std::printf("history       %.0f bytes a cursor\n",
              static_cast<double>(history.bytes()) / static_cast<double>(history.cursors()));
  return judged == topics * kCursorsPerTopic * arguments.polls ? 0 : 1;
}
