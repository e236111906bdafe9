// A memory that is saved, ended and read again must be the one that never ended; a file that is no good costs what is
// damaged in it and nothing else.
#include "history/state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "history/documents.h"
#include "history/state_folder.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tidemark-state-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  fs::path path_;
};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

history::StateFile::Options options(const std::string& path, std::int64_t max_bytes = 1 << 30) {
  return {path, "blue", "1.2.3", max_bytes};
}

// Everything that is remembered.
std::map<std::string, history::Topic> all_of(history::History& history) {
  std::map<std::string, history::Topic> all;
  history.each_packed([&](history::PackedTopic& topic) { CHECK(topic.unpack(all[std::string(topic.name())])); });
  return all;
}

void check_same(history::History& a, history::History& b) {
  const auto one = all_of(a);
  const auto other = all_of(b);
  REQUIRE(one.size() == other.size());
  for (const auto& [name, topic] : one) {
    INFO(name);
    const auto& again = other.at(name);
    REQUIRE(again.whole == topic.whole);
    REQUIRE(again.whole.seen_ms == topic.whole.seen_ms);
    REQUIRE(again.cursors == topic.cursors);
  }
  CHECK(a.cursors() == b.cursors());
  CHECK(a.figures() == b.figures());
}

// Several topics, of which some stand still, some move, some are away now and then.
class Cluster {
 public:
  explicit Cluster(unsigned seed, int topics = 5) : dice_(seed) {
    for (int i = 0; i < topics; ++i) topics_.emplace_back(seed * 100 + static_cast<unsigned>(i));
  }

  model::Snapshot poll(TimeMs now) {
    model::Snapshot snapshot;
    snapshot.at_ms = now;
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      if (dice_() % 10 == 0) continue;
      auto topic = std::make_shared<model::TopicView>(*topics_[i].at(now));
      topic->name += "-" + std::to_string(i);
      snapshot.topics.push_back(std::move(topic));
    }
    return snapshot;
  }

 private:
  std::mt19937_64 dice_;
  std::vector<Documents> topics_;
};

model::Snapshot frozen(int topics, TimeMs now) {
  model::Snapshot snapshot;
  snapshot.at_ms = now;
  OneCursor seen;
  for (int i = 0; i < topics; ++i) {
    auto topic = std::make_shared<model::TopicView>(seen.topic);
    topic->name += "-" + std::to_string(1000 + i);
    seen.at(kStart, {101, 19}, i % 2);
    seen.cursor.consumers_at_ms = seen.cursor.backlog_at_ms = now;
    topic->cursors = {seen.cursor};
    snapshot.topics.push_back(std::move(topic));
  }
  return snapshot;
}

// A file of `polls` polls, and the memory after each of them.
struct Recorded {
  Folder folder;
  std::string path = folder / "blue.state";
  std::vector<history::History> after;

  explicit Recorded(int polls, int topics = 3) {
    Cluster cluster(7, topics);
    history::History history;
    history::StateFile file(options(path));
    for (int poll = 0; poll < polls; ++poll) {
      const auto now = kStart + poll * kMinute;
      history.observe(cluster.poll(now));
      REQUIRE(history::save(file, history, now).has_value());
      history::History copy;
      history.each_packed([&](history::PackedTopic& topic) {
        copy.put_packed({copy.pieces(), topic.name(), topic.seen_ms(), topic.cursors(), topic.packed()});
      });
      after.push_back(std::move(copy));
    }
  }
};

// Each topic of it is as it was after one of the polls.
void check_is_past(const std::vector<history::History>& after, history::History& history) {
  for (const auto& [name, topic] : all_of(history)) {
    bool found = false;
    for (const auto& then : after) {
      const auto known = then.all_of(name);
      found = found || (known && known->cursors == topic.cursors && known->whole == topic.whole &&
                        known->whole.seen_ms == topic.whole.seen_ms);
    }
    INFO(name);
    CHECK(found);
  }
}

