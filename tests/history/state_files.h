#pragma once
// State files to damage, and what their tests hold a memory against: the one that was never written.

#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "history/documents.h"
#include "history/state.h"
#include "support/catch.h"

namespace tidemark::testing {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tidemark-state-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline history::StateFile::Options options(const std::string& path, std::int64_t max_bytes = 1 << 30) {
  return {path, "blue", "1.2.3", max_bytes};
}

// Everything that is remembered.
inline std::map<std::string, history::Topic> all_of(history::History& history) {
  std::map<std::string, history::Topic> all;
  history.each_packed([&](history::PackedTopic& topic) { CHECK(topic.unpack(all[std::string(topic.name())])); });
  return all;
}

inline void check_same(history::History& a, history::History& b) {
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

inline model::Snapshot frozen(int topics, TimeMs now) {
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
inline void check_is_past(const std::vector<history::History>& after, history::History& history) {
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
inline history::Restored check_goes_on(const Recorded& recorded, bool write = true) {
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

}  // namespace tidemark::testing
