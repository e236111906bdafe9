#pragma once
// One file of records that outlives the process: each poll appends what changed, and once that has grown to the size of
// the rest the whole is written anew beside it and takes its place. A write is on the disk when it returns; what a
// crash tears is the newest poll at most. Blocks; one thread at a time. docs/state.md has the format.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "history/state_frames.h"

namespace tidemark::history {

// Takes the records of one write. What goes wrong is kept until the end.
class StateSink {
 public:
  virtual ~StateSink() = default;
  virtual void put(const Record& record) = 0;
};

// What a file holds, in the order of its writing.
class StateVisitor {
 public:
  virtual ~StateVisitor() = default;
  virtual void record(const FrameAbout& about, const Record& record) = 0;
  // All of a poll was read: whatever was seen in the poll before and not changed was seen in this one.
  virtual void end_of_poll(const FrameAbout& about) = 0;
  // Something is missing here.
  virtual void gap() = 0;
};

class StateFile {
 public:
  struct Options {
    std::string path;
    std::string cluster;  // of whom it is, for people
    std::string version;  // Tidemark's
    std::int64_t max_bytes = 0;
  };

  // What reading came to.
  struct Found {
    bool any = false;                    // at least one record
    TimeMs written_ms = 0;               // newest poll of which something is left
    std::uint64_t topics = 0;            // that the newest whole poll knew
    std::optional<std::string> problem;  // damaged, or of a newer version: one line
    bool torn = false;                   // its end is missing, as after a crash
    std::string set_aside;               // where the file is kept, with `problem`
  };

  explicit StateFile(Options options) : options_(std::move(options)) {}
  ~StateFile();
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  // Reads what can be read; a file that is no good is kept under another name and replaced by the next write. kIo when
  // there is a file that cannot be read.
  Result<Found> read(StateVisitor& visitor);

  // Keeps the file that was read under another name, `path.WHY-TIME`, which is returned; empty when that cannot be. The
  // next write makes a new one.
  std::string set_aside(const char* why);

  using Fill = std::function<void(StateSink&)>;
  // Writes the poll of `at`: `changes` since the last one that was written, or `all`. The file is as it was when this
  // fails; what it could not take comes with the next write. kIo, kTooLarge.
  Result<void> write(TimeMs at, std::uint64_t topics, const Fill& changes, const Fill& all);

  const std::string& path() const { return options_.path; }
  std::int64_t bytes() const { return end_; }
  std::int64_t written_bytes() const { return written_; }  // in all writes

 private:
  struct Reading;
  class Writing;

  bool wants_all() const;
  Result<void> append(TimeMs at, std::uint64_t topics, const Fill& changes);
  Result<void> replace(TimeMs at, std::uint64_t topics, const Fill& all);
  void close();

  Options options_;
  int file_ = -1;             // open for writing; -1: not yet
  std::int64_t end_ = 0;      // of what is good
  std::int64_t whole_ = 0;    // of that, the first write, which has everything
  std::uint64_t frames_ = 0;  // in the file
  std::int64_t written_ = 0;
};

}  // namespace tidemark::history