// A file that was damaged still does its work: it is read, and the next write makes a whole one of it.
history::Restored check_goes_on(const Recorded& recorded, bool write = true) {
  history::History history;
  history::StateFile file(options(recorded.path));
  const auto restored = history::restore(file, history);
  REQUIRE(restored.has_value());
  check_is_past(recorded.after, history);
  if (!write) return *restored;
  const auto now = kStart + 1000 * kMinute;
  Cluster cluster(8);
  history.observe(cluster.poll(now));
  REQUIRE(history::save(file, history, now).has_value());
  history::History again;
  history::StateFile reader(options(recorded.path));
  const auto whole = history::restore(reader, again);
  REQUIRE(whole.has_value());
  CHECK_FALSE(whole->problem.has_value());
  CHECK_FALSE(whole->torn);
  check_same(history, again);
  return *restored;
}

}  // namespace

TEST_CASE("a memory that is saved at every poll and read again is the one that never ended") {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const Folder folder;
    const auto path = folder / "blue.state";
    Cluster cluster(seed);
    history::History one;
    auto other = std::make_unique<history::History>();
    auto file = std::make_unique<history::StateFile>(options(path));
    for (int poll = 0; poll < 120; ++poll) {
      const auto now = kStart + poll * 10 * kMinute;
      const auto snapshot = cluster.poll(now);
      INFO("seed " << seed << " poll " << poll);
      for (auto* history : {&one, other.get()}) {
        history->figures().add("a", now, poll / 7, Duration{kDay});
        if (poll % 3 == 1) history->figures().add("b" + std::to_string(poll), now, poll, Duration{kDay});
      }
      one.observe(snapshot);
      one.forget_unseen(now);
      other->observe(snapshot);
      other->forget_unseen(now);
      REQUIRE(history::save(*file, *other, now).has_value());
      if (poll % 3 != 0) continue;
      other = std::make_unique<history::History>();
      file = std::make_unique<history::StateFile>(options(path));
      const auto restored = history::restore(*file, *other);
      REQUIRE(restored.has_value());
      CHECK_FALSE(restored->problem.has_value());
      CHECK_FALSE(restored->torn);
      CHECK(restored->written_ms == now);
      CHECK(restored->lost == 0);
      check_same(one, *other);
    }
  }
}

TEST_CASE("what did not change is not written again") {
  const Folder folder;
  history::StateFile file(options(folder / "blue.state"));
  history::History history;
  for (int poll = 0; poll < 20; ++poll) {
    const auto now = kStart + poll * kMinute;
    history.observe(frozen(1000, now));
    const auto before = file.bytes();
    REQUIRE(history::save(file, history, now).has_value());
    // At first the memory of some is still settling.
    if (poll >= 10) CHECK(file.bytes() - before < 150);
  }
  history::History again;
  history::StateFile reader(options(folder / "blue.state"));
  REQUIRE(history::restore(reader, again).has_value());
  check_same(history, again);
}

TEST_CASE("a file that has grown to twice what is needed is written anew") {
  const Folder folder;
  history::StateFile file(options(folder / "blue.state"));
  Cluster cluster(3, 2000);
  history::History history;
  std::int64_t first = 0;
  std::int64_t most = 0;
  for (int poll = 0; poll < 12; ++poll) {
    const auto now = kStart + poll * kMinute;
    history.observe(cluster.poll(now));
    REQUIRE(history::save(file, history, now).has_value());
    if (first == 0) first = file.bytes();
    most = std::max(most, file.bytes());
  }
  CHECK(file.written_bytes() > 3 * first);
  CHECK(most < file.written_bytes() / 2);
  CHECK(static_cast<std::int64_t>(fs::file_size(folder / "blue.state")) == file.bytes());
  CHECK(folder.files() == std::set<std::string>{"blue.state"});
}

