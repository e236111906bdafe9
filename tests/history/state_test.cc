// A memory that is saved, ended and read again must be the one that never ended; a file that is no good costs what is
// damaged in it and nothing else.
#include "history/state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "history/state_files.h"
#include "support/catch.h"

using namespace tidemark;
using namespace tidemark::testing;
namespace fs = std::filesystem;

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
  // zstd has an unused bit in the head of each, and may have one at the end of what it packed; contents have a
  // checksum.
  CHECK(meaningless <= 2 * frames);
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
  newer[16] = 3;  // its format, and the check of it
  newer[26] = static_cast<char>(newer[26] ^ 1);
  newer += bytes;
  write_bytes(recorded.path, newer);
  const auto restored = check_goes_on(recorded);
  REQUIRE(restored.problem.has_value());
  CHECK(*restored.problem == "is of format 3, this Tidemark 1.2.3 knows 2 and older");
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
    REQUIRE(topic->whole.last_ledger().has_value() == (format >= 2));
    if (format >= 2) CHECK(topic->whole.last_ledger()->bytes == 500);
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
