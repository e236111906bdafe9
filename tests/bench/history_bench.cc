// How much memory the history of a cluster takes, resident, beside a plain std::unordered_map from every cursor's name
// to a number: what others would need for the names alone. Frozen cursors must cost no more after many polls.
//
//   history_bench [--cursors N] [--polls N]

#include <malloc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bench/cluster.h"
#include "detect/judge.h"
#include "history/history.h"

namespace {

using namespace tidemark;
using bench::kCursorsPerTopic;

double resident_bytes() {
  malloc_trim(0);  // what a poll took and gave back is not what is kept
  std::ifstream in("/proc/self/statm");
  double all = 0;
  double resident = 0;
  in >> all >> resident;
  return resident * 4096;
}

// One poll over the whole cluster, judged; the snapshot and the verdicts go when it ends.
void poll_once(history::History& history, std::size_t topics, std::size_t poll) {
  static const detect::Patterns patterns(detect::OriginPatterns::compile({}).value());
  const auto snapshot = bench::snapshot_of(topics, poll, 5);
  detect::judge(*snapshot, history, patterns, detect::Limits{});
  history.forget_unseen(snapshot->at_ms);
}

void print(const char* what, double bytes, std::size_t cursors, double names) {
  std::printf("%-34s %6.1f bytes a cursor, %7.1f MB, %.2f times the map of names\n", what,
              bytes / static_cast<double>(cursors), bytes / 1e6, bytes / names);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t cursors = 3000000;
  std::size_t polls = 10;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--cursors") cursors = value;
    if (name == "--polls") polls = value;
  }
  const auto topics = cursors / kCursorsPerTopic;
  auto before = resident_bytes();
  std::unordered_map<std::string, std::int64_t> map;
  for (std::size_t t = 0; t < topics; ++t) {
    for (const auto& cursor : bench::topic_of(t, bench::kStart, 0, 5).cursors)
      map[bench::topic_name(t) + '/' + cursor.name] = 1;
  }
  const auto names = resident_bytes() - before;
  print("unordered_map<string, int64>", names, cursors, names);
  map = {};
  before = resident_bytes();
  history::History history;
  poll_once(history, topics, 1);
  poll_once(history, topics, 2);
  const auto early = resident_bytes() - before;
  print("history after 2 polls", early, cursors, names);
  for (std::size_t poll = 3; poll <= polls; ++poll) poll_once(history, topics, poll);
  const auto late = resident_bytes() - before;
  std::string when = "history after " + std::to_string(polls) + " polls";
  print(when.c_str(), late, cursors, names);
  print("by its own count", static_cast<double>(history.bytes()), cursors, names);
  return history.cursors() == topics * kCursorsPerTopic ? 0 : 1;
}