TEST_CASE("a bit that flips costs what it damages, wherever it is") {
  const Recorded recorded(4);
  const auto good = bytes_of(recorded.path);
  const int frames = 4;
  int meaningless = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    auto bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1 << at % 8);
    write_bytes(recorded.path, bad);
    INFO("byte " << at << " of " << good.size());
    const auto restored = check_goes_on(recorded, at % 16 == 0);
    if (!restored.torn && !restored.problem) ++meaningless;
    if (!restored.problem) continue;
    REQUIRE_FALSE(restored.set_aside.empty());
    CHECK(bytes_of(restored.set_aside) == bad);
    CHECK(restored.set_aside.find("blue.state.damaged-20") != std::string::npos);
    fs::remove(restored.set_aside);
  }
  CHECK(meaningless <= frames);  // zstd has an unused bit in the head of each
}

TEST_CASE("of a file that ends anywhere all whole polls are kept") {
  const Recorded recorded(4);
  const auto good = bytes_of(recorded.path);
  std::vector<std::size_t> ends{good.size()};  // of polls, the newest first
  for (auto at = good.rfind(history::kFrameMark); at != 0; at = good.rfind(history::kFrameMark, at - 1))
    ends.push_back(at);
  REQUIRE(ends.size() == 4);
  for (std::size_t size = 0; size < good.size(); ++size) {
    INFO("cut at " << size << " of " << good.size());
    write_bytes(recorded.path, std::string_view(good).substr(0, size));
    const auto restored = check_goes_on(recorded, size % 16 == 0);
    const bool whole = std::find(ends.begin(), ends.end(), size) != ends.end();
    CHECK(restored.problem.has_value() == (size < ends.back()));
    CHECK(restored.torn == (!whole && size > ends.back()));
    if (restored.problem) fs::remove(restored.set_aside);
    if (size >= ends.back()) {
      const auto polls = std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= size; });
      CHECK(restored.written_ms == kStart + (polls - 1) * kMinute);
    }
  }
}

TEST_CASE("what was not changed behind a gap is not taken for seen there") {
  const Folder folder;
  const auto path = folder / "blue.state";
  history::History history;
  history::StateFile file(options(path));
  for (int poll = 0; poll < 3; ++poll) {
    history.observe(frozen(3, kStart + poll * kMinute));
    REQUIRE(history::save(file, history, kStart + poll * kMinute).has_value());
  }
  auto bytes = bytes_of(path);
  const auto middle = bytes.find(history::kFrameMark, 1);
  bytes[middle + 40] = static_cast<char>(bytes[middle + 40] ^ 4);
  write_bytes(path, bytes);
  history::History again;
  history::StateFile reader(options(path));
  REQUIRE(history::restore(reader, again)->problem.has_value());
  for (const auto& [name, topic] : all_of(again)) CHECK(topic.whole.seen_ms == kStart);
}

TEST_CASE("a file of a newer version is kept and said so") {
  Recorded recorded(2);
  auto bytes = bytes_of(recorded.path);
  history::FrameWriter writer;
  std::string newer;
  writer.add({kStart, 0, "blue", "9.0", true, 0}, "", newer);
  newer[16] = 2;  // its format, and the check of it
  newer[26] = static_cast<char>(newer[26] ^ 3);
  newer += bytes;
  write_bytes(recorded.path, newer);
  const auto restored = check_goes_on(recorded);
  REQUIRE(restored.problem.has_value());
  CHECK(*restored.problem == "is of format 2, this Tidemark 1.2.3 knows 1 and older");
  CHECK(restored.topics == 0);
  CHECK(restored.set_aside.find("blue.state.newer-20") != std::string::npos);
  CHECK(bytes_of(restored.set_aside) == newer);
}

