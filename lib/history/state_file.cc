#include "history/state_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/units.h"

namespace tidemark::history {
namespace {

constexpr std::size_t kFrameRecords = 2 << 20;  // what a damaged place costs
constexpr std::size_t kStride = 1 << 20;        // of the search for the next frame
constexpr std::int64_t kLeastAppended = 1 << 20;

std::string last_error() { return std::generic_category().message(errno); }

Error io_error(const std::string& path, const char* what) {
  return {Errc::kIo, fmt::format("{}: cannot be {}: {}", path, what, last_error())};
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return descriptor_; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

bool write_at(int file, std::int64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto wrote = ::pwrite(file, bytes.data(), bytes.size(), at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    at += wrote;
  }
  return true;
}

// Fewer bytes than asked for at the end of the file; empty at an error.
std::optional<std::string> read_at(int file, std::int64_t at, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const auto got = ::pread(file, bytes.data() + have, size - have, at + static_cast<std::int64_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

bool sync_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const auto folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.get() >= 0 && ::fsync(opened.get()) == 0;
}

}  // namespace

// Frame after frame, from one that is good to the next.
struct StateFile::Reading {
  Reading(int descriptor, std::int64_t length, StateVisitor& to) : file(descriptor), size(length), visitor(to) {}

  // False: it cannot be read.
  bool run() {
    while (at < size && newer == 0) {
      const auto bytes = read_at(file, at, kFrameHead);
      if (!bytes) return false;
      const auto head = read_frame_head(*bytes);
      if (head && head->format > kStateFormat) newer = head->format;
      if (newer != 0) break;
      if (!head || head->format == 0) {
        if (!skip()) return false;
        continue;
      }
      if (!take(*head)) return false;
    }
    return true;
  }

  int file;
  std::int64_t size;
  StateVisitor& visitor;
  FrameReader frames;
  std::int64_t at = 0;
  std::int64_t good = 0;   // end of the last whole poll, as long as nothing before it is damaged
  std::int64_t first = 0;  // end of the first one
  std::uint64_t next = 0;  // number of the next frame
  std::uint64_t next_good = 0;
  std::uint32_t newer = 0;
  int damaged = 0;    // places
  bool torn = false;  // the last one of them lies at the end
  Found found;

 private:
  bool skipped_ = false;  // to this frame

  void note_gap() {
    ++damaged;
    visitor.gap();
  }

  // To the next mark behind this place.
  bool skip() {
    note_gap();
    torn = skipped_ = true;
    for (auto from = at + 1; from < size; from += static_cast<std::int64_t>(kStride)) {
      const auto bytes = read_at(file, from, kStride + kFrameMark.size() - 1);
      if (!bytes) return false;
      const auto mark = bytes->find(kFrameMark);
      if (mark == std::string::npos) continue;
      at = from + static_cast<std::int64_t>(mark);
      torn = false;
      return true;
    }
    at = size;
    return true;
  }

  bool take(const FrameHead& head) {
    const auto body = read_at(file, at + static_cast<std::int64_t>(kFrameHead), head.size);
    if (!body) return false;
    const auto about = frames.read(*body, [this](const FrameAbout& of, const Record& record) {
      found.any = true;
      visitor.record(of, record);
    });
    if (!about) return skip();
    if (!std::exchange(skipped_, false) && about->number != next) note_gap();
    next = about->number + 1;
    at += static_cast<std::int64_t>(kFrameHead + head.size);
    found.written_ms = std::max(found.written_ms, about->at_ms);
    if (about->last) end_poll(*about);
    return true;
  }

  void end_poll(const FrameAbout& about) {
    found.topics = about.topics;
    visitor.end_of_poll(about);
    if (damaged != 0) return;
    good = at;
    next_good = next;
    if (first == 0) first = at;
  }
};

StateFile::~StateFile() { close(); }

void StateFile::close() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
  end_ = whole_ = 0;
  frames_ = 0;
}

Result<StateFile::Found> StateFile::read(StateVisitor& visitor) {
  close();
  const Descriptor file(::open(options_.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return Found{};
  struct stat about{};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) return io_error(options_.path, "read");
  Reading reading(file.get(), about.st_size, visitor);
  if (!reading.run()) return io_error(options_.path, "read");
  auto found = std::move(reading.found);
  // A poll whose end is missing and nothing else: what a crash leaves.
  found.torn = reading.newer == 0 && reading.good != 0 && reading.good != about.st_size &&
               (reading.damaged == 0 || (reading.damaged == 1 && reading.torn));
  if (reading.newer != 0) {
    found.set_aside = set_aside("newer");
    found.problem = fmt::format("is of format {}, this Tidemark {} knows {} and older", reading.newer, options_.version,
                                kStateFormat);
  } else if (!found.torn && (reading.damaged != 0 || reading.good == 0)) {
    found.set_aside = set_aside("damaged");
    found.problem = reading.damaged != 0 ? fmt::format("is damaged in {} place(s)", reading.damaged) : "ends too early";
  } else {
    end_ = reading.good;
    whole_ = reading.first;
    frames_ = reading.next_good;
  }
  return found;
}

// A second name, so that the file stays when the next write takes the first one, and is still there when that does not
// come. By the file's own time: one that is met again gets the same name.
std::string StateFile::set_aside(const char* why) {
  close();
  struct stat about{};
  if (::stat(path().c_str(), &about) != 0) return {};
  auto stamp = format_iso8601(static_cast<TimeMs>(about.st_mtim.tv_sec) * 1000);
  std::erase_if(stamp, [](char c) { return c == ':' || c == '-'; });
  auto name = fmt::format("{}.{}-{}", path(), why, stamp);
  const bool kept =
      ::link(path().c_str(), name.c_str()) == 0 || errno == EEXIST || ::rename(path().c_str(), name.c_str()) == 0;
  return kept ? name : std::string{};
}

// Collects records to frames and writes these.
class StateFile::Writing final : public StateSink {
 public:
  Writing(const Options& options, int file, std::int64_t at, FrameAbout about)
      : options_(options), file_(file), at_(at), about_(std::move(about)) {}

  void put(const Record& record) override {
    put_record(record, records_);
    if (records_.size() >= kFrameRecords) flush();
  }

  // The poll is whole. On the disk when this returns.
  Result<void> end(std::uint64_t topics) {
    about_.last = true;
    about_.topics = topics;
    flush();
    if (!problem_ && ::fdatasync(file_) != 0) problem_ = io_error(options_.path, "written");
    return problem_ ? Result<void>(*problem_) : Result<void>();
  }

  std::int64_t at() const { return at_; }
  std::uint64_t next() const { return about_.number; }

 private:
  void flush() {
    bytes_.clear();
    if (!problem_) frames_.add(about_, records_, bytes_);
    ++about_.number;
    records_.clear();
    if (at_ + static_cast<std::int64_t>(bytes_.size()) > options_.max_bytes) {
      problem_ = Error{Errc::kTooLarge, fmt::format("{}: needs more than state.max_bytes ({})", options_.path,
                                                    format_bytes(options_.max_bytes))};
    } else if (!write_at(file_, at_, bytes_)) {
      problem_ = io_error(options_.path, "written");
    } else {
      at_ += static_cast<std::int64_t>(bytes_.size());
    }
  }

  const Options& options_;
  int file_;
  std::int64_t at_;
  FrameAbout about_;
  FrameWriter frames_;
  std::string records_;
  std::string bytes_;
  std::optional<Error> problem_;
};

// Whoever removed the file wants it written anew.
bool StateFile::wants_all() const {
  struct stat about{};
  if (::stat(options_.path.c_str(), &about) != 0 || about.st_size < end_) return true;
  return end_ == 0 || end_ - whole_ >= std::max(whole_, kLeastAppended);
}

Result<void> StateFile::write(TimeMs at, std::uint64_t topics, const Fill& changes, const Fill& all) {
  if (!wants_all()) {
    auto appended = append(at, topics, changes);
    if (appended || appended.error().code() != Errc::kTooLarge) return appended;
  }
  return replace(at, topics, all);
}

Result<void> StateFile::append(TimeMs at, std::uint64_t topics, const Fill& changes) {
  if (file_ < 0) file_ = ::open(options_.path.c_str(), O_RDWR | O_CLOEXEC);
  // What a crash left behind the last whole poll goes first.
  if (file_ < 0 || ::ftruncate(file_, end_) != 0) return io_error(options_.path, "written");
  Writing writing(options_, file_, end_, {at, frames_, options_.cluster, options_.version});
  changes(writing);
  if (auto done = writing.end(topics); !done) {
    const bool cut = ::ftruncate(file_, end_) == 0;
    if (!cut) close();  // then all is written anew
    return done;
  }
  written_ += writing.at() - end_;
  end_ = writing.at();
  frames_ = writing.next();
  return {};
}

Result<void> StateFile::replace(TimeMs at, std::uint64_t topics, const Fill& all) {
  const auto fresh = options_.path + ".new";
  Descriptor file(::open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640));
  if (file.get() < 0) return io_error(options_.path, "written");
  Writing writing(options_, file.get(), 0, {at, 0, options_.cluster, options_.version});
  all(writing);
  auto done = writing.end(topics);
  if (done && ::rename(fresh.c_str(), options_.path.c_str()) != 0) done = io_error(options_.path, "written");
  if (!done) {
    ::unlink(fresh.c_str());
    return done;
  }
  close();
  file_ = file.release();
  end_ = whole_ = writing.at();
  frames_ = writing.next();
  written_ += end_;
  if (!sync_folder_of(options_.path)) return io_error(options_.path, "written");
  return {};
}

}  // namespace tidemark::history
