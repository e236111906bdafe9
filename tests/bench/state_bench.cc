// What keeping the state on disk costs (docs/adr/0005-state.md): the state file, which appends what changed; the same
// written as a whole at every poll; and SQLite with a row a topic. Topic names of 60 bytes, 5 cursors a topic, 30 % of
// the cursor names unique, numbers and times as random as they are. Between two polls 10 % of the cursors change, by
// topics that are busy (`--spread 0`), or one on each second topic (`--spread 1`).
//
//   state_bench FOLDER [--cursors N] [--polls N] [--spread 0|1]

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "history/state.h"

namespace {

using namespace tidemark;
namespace fs = std::filesystem;

constexpr std::size_t kCursorsPerTopic = 5;
constexpr TimeMs kStart = 1767225600000;
constexpr TimeMs kDay = 86400000;
constexpr TimeMs kInterval = 60000;

struct Arguments {
  fs::path folder;
  std::size_t cursors = 3000000;
  std::size_t polls = 12;
  bool spread = false;
};

std::mt19937_64 dice(1);
std::int64_t roll(std::int64_t most) { return static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(most)); }

std::string topic_name(std::size_t index) {
  char name[80];
  std::snprintf(name, sizeof name, "persistent://acme/shop/orders-%08zx-of-the-%02zu-region-events",
                index * 2654435761U % (1U << 31U), index % 40);
  std::string text = name;
  text.resize(60, 'x');
  return text;
}

// What a topic's memory looks like after some days of watching.
struct Made {
  std::string packed;
  std::size_t cursors = 0;
};
Made make_topic(std::size_t index, TimeMs now) {
  model::Snapshot snapshot;
  auto topic = std::make_shared<model::TopicView>();
  topic->name = topic_name(index);
  topic->loaded = model::Loaded::kYes;
  topic->publishers = 1;
  const auto ledger = roll(1 << 22);
  topic->ledgers = model::Ledgers{{{ledger, 50000, 1 << 26, {}, false},
                                   {ledger + 900, 50000, 1 << 26, {}, false},
                                   {ledger + 2000, 50, 5000, {}, false}}};
  for (std::size_t c = 0; c < kCursorsPerTopic; ++c) {
    model::CursorView cursor;
    const auto number = index * kCursorsPerTopic + c;
    cursor.name = number % 10 < 3 ? "worker-" + std::to_string(number * 2654435761U) : "service-" + std::to_string(c);
    cursor.type = "Shared";
    cursor.cursor_state = "Open";
    cursor.cursor_ledger = ledger + 17;
    topic->cursors.push_back(std::move(cursor));
  }
  history::History history;
  for (const auto at : {now - 3 * kDay - roll(kDay), now - kDay - roll(kDay), now}) {
    snapshot.at_ms = at;
    auto view = std::make_shared<model::TopicView>(*topic);
    view->sweep_at_ms = at;
    view->messages_in = roll(1 << 30);
    for (std::size_t c = 0; c < kCursorsPerTopic; ++c) {
      auto& cursor = view->cursors[c];
      cursor.consumers = c == 0 ? 0 : 1;
      cursor.consumers_at_ms = cursor.backlog_at_ms = at;
      cursor.backlog_entries = roll(500);
      if (at == now && c > 1) continue;
      cursor.position_at_ms = cursor.stats_at_ms = at;
      cursor.mark_delete = model::Position{ledger, roll(50000)};
      cursor.flow_ms = at - roll(kDay);
    }
    snapshot.topics = {view};
    history.observe(snapshot);
  }
  Made made;
  history.each_packed([&](history::PackedTopic& of) { made = {std::string(of.packed()), of.cursors()}; });
  return made;
}

// The next poll: some topics as they are now, the others seen again.
void change(history::History& history, const Arguments& arguments, TimeMs now) {
  history.each_packed([&](history::PackedTopic& topic) {
    const bool change = arguments.spread ? dice() % 2 == 0 : dice() % 10 == 0;
    if (!change) return topic.seen_again(now);
    const auto made = make_topic(static_cast<std::size_t>(dice() % 1000000), now);
    topic = {history.pieces(), topic.name(), now, made.cursors, made.packed};
  });
}

// By the clock, and of that by our own work: the rest is the disk's and whoever else is on the machine.
struct Seconds {
  double all = 0;
  double cpu = 0;
};

struct Measured {
  Seconds first;
  Seconds poll;  // on average
  Seconds restore;
  double file_mb = 0;
  double hour_gb = 0;
};

Seconds seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const auto cpu = std::clock();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC};
}

// Bytes that this process handed to the kernel so far.
double written() {
  std::ifstream in("/proc/self/io");
  std::string word;
  double bytes = 0;
  while (in >> word >> bytes) {
    if (word == "wchar:") return bytes;
  }
  return 0;
}

double size_of(const fs::path& folder) {
  double bytes = 0;
  for (const auto& file : fs::directory_iterator(folder)) bytes += static_cast<double>(file.file_size());
  return bytes;
}

struct Way {
  const char* name;
  std::function<void(history::History&, TimeMs)> save;
  std::function<void(history::History&)> restore;
};