namespace {

// What the files in tests/data/state hold: one cursor that stands and was judged, one that somebody works with daily.
void remember_two(const std::string& path) {
  history::History history;
  history::StateFile file(options(path));
  OneCursor seen;
  for (int day = 0; day < 4; ++day) {
    const auto now = kStart + day * kDay;
    auto topic = std::make_shared<model::TopicView>(seen.topic);
    topic->publishers = 0;
    topic->messages_in = 5000;
    topic->sweep_at_ms = topic->internal_at_ms = now;
    topic->epoch = 2;
    seen.cursor.name = "gone";
    topic->cursors.push_back(seen.at(now, {101, 19}).cursor);
    seen.cursor.name = "worker";
    topic->cursors.push_back(seen.at(now, {102, day}, day % 2).cursor);
    model::Snapshot snapshot;
    snapshot.at_ms = now;
    snapshot.topics = {topic};
    {
      history::History::Walk walk(history, snapshot);
      auto& gone = *walk.observe(*topic).cursors[0];
      gone.judged = true;
      gone.state = model::State::kAbandoned;
      gone.severity = model::Severity::kWarning;
      gone.state_since_ms = kStart + kHour;
      gone.pin_bytes = 2301;
    }
    REQUIRE(history::save(file, history, now).has_value());
  }
}

}  // namespace

TEST_CASE("files of all formats are read") {
  if (const char* to = std::getenv("TIDEMARK_WRITE_STATE"))
    remember_two(fmt::format("{}/format-{}.state", to, history::kStateFormat));
  for (std::uint32_t format = 1; format <= history::kStateFormat; ++format) {
    history::History history;
    history::StateFile file(options(fmt::format("{}/state/format-{}.state", TIDEMARK_TEST_DATA, format)));
    INFO(file.path());
    const auto restored = history::restore(file, history);
    REQUIRE(restored.has_value());
    CHECK_FALSE(restored->problem.has_value());
    CHECK(restored->written_ms == kStart + 3 * kDay);
    REQUIRE(restored->cursors == 2);
    const auto topic = history.all_of("persistent://acme/shop/orders");
    REQUIRE(topic.has_value());
    CHECK(topic->whole.seen_ms == kStart + 3 * kDay);
    CHECK(topic->whole.no_producer_since() == kStart);
    const auto& gone = *topic->find("gone");
    CHECK(gone.frozen_since_ms == kStart);
    CHECK(gone.first_position_ms == kStart);
    CHECK(gone.position_ms == kStart + 3 * kDay);
    CHECK(gone.mark_delete == model::Position{101, 19});
    CHECK(gone.position_epoch == 2);
    CHECK(gone.state == model::State::kAbandoned);
    CHECK(gone.severity == model::Severity::kWarning);
    CHECK(gone.state_since_ms == kStart + kHour);
    CHECK(gone.pin_bytes == 2301);
    CHECK_FALSE(gone.activity.has_value());
    const auto& worker = *topic->find("worker");
    CHECK(worker.consumer_seen_ms == kStart + 3 * kDay);
    CHECK(worker.activity->latest == kStart + 3 * kDay);
    CHECK(worker.mark_delete == model::Position{102, 3});
    CHECK(worker.rhythm.longest_gap() == Duration{kDay});
  }
}

TEST_CASE("records that are whole and mean nothing are said so") {
  const Folder folder;
  const auto path = folder / "blue.state";
  history::FrameWriter writer;
  std::string records;
  history::put_record({history::Record::kTopic, "persistent://a/b/c", std::string(9, '\x7f')}, records);
  std::string bytes;
  writer.add({kStart, 0, "blue", "1", true, 1}, records, bytes);
  write_bytes(path, bytes);
  history::History history;
  history::StateFile file(options(path));
  const auto restored = history::restore(file, history);
  REQUIRE(restored.has_value());
  CHECK(restored->problem == "has 1 record(s) that cannot be read");
  CHECK(bytes_of(restored->set_aside) == bytes);
  CHECK(restored->lost == 1);
}

TEST_CASE("kinds of records that are not known are left out") {
  const Folder folder;
  history::FrameWriter writer;
  std::string records;
  history::put_record({'?', "key", "value"}, records);
  std::string bytes;
  writer.add({kStart, 0, "blue", "1", true, 0}, records, bytes);
  write_bytes(folder / "blue.state", bytes);
  history::History history;
  history::StateFile file(options(folder / "blue.state"));
  const auto restored = history::restore(file, history);
  REQUIRE(restored.has_value());
  CHECK_FALSE(restored->problem.has_value());
  CHECK(history.topics() == 0);
}

