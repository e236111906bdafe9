// How many cursors a second are judged on one core, beside a pass that only copies and hashes the same data (names,
// positions, times), as a measure of the machine. The data: topic names of 60 bytes, 5 cursors a topic, 30 % of the
// cursor names unique, 5 % of the cursors with holes, 10 % moving each poll, and some left without a consumer.
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

#include "detect/judge.h"
#include "history/history.h"

namespace {

using namespace tidemark;

constexpr std::size_t kCursorsPerTopic = 5;
constexpr std::size_t kTopicName = 60;
constexpr TimeMs kStart = 1735776000000;
constexpr TimeMs kInterval = 60000;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string topic_name(std::size_t index) {
  auto name = "persistent://acme/shop/orders-" + std::to_string(index) + "-";
  name.resize(kTopicName, 'x');
  return name;
}

struct Arguments {
  std::size_t cursors = 500000;
  std::size_t polls = 4;
  std::size_t left_percent = 5;
};

model::CursorView cursor_of(std::size_t topic, std::size_t index, TimeMs now, std::size_t poll,
                            std::size_t left_percent) {
  const auto number = topic * kCursorsPerTopic + index;
  model::CursorView cursor;
  cursor.name = number % 10 < 3 ? "worker-" + std::to_string(number) : "service-" + std::to_string(index);
  const bool moves = number % 10 == 9;
  const bool holed = number % 20 == 7;
  const bool left = !moves && !holed && (number * 37) % 100 < left_percent;
  const auto step = moves ? static_cast<std::int64_t>(poll) : 0;
  cursor.mark_delete = moves || holed || left ? model::Position{101, 19 + step} : model::Position{103, 49};
  cursor.position_at_ms = cursor.consumers_at_ms = cursor.stats_at_ms = cursor.backlog_at_ms = now;
  cursor.consumers = left ? 0 : 1;
  cursor.type = "Shared";
  cursor.backlog_entries = moves || holed || left ? 230 - step : 0;
  cursor.cursor_state = "Open";
  cursor.flow_ms = left ? kStart - 86400000 : now;
  if (holed) {
    cursor.acked = {{{101, 29}, {101, 99}}, {{102, -1}, {102, 9}}};
    *cursor.backlog_entries -= 80;
  }
  return cursor;
}

std::shared_ptr<const model::Snapshot> snapshot_of(const Arguments& arguments, std::size_t poll) {
  const auto topics = arguments.cursors / kCursorsPerTopic;
  auto snapshot = std::make_shared<model::Snapshot>();
  snapshot->at_ms = kStart + static_cast<TimeMs>(poll) * kInterval;
  snapshot->version = "4.0.7";
  for (std::size_t t = 0; t < topics; ++t) {
    auto topic = std::make_shared<model::TopicView>();
    topic->name = topic_name(t);
    topic->ns = "acme/shop";
    topic->loaded = model::Loaded::kYes;
    topic->sweep_at_ms = topic->stats_at_ms = topic->internal_at_ms = snapshot->at_ms;
    topic->ledgers =
        model::Ledgers{{{101, 100, 1000, {}, false}, {102, 100, 1000, {}, false}, {103, 50, 500, {}, false}}};
    for (std::size_t c = 0; c < kCursorsPerTopic; ++c)
      topic->cursors.push_back(cursor_of(t, c, snapshot->at_ms, poll, arguments.left_percent));
    snapshot->topics.push_back(std::move(topic));
  }
  return snapshot;
}

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
    const auto snapshot = snapshot_of(arguments, poll);
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
