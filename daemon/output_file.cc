#include "daemon/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>

namespace tidemark::daemon {
namespace {

namespace fs = std::filesystem;

bool is_standard(const std::string& path) { return path.empty() || path == "-"; }

Error not_written(const std::string& path, int why) {
  return {Errc::kIo, path + ": cannot be written: " + std::generic_category().message(why)};
}

}  // namespace

OutputFile::~OutputFile() {
  if (target_.empty()) return;
  file_.close();
  std::error_code ignored;
  fs::remove(written_, ignored);
}

Result<void> OutputFile::open(const std::string& path, Way way) {
  path_ = path;
  if (is_standard(path)) return {};
  std::error_code failed;
  auto file = fs::canonical(path, failed);  // a link stays one
  if (failed) file = path;
  const bool replaceable = !fs::exists(file, failed) || fs::is_regular_file(file, failed);
  if (way == Way::kWhole && replaceable) {
    if (auto writable = check(path); !writable) return writable;
    target_ = file;
    file += ".part";
  }
  written_ = file;
  errno = 0;
  file_.open(written_, std::ios::binary | std::ios::trunc);
  if (file_) return {};
  const auto why = errno;
  target_.clear();
  return not_written(path, why);
}

Result<void> OutputFile::finish() {
  errno = 0;
  const bool written = static_cast<bool>(stream().flush());
  if (!written && is_standard(path_)) return Error{Errc::kIo, "standard output: writing failed, is the disk full?"};
  if (!written) return not_written(path_, errno);
  if (target_.empty()) return {};
  file_.close();
  if (std::rename(written_.c_str(), target_.c_str()) != 0) return not_written(path_, errno);
  target_.clear();
  return {};
}

Result<void> OutputFile::check(const std::string& path) {
  if (is_standard(path)) return {};
  const fs::path file(path);
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code failed;
  if (fs::is_directory(file, failed)) return not_written(path, EISDIR);
  const bool there = fs::exists(file, failed);
  if (::access(there ? file.c_str() : folder.c_str(), W_OK) == 0) return {};
  return not_written(path, errno);
}

std::ostream& OutputFile::stream() { return is_standard(path_) ? std::cout : file_; }

}  // namespace tidemark::daemon
