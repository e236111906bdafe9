#include "daemon/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>

namespace tidemark::daemon {
namespace {

namespace fs = std::filesystem;

bool is_standard(const std::string& path) { return path.empty() || path == "-"; }

Error not_written(const std::string& path, int why) {
  return {Errc::kIo, path + ": cannot be written: " + std::generic_category().message(why != 0 ? why : EIO)};
}

// The file itself: a link stays one.
fs::path followed(const std::string& path) {
  std::error_code failed;
  auto file = fs::canonical(path, failed);
  return failed ? fs::path(path) : file;
}

// Where it is written until it is whole.
fs::path beside(fs::path file) { return file += ".part"; }

}  // namespace

OutputFile::~OutputFile() {
  if (target_.empty()) return;
  buffer_.close();
  std::error_code ignored;
  fs::remove(written_, ignored);
}

Result<void> OutputFile::open(const std::string& path, Way way) {
  path_ = path;
  if (is_standard(path)) return {};
  auto file = followed(path);
  std::error_code failed;
  const bool replaceable = !fs::exists(file, failed) || fs::is_regular_file(file, failed);
  if (way == Way::kWhole && replaceable) {
    if (auto writable = check(path); !writable) return writable;
    target_ = file;
    file = beside(file);
  }
  written_ = file;
  errno = 0;
  if (buffer_.open(written_, std::ios::out | std::ios::binary | std::ios::trunc) != nullptr) return {};
  const auto why = errno;
  target_.clear();
  return not_written(path, why);
}

Result<void> OutputFile::finish() {
  const bool written = static_cast<bool>(stream().flush());
  if (is_standard(path_)) {
    if (written) return {};
    return Error{Errc::kIo, "standard output: writing failed, is the disk full?"};
  }
  errno = 0;
  const bool closed = buffer_.close() != nullptr;
  if (!written || !closed) return not_written(path_, buffer_.why() != 0 ? buffer_.why() : errno);
  if (target_.empty()) return {};
  if (std::rename(written_.c_str(), target_.c_str()) != 0) return not_written(path_, errno);
  target_.clear();
  return {};
}

Result<void> OutputFile::check(const std::string& path, const std::vector<std::string>& inputs) {
  if (is_standard(path)) return {};
  const auto file = followed(path);
  std::error_code failed;
  for (const auto& input : inputs) {
    for (const auto& taken : {file, beside(file)}) {
      if (!input.empty() && fs::equivalent(input, taken, failed)) {
        return Error{Errc::kConfig,
                     fmt::format("--out: {} would take the place of {}, which is read for it", path, input)};
      }
    }
  }
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (fs::is_directory(file, failed)) return not_written(path, EISDIR);
  const bool there = fs::exists(file, failed);
  if (::access(there ? file.c_str() : folder.c_str(), W_OK) == 0) return {};
  return not_written(path, errno);
}

void OutputFile::Buffer::note(bool failed) {
  if (failed && why_ == 0) why_ = errno;
}

OutputFile::Buffer::int_type OutputFile::Buffer::overflow(int_type c) {
  errno = 0;
  const auto put = std::filebuf::overflow(c);
  note(traits_type::eq_int_type(put, traits_type::eof()));
  return put;
}

std::streamsize OutputFile::Buffer::xsputn(const char* text, std::streamsize size) {
  errno = 0;
  const auto put = std::filebuf::xsputn(text, size);
  note(put != size);
  return put;
}

int OutputFile::Buffer::sync() {
  errno = 0;
  const int done = std::filebuf::sync();
  note(done != 0);
  return done;
}

std::ostream& OutputFile::stream() { return is_standard(path_) ? std::cout : file_; }

}  // namespace tidemark::daemon
