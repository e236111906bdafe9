#include "history/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tidemark::history {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

}  // namespace

Result<StateFolder> StateFolder::open(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    const auto why = failed ? failed.message() : std::generic_category().message(errno);
    return Error{
        Errc::kIo,
        fmt::format("{}: cannot be used as state.path: {}; it is a folder that the daemon may write", path, why)};
  }
  const bool locked = ::flock(folder, LOCK_EX | LOCK_NB) == 0;
  if (!locked && errno == EWOULDBLOCK) {
    ::close(folder);
    return Error{
        Errc::kIo,
        fmt::format("{}: another tidemark keeps its state there; give each one a state.path of its own", path)};
  }
  return StateFolder(path, folder, locked);
}

StateFolder::~StateFolder() {
  if (folder_ >= 0) ::close(folder_);
}

StateFolder::StateFolder(StateFolder&& other) noexcept
    : path_(std::move(other.path_)), folder_(std::exchange(other.folder_, -1)), locked_(other.locked_) {}

// Whatever a name may hold, and "..", stays a file in this folder.
std::string StateFolder::file_of(std::string_view cluster) const {
  std::string name;
  for (const char c : cluster) {
    const bool plain = is_plain(c) && (c != '.' || !name.empty());
    name += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("{}/{}.state", path_, name);
}

}  // namespace tidemark::history