TEST_CASE("a limit keeps the file as it was") {
  const Folder folder;
  const auto path = folder / "blue.state";
  history::History history;
  history.observe(frozen(50, kStart));
  history::StateFile file(options(path));
  REQUIRE(history::save(file, history, kStart).has_value());
  const auto good = bytes_of(path);
  history::History larger;
  history::StateFile limited(options(path, static_cast<std::int64_t>(good.size()) + 100));
  REQUIRE(history::restore(limited, larger).has_value());
  Cluster cluster(1, 300);
  larger.observe(cluster.poll(kStart + kMinute));
  const auto written = history::save(limited, larger, kStart + kMinute);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().code() == Errc::kTooLarge);
  CHECK(written.error().text().find("state.max_bytes") != std::string::npos);
  CHECK(bytes_of(path) == good);
  CHECK(folder.files() == std::set<std::string>{"blue.state"});
}

TEST_CASE("a disk that is full for a while costs nothing but that while") {
  const Folder folder;
  const auto path = folder / "blue.state";
  Cluster cluster(4, 200);
  history::History history;
  history::StateFile file(options(path));
  history.observe(cluster.poll(kStart));
  REQUIRE(history::save(file, history, kStart).has_value());
  const auto good = bytes_of(path);
  history.observe(cluster.poll(kStart + kMinute));
  {
    // Nothing may be written beyond this size: what a full disk comes to, for a process that may be root.
    struct rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit tight{good.size() + 100, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    const auto failed = history::save(file, history, kStart + kMinute);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, old);
    REQUIRE_FALSE(failed.has_value());
    CHECK(failed.error().text().starts_with(path + ": cannot be written: "));
  }
  CHECK(bytes_of(path) == good);
  history.observe(cluster.poll(kStart + 2 * kMinute));
  REQUIRE(history::save(file, history, kStart + 2 * kMinute).has_value());
  history::History again;
  history::StateFile reader(options(path));
  REQUIRE(history::restore(reader, again).has_value());
  check_same(history, again);
}

TEST_CASE("a folder that cannot be written is an error with its name") {
  history::History history;
  history.observe(frozen(1, kStart));
  history::StateFile file(options("/proc/tidemark/blue.state"));
  const auto written = history::save(file, history, kStart);
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().text().find("/proc/tidemark/blue.state: cannot be written: ") == 0);
  const auto folder = history::StateFolder::open("/proc/tidemark");
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().text().find("/proc/tidemark: cannot be used as state.path: ") == 0);
}

TEST_CASE("a file that was removed while the daemon runs is written anew") {
  const Folder folder;
  const auto path = folder / "blue.state";
  history::History history;
  history::StateFile file(options(path));
  history.observe(frozen(5, kStart));
  REQUIRE(history::save(file, history, kStart).has_value());
  fs::remove(path);
  history.observe(frozen(5, kStart + kMinute));
  REQUIRE(history::save(file, history, kStart + kMinute).has_value());
  history::History again;
  history::StateFile reader(options(path));
  REQUIRE(history::restore(reader, again).has_value());
  check_same(history, again);
}

TEST_CASE("no two daemons have one folder") {
  const Folder folder;
  const auto path = folder / "made/here";
  auto first = std::make_unique<history::StateFolder>(std::move(history::StateFolder::open(path).value()));
  CHECK(first->locked());
  const auto second = history::StateFolder::open(path);
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().text() ==
        path + ": another tidemark keeps its state there; give each one a state.path of its own");
  first.reset();
  CHECK(history::StateFolder::open(path).has_value());
}

TEST_CASE("a cluster's name is a file's name, whatever is in it") {
  const Folder folder;
  const auto state = history::StateFolder::open(folder / "s");
  REQUIRE(state.has_value());
  CHECK(state->file_of("blue") == (folder / "s/blue.state"));
  CHECK(state->file_of("broker-0:8080") == (folder / "s/broker-0%3A8080.state"));
  CHECK(state->file_of("../x") == (folder / "s/%2E.%2Fx.state"));
  CHECK(state->file_of("%") == (folder / "s/%25.state"));
}