Measured measure(const Way& way, const Arguments& arguments) {
  dice.seed(1);
  history::History history;
  for (std::size_t i = 0; i < arguments.cursors / kCursorsPerTopic; ++i) {
    const auto made = make_topic(i, kStart);
    history.put_packed({history.pieces(), topic_name(i), kStart, made.cursors, made.packed});
  }
  Measured measured;
  measured.first = seconds([&] { way.save(history, kStart); });
  const auto before = written();
  for (std::size_t poll = 1; poll <= arguments.polls; ++poll) {
    const auto now = kStart + static_cast<TimeMs>(poll) * kInterval;
    change(history, arguments, now);
    const auto spent = seconds([&] { way.save(history, now); });
    measured.poll.all += spent.all / static_cast<double>(arguments.polls);
    measured.poll.cpu += spent.cpu / static_cast<double>(arguments.polls);
    measured.file_mb = std::max(measured.file_mb, size_of(arguments.folder) / 1e6);
  }
  measured.hour_gb = (written() - before) / static_cast<double>(arguments.polls) * 60 / 1e9;
  history::History again;
  measured.restore = seconds([&] { way.restore(again); });
  if (again.cursors() != history.cursors())
    std::printf("%s: read %zu of %zu cursors\n", way.name, again.cursors(), history.cursors());
  return measured;
}

void check(int code, sqlite3* database) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  std::fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  std::exit(1);
}

sqlite3_stmt* prepare(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr), database);
  return statement;
}

void save_rows(sqlite3* database, history::History& history) {
  check(sqlite3_exec(database, "BEGIN", nullptr, nullptr, nullptr), database);
  auto* put = prepare(database, "INSERT OR REPLACE INTO topics VALUES (?, ?, ?)");
  history.each_packed([&](history::PackedTopic& topic) {
    if (topic.saved() == history::PackedTopic::Saved::kSeen) return;
    topic.mark(history::PackedTopic::Saved::kSeen);
    sqlite3_bind_text(put, 1, topic.name().data(), static_cast<int>(topic.name().size()), SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, static_cast<std::int64_t>(topic.cursors()));
    sqlite3_bind_blob(put, 3, topic.packed().data(), static_cast<int>(topic.packed().size()), SQLITE_STATIC);
    check(sqlite3_step(put), database);
    sqlite3_reset(put);
  });
  sqlite3_finalize(put);
  check(sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr), database);
}

void restore_rows(sqlite3* database, history::History& history) {
  auto* get = prepare(database, "SELECT * FROM topics ORDER BY name");
  while (sqlite3_step(get) == SQLITE_ROW) {
    const auto text = [get](int column) {
      return std::string_view(static_cast<const char*>(sqlite3_column_blob(get, column)),
                              static_cast<std::size_t>(sqlite3_column_bytes(get, column)));
    };
    history.put_packed(
        {history.pieces(), text(0), kStart, static_cast<std::size_t>(sqlite3_column_int64(get, 1)), text(2)});
  }
  sqlite3_finalize(get);
}

std::string fresh(const Arguments& arguments, const char* name) {
  fs::remove_all(arguments.folder);
  fs::create_directories(arguments.folder);
  return (arguments.folder / name).string();
}

void must(const Result<void>& done) {
  if (done) return;
  std::fprintf(stderr, "%s\n", done.error().text().c_str());
  std::exit(1);
}

Measured state_file(const Arguments& arguments, bool whole) {
  const history::StateFile::Options options{fresh(arguments, "x.state"), "bench", "0", 1LL << 40};
  auto file = std::make_unique<history::StateFile>(options);
  const Way way{"state file",
                [&](history::History& history, TimeMs at) {
                  if (whole) file = std::make_unique<history::StateFile>(options);
                  must(history::save(*file, history, at));
                },
                [&](history::History& history) {
                  history::StateFile reader(options);
                  if (!history::restore(reader, history)) std::exit(1);
                }};
  return measure(way, arguments);
}

Measured sqlite(const Arguments& arguments) {
  sqlite3* database = nullptr;
  check(sqlite3_open(fresh(arguments, "x.db").c_str(), &database), database);
  const char* setup =
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
      "CREATE TABLE topics (name TEXT PRIMARY KEY, cursors INTEGER, packed BLOB) WITHOUT ROWID";
  check(sqlite3_exec(database, setup, nullptr, nullptr, nullptr), database);
  const Way way{"sqlite", [&](history::History& history, TimeMs) { save_rows(database, history); },
                [&](history::History& history) { restore_rows(database, history); }};
  const auto measured = measure(way, arguments);
  sqlite3_close(database);
  return measured;
}

Arguments read(int argc, char** argv) {
  Arguments read;
  read.folder = fs::path(argv[1]) / "state_bench";
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--cursors") read.cursors = value;
    if (name == "--polls") read.polls = value;
    if (name == "--spread") read.spread = value != 0;
  }
  return read;
}

void print(const char* name, const Measured& a, const Measured& base) {
  std::printf("%-20s", name);
  for (const auto& spent : {a.first, a.poll, a.restore}) std::printf(" %6.2f s (%5.2f)", spent.all, spent.cpu);
  std::printf(" %6.0f MB %7.2f GB/h   %5.2fx %5.2fx %5.2fx\n", a.file_mb, a.hour_gb, a.poll.all / base.poll.all,
              a.file_mb / base.file_mb, a.hour_gb / base.hour_gb);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto arguments = read(argc, argv);
  std::printf("%zu cursors, %zu polls, changes %s\n", arguments.cursors, arguments.polls,
              arguments.spread ? "on each second topic" : "on a tenth of the topics");
  std::printf("%-20s %16s %16s %16s %9s %12s   %s\n", "", "first (CPU)", "a poll (CPU)", "restore (CPU)", "on disk",
              "written", "poll, disk, written beside the state file");
  const auto own = state_file(arguments, false);
  print("state file", own, own);
  print("whole at every poll", state_file(arguments, true), own);
  print("SQLite", sqlite(arguments), own);
  fs::remove_all(arguments.folder);
  return 0;
}
